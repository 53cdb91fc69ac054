"""What holds for every command: help, JSON as documented, completion, and nothing written over what is read."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import click
import likely
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from likely.cli import COMMANDS, cli

from .conftest import COMMAND, Run

ROOT = Path(__file__).parents[2]
CONTEXT = click.Context(cli)


def words_of(name: str) -> list[str]:
    """A command as it is typed, or each command of a group."""
    command = cli.get_command(CONTEXT, name)
    return [f"{name} {each}" for each in command.commands] if isinstance(command, click.Group) else [name]


EVERY = [words for name in COMMANDS for words in words_of(name)]
"""Every command as it is typed, such as `train` and `store backup`."""


def test_help_names_every_command(run: Run) -> None:
    shown = run("--help").out
    assert re.findall(r"^  (\w+)  +\w", shown.split("Commands:")[1], re.MULTILINE) == list(COMMANDS)


@pytest.mark.parametrize("command", EVERY)
def test_every_command_has_help_json_and_debug(run: Run, command: str) -> None:
    shown = run(*command.split(), "--help").out
    assert "--json" in shown
    assert "--debug" in shown
    *group, name = command.split()
    assert "..." not in run(*group, "--help").out.split(f"  {name} ")[1].splitlines()[0], (
        "the first sentence is too long"
    )


def test_a_model_is_not_written_to_a_file_named_like_standard_output(run: Run, tmp_path: Path) -> None:
    assert "name a file" in run("train", "data.csv", "-o", "-", status=2).err
    assert list(tmp_path.iterdir()) == []


def test_help_is_light() -> None:
    script = (
        "import sys; sys.argv = ['likely', '--help']; import likely.cli as c\n"
        "try: c.cli()\nexcept SystemExit: pass\n"
        "print([m for m in ('numpy', 'pyarrow', 'jinja2') if m in sys.modules])"
    )
    done = subprocess.run([COMMAND.with_name("python"), "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_nothing_is_written_over_what_is_read(run: Run, reviews: Path, model: Path, tmp_path: Path) -> None:
    before = reviews.read_bytes()
    run("train", reviews, "-o", reviews, status=2)
    (tmp_path / "notes.txt").write_text("mine")
    run("train", reviews, "-o", "notes.txt", status=2)
    run("predict", model, reviews, "-o", reviews, status=2)
    run("predict", model, reviews, "-o", model, status=2)
    pq.write_table(pa.table({"mine": [1]}), tmp_path / "mine.parquet")
    run("train", reviews, "-o", "mine.parquet", status=2)
    run("predict", model, str(tmp_path / "review?.csv"), "-o", reviews, status=2)
    run("predict", model, "-", "-o", reviews, stdin_file=reviews, status=2)
    run("explain", model, "fun", "--html", model, status=2)
    assert reviews.read_bytes() == before
    assert likely.load(model).terms_ == 11
    assert (tmp_path / "notes.txt").read_text() == "mine"


def test_completion(run: Run) -> None:
    done = run(_LIKELY_COMPLETE="bash_complete", COMP_WORDS="likely ev", COMP_CWORD="1")
    assert done.out == "plain,evaluate\n"
    done = run(_LIKELY_COMPLETE="bash_complete", COMP_WORDS="likely train --anal", COMP_CWORD="2")
    assert done.out == "plain,--analyzer\n"
    assert "_LIKELY_COMPLETE" in run(_LIKELY_COMPLETE="bash_source").out


JSON_DOCS = (ROOT / "docs" / "reference" / "json.md").read_text()


def write_store(model: Path) -> None:
    """A store with one correction, and its backup."""
    from likely.server.keeper import Correction, Keeper
    from likely.server.store.backup import write_backup

    with Keeper.open(model, model.with_name("a.store")) as keeper:
        keeper.learn([Correction("so good", "pos")])
    write_backup(str(model.with_name("a.store")), str(model.with_name("a.backup")))


@pytest.mark.parametrize("command", [name for name in EVERY if name != "serve"])  # tests/cli/test_serve.py has it
def test_json_is_as_documented(run: Run, model: Path, reviews: Path, command: str) -> None:
    args: dict[str, list[object]] = {
        "check": [reviews],
        "train": [reviews, "-o", "m.likely"],
        "predict": [model, "--text", "fun", "--top", "1"],
        "select": ["--target", reviews, "--raw", reviews, "--number", 2, "-o", "out", "--min-words", 1],
        "explain": [model, "fun"],
        "evaluate": [model, reviews],
        "compare": [model, model, reviews],
        "drift": [model, reviews],
        "inspect": [model],
        "learn": [model, reviews],
        "forget": [model, reviews, "-o", "m.likely"],
        "merge": [model, model, "-o", "m.likely"],
        "export": [model, "demo.html"],
        "store backup": ["a.store", "a.backup"],
        "store verify": ["a.store"],
        "store restore": ["a.backup", "b.store"],
        "store forget": ["a.store", "--before", "2026-01-31"],
        "tokens": ["fun"],
        "textbook": ["-o", "textbook.html"],
        "demo": [],
    }
    assert command in args, f"add arguments with which `likely {command}` runs to args"
    heading = f"\n## likely {command}\n"
    assert heading in JSON_DOCS, f"write a section with this heading in docs/reference/json.md: {heading.strip()}"
    if command.startswith("store "):
        write_store(model)
    if command == "forget":
        run("learn", model, reviews)
    found = list(run(*command.split(), *args[command], "--json").json)
    section = JSON_DOCS.split(heading)[1].split("\n## ")[0]
    documented = re.findall(r"^- `(\w+)`", section, re.MULTILINE)
    assert documented == found, "write in docs/reference/json.md: " + "\n".join(f"- `{key}`: ..." for key in found)

"""What is written twice about an option agrees with the tables; a failing test prints the fix."""

from __future__ import annotations

import ast
import json
import typing
from pathlib import Path

import click
import click.testing
import likely
import pytest
from likely.cli import COMMANDS, cli
from likely.core.manifest import FORMAT
from likely.core.variants import variant_of
from likely.options.model import MODEL, PRESETS, Task, Variant
from likely.options.option import Option
from likely.options.reading import READING, SELECTING, TUNING, Format
from likely.reading.formats import NAMES

if typing.TYPE_CHECKING:
    from likely.options.option import Option

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "python" / "likely"


def test_a_name_is_in_one_table() -> None:
    names = [*MODEL, *READING, *TUNING, *SELECTING]
    assert sorted(names) == sorted(set(names))


def test_model_files_of_this_format_have_the_options_of_the_table() -> None:
    import pyarrow.parquet as pq

    path = ROOT / "tests" / "files" / f"format_{FORMAT}" / "multinomial.likely"
    assert path.exists(), "run .venv/bin/python tools/model_files.py, and commit what it writes"
    stored = json.loads(pq.read_metadata(path).metadata[b"likely"])["options"]
    differing = sorted(set(stored) ^ set(MODEL))
    assert not differing, (
        f"files of format {FORMAT} were written with other options ({differing}): raise FORMAT in "
        "core/file.py, keep reading the older formats, and run .venv/bin/python tools/model_files.py"
    )


def test_docstrings_name_the_options() -> None:
    described = (
        (likely.train, {**READING, **TUNING}),
        (likely.NaiveBayes.learn, READING),
        (likely.select, SELECTING),
    )
    for where, table in described:
        missing = [name for name in table if f"``{name}" not in (where.__doc__ or "")]
        assert not missing, f"describe in the docstring of {where.__qualname__}: {missing}"


OF_TRAIN = (*MODEL.values(), *READING.values(), *TUNING.values())


@pytest.mark.parametrize(("name", "options"), [("train", OF_TRAIN), ("select", (*SELECTING.values(),))])
def test_every_option_has_its_flag(name: str, options: tuple[Option, ...]) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    found = {each.name: [*each.opts, *each.secondary_opts] for each in command.params}
    for option in options:
        expected = option.declaration.split("/") if option.has_flag else None
        assert found.get(option.name) == expected, f"{option.name} is {expected} on the command line"


def test_every_file_of_a_command_is_a_command() -> None:
    files = {path.stem for path in (PACKAGE / "cli" / "commands").glob("*.py")} - {"__init__"}
    assert files == set(COMMANDS), f"not both in cli/commands/ and COMMANDS: {sorted(files ^ set(COMMANDS))}"


def test_every_format_has_a_name_and_a_reader() -> None:
    unnamed = sorted(set(typing.get_args(Format)) - set(NAMES))
    assert not unnamed, f"add to NAMES in reading/formats.py: {unnamed}"
    tree = ast.parse((PACKAGE / "reading" / "opening.py").read_text(encoding="utf-8"))
    opened = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    # Whatever is not named there is read as Arrow.
    unread = sorted(set(typing.get_args(Format)) - opened - {"arrow"})
    assert not unread, f"say in `Opening._reader` (reading/opening.py) which reader reads {unread}"


def test_every_variant_has_a_form() -> None:
    for name in typing.get_args(Variant):
        try:
            variant_of(name, 1.0)
        except KeyError:
            pytest.fail(f"add {name!r} to _FORMS in core/variants.py")


def test_every_task_has_a_preset_and_every_preset_is_a_task() -> None:
    assert tuple(PRESETS) == typing.get_args(Task), f"write Task in options/model.py as {tuple(PRESETS)}"


OUTDATED = {"sentiment"}
"""Presets that have changed since `benchmarks/presets.md` was written. The next run of it empties this set."""


def test_the_page_of_the_presets_shows_the_presets() -> None:
    page = (ROOT / "benchmarks" / "presets.md").read_text(encoding="utf-8")
    meant = {task: ", ".join(f"{name}={value!r}" for name, value in PRESETS[task].items()) for task in PRESETS}
    outdated = {task for task in PRESETS if f"`task={task!r}` stands for {meant[task]}.\n" not in page}
    new = sorted(outdated - OUTDATED)
    assert not new, f"run LIKELY_DATA=... .venv/bin/python -m benchmarks.presets: it shows other options for {new}"
    assert outdated == OUTDATED, f"these are up to date, delete them from OUTDATED: {sorted(OUTDATED - outdated)}"


def test_defaults_are_allowed() -> None:
    for option in (*MODEL.values(), *READING.values(), *TUNING.values(), *SELECTING.values()):
        option.check(option.default)


@pytest.mark.parametrize("option", [*MODEL.values(), *READING.values(), *TUNING.values(), *SELECTING.values()])
def test_help_is_one_line(option: Option) -> None:
    assert len(option.help) <= 70
    assert option.help.endswith((".", ">."))


@pytest.mark.parametrize("name", COMMANDS)
def test_help_fits_a_page_and_help_all_shows_every_flag(name: str) -> None:
    runner = click.testing.CliRunner()
    page = runner.invoke(cli, [name, "--help"]).output
    assert page.count("\n") <= (60 if name == "train" else 75)
    if "--help-all" in page:
        everything = runner.invoke(cli, [name, "--help-all"]).output
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        assert all(each.opts[0] in everything for each in command.params if isinstance(each, click.Option))

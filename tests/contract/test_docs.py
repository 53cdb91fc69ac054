"""The documentation does what it says."""

from __future__ import annotations

import doctest
import os
import re
import runpy
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner
from likely.cli import cli

ROOT = Path(__file__).parents[2]
GUIDE = ROOT / "docs" / "guide.md"

REVIEWS = [
    ("a good film, and so much fun", "pos"),
    ("good fun for all", "pos"),
    ("a film to remember", "pos"),
    ("a dull and boring film", "neg"),
    ("so dull, a dull mess", "neg"),
    ("a boring film with a bad plot", "neg"),
]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    rows = "".join(f'"{text}",{label}\n' for text, label in REVIEWS)
    (tmp_path / "reviews.csv").write_text(f"review,sentiment\n{rows}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    "page",
    [
        "guide.md",
        "textbook.md",
        "evaluation.md",
        "checking.md",
        "comparing.md",
        "report.md",
    ],
)
def test_the_examples_in_python_run(folder: Path, page: str) -> None:
    path = next((ROOT / "docs").rglob(page))
    found = doctest.testfile(
        str(path), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    )
    assert found.attempted >= 5
    assert found.failed == 0


def run(line: str) -> None:
    """Run a command of a page. One of ours runs in this process, which takes half a second less."""
    if line.startswith("likely ") and "|" not in line:
        done = CliRunner().invoke(cli, shlex.split(line)[1:])
        assert done.exit_code == 0, f"{line}\n{done.output}"
        return
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path}
    piped = subprocess.run(line, shell=True, env=environment, capture_output=True, text=True, check=False)
    assert piped.returncode == 0, f"{line}\n{piped.stderr}"
    assert "Traceback" not in piped.stderr


def commands(page: Path) -> list[str]:
    return re.findall(r"^\$ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)


def test_the_commands_run(folder: Path) -> None:
    lines = commands(GUIDE)
    assert len(lines) >= 12
    for line in lines:
        run(line)


def test_the_page_about_browsers_does_what_it_says(folder: Path) -> None:
    page = ROOT / "docs" / "guide" / "live.md"
    found = doctest.testfile(str(page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    assert (found.attempted >= 5, found.failed) == (True, 0)
    for line in commands(page):
        run(line)
    assert {"demo.html", "reviews-model", "reviews-demo.html"} <= {each.name for each in folder.iterdir()}


def test_the_languages_of_stems_in_the_browser_are_told() -> None:
    languages = runpy.run_path(str(ROOT / "tools" / "fetch_stemmers.py"))["LANGUAGES"]
    text = (ROOT / "docs" / "guide" / "live.md").read_text(encoding="utf-8")
    assert [language for language in languages if language.capitalize() not in text] == []


def test_the_reference_page_is_what_the_code_says() -> None:
    command = [sys.executable, str(ROOT / "tools" / "reference.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_pages_link_to_what_is_there() -> None:
    for page in (ROOT / "README.md", *(ROOT / "docs").rglob("*.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"

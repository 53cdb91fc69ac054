"""Every page of the documentation does what it says, and is short."""

from __future__ import annotations

import inspect
import os
import re
import runpy
import subprocess
import sys
from functools import cached_property
from importlib import import_module
from pathlib import Path

import likely
import pytest
from click.testing import CliRunner
from likely.cli import cli

from tests.docs.pages import DOCS, Reader, needs

ROOT = DOCS.parent
LISTS = {"options.md", "commands.md", "http.md", "json.md", "glossary.md"}
"""Pages that nobody reads from beginning to end."""
PAGES = [ROOT / "README.md", *sorted(page for page in DOCS.rglob("*.md") if "_build" not in page.parts)]
LONGEST = 10_000


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.parametrize("page", [each for each in PAGES if "spark" not in needs(each.read_text())], ids=name)
def test_every_block_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for corpus in needs(page.read_text(encoding="utf-8")):
        if "LIKELY_DATA" not in os.environ:
            pytest.skip(f"set LIKELY_DATA to the folder of corpora: {page.name} needs {corpus}")
        (tmp_path / corpus).symlink_to(Path(os.environ["LIKELY_DATA"]) / corpus)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    Reader(page).read()


@pytest.mark.parametrize("page", [page for page in PAGES if page.name not in LISTS], ids=name)
def test_a_page_answers_one_question(page: Path) -> None:
    assert len(page.read_bytes()) <= LONGEST, f"{page.name} is long: make it two pages"


def test_the_readme_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 80


def test_pages_link_to_what_is_there() -> None:
    for page in PAGES:
        for target in re.findall(r"\]\(([^)#:\s]+)\)", page.read_text(encoding="utf-8")):
            is_made = "pictures/" in target or target.endswith(".html")  # by `make docs`
            assert is_made or (page.parent / target).exists(), f"{page.name} links to {target}"


@pytest.mark.parametrize("module", ["likely", "likely.vectorize", "likely.spark", "likely.client"])
def test_the_python_api_is_whole(module: str) -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in (DOCS / "reference").glob("python-*.md"))
    public = [name for name in import_module(module).__all__ if name not in {"errors", "vectorize"}]
    assert [name for name in public if f":: {module}.{name}" not in text] == []


def test_the_methods_of_a_model_are_in_the_python_api() -> None:
    text = "".join(page.read_text(encoding="utf-8") for page in (DOCS / "reference").glob("python-*.md"))
    options = set(likely.NaiveBayes().get_params())
    public = [name for name in dir(likely.NaiveBayes) if not name.startswith("_") and name not in options]
    assert [name for name in public if f":: likely.NaiveBayes.{name}\n" not in text] == []


def test_llms_txt_names_every_page_and_nothing_else() -> None:
    text = (DOCS / "llms.txt").read_text(encoding="utf-8")
    linked = re.findall(r"^- \[[^\]]+\]\((\S+?)\): \S", text, re.MULTILINE)
    pages = [str(page.relative_to(DOCS)) for page in PAGES if DOCS in page.parents and page.name != "index.md"]
    missing, gone = sorted(set(pages) - set(linked)), sorted(set(linked) - set(pages))
    assert (missing, gone) == ([], []), "write docs/llms.txt again: make docs"
    assert len(linked) == len(set(linked))


def test_the_reference_is_what_the_code_says() -> None:
    command = [sys.executable, str(ROOT / "tools" / "reference.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_picture_of_the_readme_is_what_the_model_says(tmp_path: Path) -> None:
    run = CliRunner().invoke(cli, ["demo", "--keep", str(tmp_path)])
    assert run.exit_code == 0, run.output
    draw = runpy.run_path(str(ROOT / "tools" / "pictures.py"))["explained"]
    picture = (DOCS / "pictures" / "explained.svg").read_text(encoding="utf-8")
    assert picture == draw(likely.load(tmp_path / "reviews.likely")), "run `python tools/pictures.py`"
    assert len(picture.encode()) <= 10_000


def test_the_languages_of_stems_in_the_browser_are_told() -> None:
    languages = runpy.run_path(str(ROOT / "tools" / "fetch_stemmers.py"))["LANGUAGES"]
    text = "".join(page.read_text(encoding="utf-8") for page in PAGES if page.name == "live.md")
    assert [language for language in languages if language.capitalize() not in text] == []


def test_no_property_is_taken_for_a_type() -> None:
    """Napoleon reads "name: text" as the first line of a property as its type."""
    classes = likely.NaiveBayes, likely.Evaluation, likely.Explanation
    found = [inspect.getattr_static(each, name) for each in classes for name in dir(each)]
    texts = [each.__doc__ or "" for each in found if isinstance(each, property | cached_property)]
    assert [text for text in texts if ":" in text.partition("\n")[0]] == []

"""`likely export`: a page, a module, and models that cannot be exported."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import likely

if TYPE_CHECKING:
    from .conftest import Run


def test_a_page_is_written(run: Run, model: Path, tmp_path: Path) -> None:
    said = run("export", model, "demo.html", "--title", "Reviews").out
    page = (tmp_path / "demo.html").read_text(encoding="utf-8")
    assert said.startswith("Wrote demo.html (")
    assert "It has all 11 terms" in said
    assert "<title>Reviews</title>" in page


def test_a_module_is_written(run: Run, model: Path, tmp_path: Path) -> None:
    found = json.loads(run("export", model, "reviews/", "--max-size", "100kB", "--json").out)
    assert (found["kind"], found["terms"]) == ("module", 11)
    assert json.loads((tmp_path / "reviews/package.json").read_text())["name"] == "reviews"


def test_what_cannot_be_exported_says_why(run: Run, model: Path, tmp_path: Path) -> None:
    loaded = likely.load(model)
    loaded.spelling = "on"
    loaded.save(tmp_path / "spelling.likely")
    said = run("export", "spelling.likely", "demo.html", status=2).err
    assert "cannot be used in a browser, because it corrects the spelling" in said
    assert "too small" in run("export", model, "demo.html", "--max-size", "10", status=2).err
    assert not (tmp_path / "demo.html").exists()


def test_standard_output_is_not_a_folder(run: Run, model: Path, tmp_path: Path) -> None:
    assert "- stands for standard input or output" in run("export", model, "-", status=2).err
    assert not (tmp_path / "-").exists()


def test_the_model_is_not_overwritten(run: Run, model: Path) -> None:
    assert "is also an input" in run("export", model, model, status=2).err

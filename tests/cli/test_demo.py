"""`likely demo`."""

from __future__ import annotations

import json
from pathlib import Path

from .conftest import Run  # noqa: TC001


def test_demo(run: Run) -> None:
    shown = run("demo").out
    assert len(shown.splitlines()) <= 40
    assert "$ likely train reviews.csv -o reviews.likely" in shown
    assert '"disappointment" x' in shown
    assert "accuracy 84.4%" in shown


def test_the_textbook_is_calculated(run: Run) -> None:
    shown = run("demo", "--textbook").out
    assert shown.count("$ likely ") == 3
    assert "(1+1)/(14+20)" in shown
    assert "P(-|text) = 6.106e-05 / 9.386e-05 = 0.6505" in shown


def test_the_files_stay(run: Run, tmp_path: Path) -> None:
    run("demo", "--keep", str(tmp_path / "a" / "demo"))
    assert {path.name for path in (tmp_path / "a" / "demo").iterdir()} == {
        "reviews.csv",
        "test.csv",
        "reviews.likely",
    }


def test_json_has_the_steps(run: Run) -> None:
    assert [step["command"][1] for step in json.loads(run("demo", "--json").out)["steps"]] == [
        "train",
        "explain",
        "evaluate",
    ]

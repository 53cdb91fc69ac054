"""`likely compare`: models and files of predictions, the exit status, and rows that do not agree."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely import NaiveBayes

from .conftest import REVIEWS, Run


@pytest.fixture
def worse(tmp_path: Path) -> Path:
    """A model that is always wrong about the reviews."""
    other = {"pos": "neg", "neg": "pos"}
    path = tmp_path / "worse.likely"
    NaiveBayes().fit([text for text, _ in REVIEWS], [other[label] for _, label in REVIEWS]).save(path)
    return path


@pytest.mark.parametrize("suffix", ["csv", "jsonl", "parquet"])
def test_models_and_predictions_give_the_same(run: Run, model: Path, worse: Path, reviews: Path, suffix: str) -> None:
    run("predict", model, reviews, "-o", f"p.{suffix}")
    models = run("compare", model, worse, reviews, "--json").json["comparison"]
    assert (models["only_a_right"], models["only_b_right"]) == (6, 0)
    assert models["mcnemar"] == {"p_value": 2 / 64, "exact": True}
    assert models["is_worse"]
    mixed = run("compare", f"p.{suffix}", worse, reviews, "--json").json["comparison"]
    for key in ("accuracy", "macro_f1", "mcnemar", "per_class", "examples"):
        assert mixed[key] == models[key]


def test_two_files_of_predictions(run: Run, model: Path, worse: Path, reviews: Path) -> None:
    run("predict", model, reviews, "-o", "p.csv", "--prediction-column", "guess")
    run("predict", worse, reviews, "-o", "q.jsonl", "--prediction-column", "guess")
    found = run("compare", "p.csv", "q.jsonl", reviews, "--prediction-column", "guess")
    assert "B is significantly less accurate than A." in found.out
    assert found.err.startswith("read as CSV, text=review, label=sentiment, 6 rows")


def test_the_exit_status(run: Run, model: Path, worse: Path, reviews: Path) -> None:
    done = run("compare", model, worse, reviews, "--fail-if-worse", status=1)
    assert "B is significantly less accurate than A" in done.err
    run("compare", worse, model, reviews, "--fail-if-worse")
    run("compare", model, model, reviews, "--fail-if-worse")


def test_rows_that_do_not_agree_are_refused(run: Run, model: Path, reviews: Path, tmp_path: Path) -> None:
    run("predict", model, reviews, "-o", "p.csv")
    lines = (tmp_path / "p.csv").read_text().splitlines(keepends=True)
    (tmp_path / "short.csv").write_text("".join(lines[:-1]))
    assert "has 5 predictions" in run("compare", "short.csv", model, reviews, status=2).err
    (tmp_path / "turned.csv").write_text("".join([lines[0], *reversed(lines[1:])]))
    assert "row 1 is" in run("compare", model, "turned.csv", reviews, status=2).err
    assert "no column 'prediction'" in run("compare", model, reviews, reviews, status=2).err
    run("compare", model, "missing.likely", reviews, status=2)

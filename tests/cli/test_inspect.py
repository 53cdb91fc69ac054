"""`likely inspect`: a model, and a term."""

from __future__ import annotations

from pathlib import Path

from .conftest import Run  # noqa: TC001


def test_inspect(run: Run, model: Path) -> None:
    done = run("inspect", model, "--top", "2")
    assert "11 terms" in " ".join(done.out.split())  # a long path makes a long line, which is wrapped
    assert "neg: boring, dull" in done.out
    assert "trained on text=review, label=sentiment\n" in done.out
    document = run("inspect", model, "--class", "pos", "--json").json
    assert [each["class"] for each in document["classes"]] == ["pos"]
    assert document["columns"] == {"text": "review", "label": "sentiment"}
    assert "did you mean 'pos'" in run("inspect", model, "--class", "poss", status=2).err


def test_inspect_a_term(run: Run, model: Path) -> None:
    rows = run("inspect", model, "--term", "fun", "--json").json["classes"]
    assert [(row["class"], row["count"], row["documents"]) for row in rows] == [("neg", 1, 1), ("pos", 2, 2)]
    assert "never learned" in run("inspect", model, "--term", "zzz", status=1).out
    assert "--class or --term, not both" in run("inspect", model, "--term", "zzz", "--class", "pos", status=2).err


def test_weights_of_classes_are_kept_and_shown(run: Run, reviews: Path) -> None:
    run("train", reviews, "-o", "w.likely", "--alpha", "1", "--class-weight", "pos=2.5")
    assert [each["weight"] for each in run("inspect", "w.likely", "--json").json["classes"]] == [1.0, 2.5]
    shown = run("inspect", "w.likely").out
    assert "class_weight={'pos': 2.5}" in shown
    assert ["documents", "tokens", "weight"] in [line.split() for line in shown.splitlines()]
    assert run("explain", "w.likely", "fun", "--json").json["class_weight"] == [1.0, 2.5]
    assert "Class weights: neg 1, pos 2.5." in run("explain", "w.likely", "fun").out
    refused = run("train", reviews, "-o", "x.likely", "--alpha", "1", "--class-weight", "spam=2", status=2).err
    assert "class_weight names the class 'spam', which the model does not have" in refused

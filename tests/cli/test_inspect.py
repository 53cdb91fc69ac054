"""`likely inspect`: a model, a term, and two models."""

from __future__ import annotations

from pathlib import Path

from .conftest import Run  # noqa: TC001


def test_inspect(run: Run, model: Path) -> None:
    done = run("inspect", model, "--top", "2")
    assert "11 terms" in done.out
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


def test_inspect_two(run: Run, model: Path, reviews: Path, tmp_path: Path) -> None:
    assert run("inspect", model, model).out == "The models are the same.\n"
    (tmp_path / "more.csv").write_text("review,sentiment\nbrilliant brilliant,pos\n")
    run("learn", model, "more.csv", "-o", "other.likely")
    done = run("inspect", model, "other.likely", status=1)
    assert "class pos: 3 -> 4 documents" in done.out
    assert "1 new, 0 gone" in done.out
    assert run("inspect", model, "other.likely", "--json", status=1).json["changes"][0]["term"] == "brilliant"

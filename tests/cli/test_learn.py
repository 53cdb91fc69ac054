"""`likely learn` and `likely forget` are exact."""

from __future__ import annotations

from pathlib import Path

from .conftest import Run  # noqa: TC001


def test_learn_and_forget_are_exact(run: Run, model: Path, tmp_path: Path) -> None:
    before = model.read_bytes()
    (tmp_path / "more.csv").write_text("review,sentiment\nodd,weird\nodd fun,pos\n")
    done = run("learn", model, "more.csv")
    assert "6 -> 8 documents, 2 -> 3 classes, 11 -> 12 terms" in done.out
    assert model.read_bytes() != before
    assert run("forget", model, "more.csv", "--json").json["after"] == {"documents": 6, "classes": 2, "terms": 11}
    assert model.read_bytes() == before
    assert "was never learned" in run("forget", model, "more.csv", status=2).err
    assert model.read_bytes() == before

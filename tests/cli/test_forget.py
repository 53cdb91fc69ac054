"""`likely forget`: not everything."""

from __future__ import annotations

from pathlib import Path

from .conftest import Run  # noqa: TC001


def test_forgetting_everything_is_refused(run: Run, reviews: Path, model: Path) -> None:
    assert "delete the file" in run("forget", model, reviews, status=2).err


def test_a_pruned_model_does_not_forget_what_it_has_learned_since(run: Run, reviews: Path) -> None:
    run("train", reviews, "-o", "m.likely", "--prune", "2")
    run("learn", "m.likely", reviews)
    before = (reviews.parent / "m.likely").read_bytes()
    done = run("forget", "m.likely", reviews, status=2)
    assert "3 terms were dropped from this model, so it cannot forget documents" in done.err
    assert (reviews.parent / "m.likely").read_bytes() == before

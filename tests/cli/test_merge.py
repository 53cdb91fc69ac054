"""`likely merge` is learning all."""

from __future__ import annotations

from pathlib import Path

from .conftest import Run  # noqa: TC001


def test_merge_is_learning_all(run: Run, reviews: Path, tmp_path: Path) -> None:
    header, *rows = reviews.read_text().splitlines()
    for name, part in (("a", rows[:2]), ("b", rows[2:])):
        (tmp_path / f"{name}.csv").write_text("\n".join([header, *part]))
        run("train", f"{name}.csv", "-o", f"{name}.likely", "--allow-partial")
    run("train", reviews, "-o", "all.likely")
    run("merge", "b.likely", "a.likely", "-o", "both.likely")
    assert (tmp_path / "both.likely").read_bytes() == (tmp_path / "all.likely").read_bytes()
    run("train", "a.csv", "-o", "c.likely", "--ngrams", "1,2", "--allow-partial")
    assert "in the same way" in run("merge", "b.likely", "c.likely", "-o", "no.likely", status=2).err
    assert not (tmp_path / "no.likely").exists()


def test_merge_keeps_the_columns_that_all_models_were_trained_on(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "b.csv").write_text("body,label\nfun,pos\n")
    run("train", "b.csv", "-o", "b.likely", "--allow-partial")
    assert run("merge", model, model, "-o", "both.likely").err == ""
    assert "trained on text=review" in run("inspect", "both.likely").out
    said = run("merge", model, "b.likely", "-o", "both.likely").err
    assert said == (
        f"b.likely was trained on text=body, label=label and {model} on text=review, label=sentiment: "
        "the merged model remembers no columns\n"
    )
    assert run("inspect", "both.likely", "--json").json["columns"] is None

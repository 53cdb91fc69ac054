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


def test_learn_names_new_classes(run: Run, model: Path, tmp_path: Path) -> None:
    before = model.read_bytes()
    (tmp_path / "more.csv").write_text("review,sentiment\nodd,poss\nodd fun,pos\n")
    named = "1 new class: 'poss' (1 text; did you mean 'pos'?). Known classes: 'neg', 'pos'"
    done = run("learn", model, "more.csv", "--no-new-classes", status=2)
    assert done.err.splitlines()[-1].startswith(f"likely: {named}. Correct the labels")
    assert model.read_bytes() == before
    done = run("learn", model, "more.csv", "-o", "more.likely")
    assert done.err.splitlines()[1] == f"{named}. With --no-new-classes they are an error"
    assert "2 -> 3 classes" in done.out
    (tmp_path / "more.csv").write_text("review,sentiment\nodd fun,pos\n")
    assert len(run("learn", model, "more.csv", "--no-new-classes").err.splitlines()) == 1


def test_a_label_that_differs_only_in_case_from_a_class(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "more.csv").write_text("review,sentiment\nodd fun,Pos\n")
    done = run("learn", model, "more.csv", "-o", "more.likely")
    assert "1 row has a label that differs only in case from another one, such as 'Pos' from 'pos'" in done.err
    done = run("learn", model, "more.csv", "--fold-labels")
    assert len(done.err.splitlines()) == 1
    assert "2 -> 2 classes" in done.out


def test_columns_of_the_model_are_read(run: Run, model: Path, tmp_path: Path) -> None:
    # Without the model, the text would be the body: it is much longer.
    rows = "".join(f"{text},{'x ' * 100},{label},{label}\n" for text, label in [("fun", "pos"), ("dull", "neg")])
    (tmp_path / "more.csv").write_text(f"review,body,label,sentiment\n{rows}")
    for command in ("learn", "forget", "evaluate"):
        done = run(command, model, "more.csv")
        assert done.err == "read as CSV, text=review, label=sentiment, 2 rows\n"
    assert run("predict", model, "more.csv").err.startswith("read as CSV, text=review, 2 rows\n")
    (tmp_path / "other.csv").write_text("body,label\nfun,pos\ndull,neg\n")
    for command in ("learn", "forget", "evaluate"):
        read, said = run(command, model, "other.csv").err.splitlines()
        assert read == "read as CSV, text=body, label=label, 2 rows"
        assert said == (
            "the model was trained on text=review, label=sentiment; other.csv has no such columns: "
            "read text=body, label=label"
        )
    said = run("predict", model, "other.csv").err.splitlines()[1]
    assert said == "the model was trained on text=review; other.csv has no such column: read text=body"
    assert (
        len(run("evaluate", model, "other.csv", "--text-column", "body", "--label-column", "label").err.splitlines())
        == 1
    )


def test_odd_data_is_refused_in_one_clear_line(run: Run, model: Path, reviews: Path, tmp_path: Path) -> None:
    before = model.read_bytes()
    (tmp_path / "unlabelled.csv").write_text("review\nfun\n")
    (tmp_path / "missing.csv").write_text("review,sentiment\nfun,NA\nso,null\n")
    for command in ("learn", "forget", "evaluate"):
        assert "has one column, 'review', and no labels" in run(command, model, "unlabelled.csv", status=2).err
        assert "give the model first, then the data" in run(command, reviews, model, status=2).err
        said = run(command, model, "missing.csv", "--missing-labels", "skip", status=2).err
        assert said == ("likely: no row could be read. 2 rows left out because of the label: 'NA' (1), 'null' (1)\n")
    assert model.read_bytes() == before


def test_weighted_rows_are_learned_and_forgotten(run: Run, model: Path, tmp_path: Path) -> None:
    before = model.read_bytes()
    (tmp_path / "more.csv").write_text("review,sentiment,times,author\nfine fun,pos,2.5,ann\nso dull,neg,0.25,bob\n")
    learned = run("learn", model, "more.csv", "--weight", "times")
    assert learned.err == "read as CSV, text=review, label=sentiment, weight=times, 2 rows\n"
    assert "6 -> 8.75 documents" in learned.out
    run("forget", model, "more.csv", "--weight", "times")
    assert model.read_bytes() == before
    for command in ("learn", "forget", "evaluate", "predict"):
        assert "--group" in run(command, model, "more.csv", "--group", "author", status=2).err


def test_a_model_that_was_trained_with_weights_learns_and_forgets_with_them(run: Run, tmp_path: Path) -> None:
    rows = ["a b c,x,0.5", "b d,y,2", "a e,x,1.5", "d f,y,0.25"]
    for name, some in (("all", rows), ("part", rows[:2]), ("rest", rows[2:])):
        (tmp_path / f"{name}.csv").write_text("\n".join(["text,label,times", *some]))
    for name in ("all", "rest"):
        run("train", f"{name}.csv", "--weight", "times", "--plain", "-o", f"{name}.likely")
    run("forget", "all.likely", "part.csv", "-o", "left.likely")
    assert (tmp_path / "left.likely").read_bytes() == (tmp_path / "rest.likely").read_bytes()
    run("learn", "rest.likely", "part.csv", "-o", "both.likely")
    assert (tmp_path / "both.likely").read_bytes() == (tmp_path / "all.likely").read_bytes()

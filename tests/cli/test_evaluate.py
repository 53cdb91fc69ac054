"""`likely evaluate`: figures, limits and the exit status."""

from __future__ import annotations

from pathlib import Path

from likely.sample import load_sample

from .conftest import Run  # noqa: TC001


def test_predict_and_evaluate_weigh_as_told(run: Run, model: Path, reviews: Path) -> None:
    prior = "pos=0.001,neg=0.999"
    assert run("predict", model, "--say", "fun", "--prior", prior).out == "neg\n"
    assert run("evaluate", model, reviews, "--prior", prior, "--json").json["evaluation"]["accuracy"] < 1
    assert run("evaluate", model, reviews, "--alpha", "0.1", "--threads", "1", "--json").json["missed"] == []


def test_evaluate(run: Run, model: Path, reviews: Path) -> None:
    done = run("evaluate", model, reviews, "--min-accuracy", "1", "--min-f1", "1")
    assert done.out.startswith(
        'accuracy 100 % (61.0 to 100) on 6 documents; always answering "neg" would give\n50.0 %'
    )
    (reviews.parent / "wrong.csv").write_text("review,sentiment\ngood fun,neg\ndull,neg\n")
    done = run("evaluate", model, "wrong.csv", "--min-accuracy", "0.9", status=1)
    assert "accuracy 0.5 is below 0.9" in done.err
    assert run("evaluate", model, "wrong.csv", "--min-f1", "0.9", "--json", status=1).json["missed"]


def test_labels_that_are_not_classes_are_named(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "new.csv").write_text("review,sentiment\nfun,poss\nso,pos\nodd,poss\n")
    said = run("evaluate", model, "new.csv").err.splitlines()[-1]
    assert said == (
        "not among the classes of the model: 'poss' (2 texts; did you mean 'pos'?). Known classes: 'neg', 'pos'"
    )


def test_nothing_is_learned_so_there_is_nothing_to_insist_on(run: Run, model: Path) -> None:
    assert "--insist" not in run("evaluate", "--help").out
    assert "--insist" in run("learn", "--help").out


def test_texts_unlike_the_training_data_are_warned_of(run: Run, sample: Path, tmp_path: Path) -> None:
    lines = "".join(f"gm frens wen moon lol {number} smh,{label}\n" for number in range(50) for label in ("x", "y"))
    (tmp_path / "tweets.csv").write_text("text,label\n" + lines.replace("x", "positive").replace("y", "negative"))
    done = run("evaluate", sample, "tweets.csv")
    assert "Warning: 100% of the terms are unknown" in done.out
    assert "Warning: the mean confidence" not in done.out, "the model gives both classes the same probability"
    found = run("evaluate", sample, "tweets.csv", "--json").json["evaluation"]
    assert found["shift"]["unknown"] == 1.0
    assert found["shift"]["usual"] < 0.3
    assert found["gold_shares"] == [0.5, 0.5]
    assert found["confidence"] < 0.6
    assert found["warnings"] == [found["flatters"], found["shift"]["warning"]]


def test_probabilities_that_are_too_high_are_warned_of(run: Run, sample: Path, tmp_path: Path) -> None:
    texts, labels = load_sample()
    other = {"positive": "negative", "negative": "positive"}
    rows = "".join(f'"{text}",{other[label]}\n' for text, label in zip(texts, labels, strict=True))
    (tmp_path / "turned.csv").write_text("text,label\n" + rows)
    assert "Warning: the mean confidence is 0." in run("evaluate", sample, "turned.csv").out

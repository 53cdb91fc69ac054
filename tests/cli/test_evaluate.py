"""`likely evaluate`: figures, limits and the exit status."""

from __future__ import annotations

import json
from pathlib import Path

import likely
import pytest
from likely.sample import load_sample

from .conftest import Run  # noqa: TC001


def test_predict_and_evaluate_weigh_as_told(run: Run, model: Path, reviews: Path) -> None:
    prior = "pos=0.001,neg=0.999"
    assert run("predict", model, "--text", "fun", "--prior", prior).out == "neg\n"
    assert run("evaluate", model, reviews, "--prior", prior, "--json").json["evaluation"]["accuracy"] < 1
    assert run("evaluate", model, reviews, "--alpha", "0.1", "--threads", "1", "--json").json["missed"] == []


def test_evaluate(run: Run, model: Path, reviews: Path) -> None:
    done = run("evaluate", model, reviews, "--min-accuracy", "1", "--min-f1", "1")
    assert done.out.startswith("6 of 6 documents are right: too few yet to estimate an accuracy (at least 30)\n")
    assert done.out.endswith("\nMore: --details prints all measures, --html FILE a report.\n")
    assert "bootstrap samples" in run("evaluate", model, reviews, "--details").out
    (reviews.parent / "wrong.csv").write_text("review,sentiment\ngood fun,neg\ndull,neg\n")
    done = run("evaluate", model, "wrong.csv", "--min-accuracy", "0.9", status=1)
    assert "accuracy 0.5 is below 0.9" in done.err
    assert run("evaluate", model, "wrong.csv", "--min-f1", "0.9", "--json", status=1).json["missed"]


@pytest.mark.parametrize("flag", ["--min-accuracy", "--min-f1", "--holdout"])
def test_a_limit_that_is_not_a_number_is_refused(run: Run, model: Path, reviews: Path, flag: str) -> None:
    files = [reviews] if flag == "--holdout" else [model, reviews]
    assert "nan is not a number" in run("evaluate", *files, flag, "nan", status=2).err


def test_a_model_that_is_asked_to_abstains(run: Run, model: Path, reviews: Path) -> None:
    found = run("evaluate", model, reviews, "--abstain", "0.9", "--json").json["evaluation"]
    assert found["abstained"] > 0
    assert found["accuracy"] < found["accuracy_of_answered"]
    assert run("evaluate", model, reviews, "--json").json["evaluation"]["abstained"] == 0


def test_predictions_of_any_program_are_evaluated(run: Run, tmp_path: Path) -> None:
    pairs = [("a", "a", 30), ("a", "b", 5), ("b", "b", 20), ("b", "unsure", 3)]
    rows = [f"{gold},{said}" for gold, said, documents in pairs for _ in range(documents)]
    (tmp_path / "rows.csv").write_text("gold,model\n" + "\n".join(rows))
    (tmp_path / "matrix.csv").write_text("gold,model,n\n" + "\n".join(f"{a},{b},{n}" for a, b, n in pairs))
    flags = ["--prediction-column", "model", "--label-column", "gold"]
    found = run("evaluate", *flags, "rows.csv", "--json").json["evaluation"]
    expected = likely.evaluate([a for a, _, n in pairs for _ in range(n)], ["a"] * 30 + ["b"] * 25 + [None] * 3)
    assert found == expected.to_dict()
    assert run("evaluate", *flags, "matrix.csv", "--weight", "n", "--json").json["evaluation"] == found
    assert "--alpha has no effect with" in run("evaluate", *flags, "rows.csv", "--alpha", "1", status=2).err
    (tmp_path / "matrix.csv").write_text("gold,model,n\na,a,1.5\n")
    assert "not a whole number" in run("evaluate", *flags, "matrix.csv", "--weight", "n", status=2).err


def test_the_answer_is_short(run: Run, sample: Path, films: Path) -> None:
    done = run("evaluate", sample, films)
    assert done.err == "read as JSON Lines, text=text, label=label, 480 rows\n"
    assert len(done.out.splitlines()) <= 20
    assert "Warning: these texts look like the training data" in done.out


def test_labels_that_are_not_classes_are_named(run: Run, model: Path, tmp_path: Path) -> None:
    (tmp_path / "new.csv").write_text("review,sentiment\nfun,poss\nso,pos\nodd,poss\n")
    said = run("evaluate", model, "new.csv").err.splitlines()[-1]
    assert said == (
        "not among the model's classes: 'poss' (2 texts; did you mean 'pos'?). Known classes: 'neg', 'pos'"
    )


@pytest.mark.parametrize("flags", [["--allow-partial"], ["--group", "x"], ["--ngrams", "1,2"], ["--plain"]])
def test_nothing_is_learned_by_a_model_so_flags_of_learning_are_refused(
    run: Run, model: Path, reviews: Path, flags: list[str]
) -> None:
    said = run("evaluate", model, reviews, *flags, status=2).err
    assert f"{flags[0]} has no effect on a trained model" in said


@pytest.fixture
def films(tmp_path: Path) -> Path:
    path = tmp_path / "films.jsonl"
    texts, labels = load_sample()
    rows = [
        {"text": text, "label": label, "author": f"{at // 3}"}
        for at, (text, label) in enumerate(zip(texts, labels, strict=True))
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(
    ("flags", "source", "documents"),
    [
        (["--cv", "4"], "4-fold cross-validation", 480),
        (["--cv", "4", "--group", "author"], "4-fold cross-validation", 480),
        (["--holdout", "0.25"], "a hold-out of 25%", 120),
        (["--leave-one-out"], "leave-one-out", 480),
        (["--leave-one-out", "--group", "author"], "leave-one-group-out", 480),
    ],
)
def test_the_model_of_data_is_evaluated_without_a_test_set(
    run: Run, films: Path, flags: list[str], source: str, documents: int
) -> None:
    found = run("evaluate", *flags, films, "--variant", "binary", "--json").json
    evaluation = found["evaluation"]
    assert (evaluation["source"], evaluation["documents"]) == (source, documents)
    assert evaluation["accuracy"] > 0.8
    assert found["read"]["rows"] == 480


def test_the_accuracy_of_folds_can_be_too_low(run: Run, films: Path) -> None:
    done = run("evaluate", "--cv", "4", films, "--plain", "--min-accuracy", "0.99", status=1)
    assert "is below 0.99" in done.err
    assert "Accuracy in the 4 folds" in done.out


def test_ways_of_measuring_exclude_each_other(run: Run, films: Path, model: Path) -> None:
    assert "not both" in run("evaluate", "--cv", "4", "--leave-one-out", films, status=2).err
    assert "Missing argument 'MODEL'" in run("evaluate", status=2).err
    assert "Missing argument 'DATA...'" in run("evaluate", "--cv", "4", status=2).err
    assert "folds=481 is not allowed" in run("evaluate", "--cv", "481", films, status=2).err
    assert run("evaluate", "--cv", "4", "nothing.csv", status=2).err


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
    assert found["warnings"] == [found["shift"]["warning"], found["flatters"]]


def test_probabilities_that_are_too_high_are_warned_of(run: Run, sample: Path, tmp_path: Path) -> None:
    texts, labels = load_sample()
    other = {"positive": "negative", "negative": "positive"}
    rows = "".join(f'"{text}",{other[label]}\n' for text, label in zip(texts, labels, strict=True))
    (tmp_path / "turned.csv").write_text("text,label\n" + rows)
    assert "Warning: the mean confidence is 0." in run("evaluate", sample, "turned.csv").out


def test_beta_weighs_recall(run: Run, model: Path, reviews: Path) -> None:
    (reviews.parent / "some.csv").write_text("review,sentiment\ngood fun,pos\nfun,neg\ndull,neg\n")
    found = [run("evaluate", model, "some.csv", "--json", *more).json["evaluation"] for more in ([], ["--beta", "2"])]
    assert [each["beta"] for each in found] == [1.0, 2.0]
    of_pos = [next(each for each in every["per_class"] if each["label"] == "pos") for every in found]
    assert (of_pos[0]["precision"], of_pos[0]["recall"]) == (0.5, 1.0)
    assert [each["f"] for each in of_pos] == pytest.approx([2 / 3, 5 / 6])
    columns = ("--prediction-column", "review", "--label-column", "sentiment")
    assert run("evaluate", *columns, "some.csv", "--beta", "0.5", "--json").json["evaluation"]["beta"] == 0.5
    assert "--beta" in run("evaluate", model, "some.csv", "--beta", "0", status=2).err

"""Each undefined measure is told once, with the classes and the reason."""

from __future__ import annotations

from likely import NaiveBayes, evaluate


def test_classes_that_are_never_predicted_or_never_seen() -> None:
    found = evaluate(["a", "b", "b"], ["a", "c", "a"], classes=["a", "b", "c", "d"])
    assert found.undefined == [
        'precision is undefined for "b": never predicted',
        'recall is undefined for "c": no document has this gold label',
        'precision, recall and F1 are undefined for "d": neither a gold label nor predicted',
    ]


def test_many_classes_are_one_sentence() -> None:
    gold = [f"c{at:02}" for at in range(20)]
    (only,) = evaluate(gold, ["c00"] * 20).undefined[:1]
    assert only == 'precision is undefined for "c01", "c02", "c03", "c04", "c05" and 14 more: never predicted'


def test_agreement_needs_different_labels() -> None:
    assert (
        "Matthews correlation is undefined: all predictions are the same" in evaluate(["a", "b"], ["a"] * 2).undefined
    )
    found = evaluate(["a", "a"], ["a", "a"]).undefined
    assert found == [
        "Matthews correlation is undefined: all gold labels are the same",
        "Cohen's kappa is undefined: all gold labels are the same",
    ]


def test_nobody_answered() -> None:
    found = evaluate(["a", "b"], [None, None])
    assert found.accuracy_of_answered is None
    assert "the accuracy of answered documents is undefined: none is answered" in found.undefined


def test_labels_that_the_model_does_not_know() -> None:
    model = NaiveBayes().fit(["good", "bad"], ["+", "-"])
    assert (
        "log-loss is infinite: the probability of a gold label is 0, or it is not a class of the model"
        in model.evaluate(["good", "bad"], ["+", "new"]).undefined
    )


def test_nothing_is_undefined_where_all_is_well() -> None:
    assert evaluate(["a", "b"], ["a", "b"]).undefined == []

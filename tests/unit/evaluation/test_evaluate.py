"""`likely.evaluate`: abstentions, answers that are kept, and the laws of accuracy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import evaluate
from likely.evaluation.evaluate import Judge, accuracy

labels = st.sampled_from("abc")
pairs = st.lists(st.tuples(labels, labels | st.none()), min_size=1, max_size=30)


@given(pairs)
def test_accuracy_with_abstentions(some: list[tuple[str, str | None]]) -> None:
    gold, predicted = [each[0] for each in some], [each[1] for each in some]
    found = evaluate(gold, predicted)
    answered = [(one, other) for one, other in some if other is not None]
    right = sum(one == other for one, other in some)
    assert found.documents == len(some)
    assert found.abstained == len(some) - len(answered)
    assert found.answered == pytest.approx(len(answered) / len(some))
    assert found.accuracy == right / len(some)
    assert found.accuracy_of_answered == (right / len(answered) if answered else None)
    assert found.confusion.sum() == len(answered)
    assert found.micro.recall == pytest.approx(found.accuracy, rel=1e-15)
    assert found.micro.precision == found.accuracy_of_answered
    if not found.abstained:
        assert found.micro.f == pytest.approx(found.accuracy, rel=1e-15)


def test_answers_are_kept_if_asked_for() -> None:
    found = evaluate(["b", "a"], ["b", None], keep=True, probabilities=[[0.2, 0.8], [0.5, 0.5]])
    assert found.answers is not None
    assert found.answers.gold.tolist() == [1, 0]
    assert found.answers.predicted.tolist() == [1, -1]
    assert found.answers.log_probabilities is not None
    assert found.answers.log_probabilities.shape == (2, 2)
    assert found.answers.texts is None
    assert evaluate(["b", "a"], ["b", "a"]).answers is None
    without = evaluate(["b", "a"], ["b", "a"], keep=True)
    assert without.answers is not None
    assert without.answers.log_probabilities is None


def test_batches_may_have_new_labels() -> None:
    judge = Judge(["z"])
    for gold, predicted in ((["b"], ["b"]), (["a"], ["b"]), ([], [])):
        judge.count(gold, predicted)
    found = judge.evaluation()
    assert found.labels == ["a", "b", "z"]
    assert found.confusion.tolist() == [[0, 1, 0], [0, 1, 0], [0, 0, 0]]


def test_accuracy_is_that_of_the_evaluation() -> None:
    assert accuracy(["a", "b"], ["a", "a"]) == evaluate(["a", "b"], ["a", "a"]).accuracy == 0.5

"""The part of a confusion matrix that people can look at."""

from __future__ import annotations

from likely import evaluate
from likely.reports.confusion import shown_confusion


def test_few_classes_are_all_shown_with_abstentions() -> None:
    found = shown_confusion(evaluate(["a", "a", "a", "b"], ["a", "b", None, "b"]), 5)
    assert found.labels == ["a", "b"]
    assert found.cells == [[1, 1], [0, 1]]
    assert found.unanswered == [1, 0]
    assert found.sizes == [3, 1]


def test_of_many_classes_those_of_the_most_confused_pairs_are_shown() -> None:
    gold = [f"c{at:02}" for at in range(50)] + ["c30"] * 3 + ["c05"]
    predicted = [f"c{at:02}" for at in range(50)] + ["c20"] * 3 + ["c40"]
    found = shown_confusion(evaluate(gold, predicted), 3)
    assert found.labels == ["c05", "c20", "c30"]
    assert found.cells == [[1, 0, 0], [0, 1, 0], [0, 3, 1]]
    assert found.sizes == [2, 1, 4]


def test_without_confusion_the_first_classes_are_shown() -> None:
    labels = [f"c{at:02}" for at in range(50)]
    assert shown_confusion(evaluate(labels, labels), 3).labels == ["c00", "c01", "c02"]

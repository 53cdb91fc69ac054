"""Probabilities of users are checked: the error says which row is wrong."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from likely import evaluate
from likely.errors import LabelError, LengthError, ProbabilityError, UnknownClassError
from likely.evaluation.evaluate import log_probabilities


def test_logarithms_of_good_ones() -> None:
    found = log_probabilities([[1.0, 0.0], [0.25, 0.75]], 2, 2)
    assert found.tolist() == [[0.0, -np.inf], [np.log(0.25), np.log(0.75)]]
    log_probabilities(np.full((1, 3), 1 / 3, np.float32), 1, 3)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ([[0.5, 0.5], [0.5, 0.6]], "row 2 sum to 1.1: they must sum to 1"),
        ([[0.5, 0.5], [0.5, 0.4999]], "row 2 sum to 0.9999"),
        ([[0.5, 0.5], [1.5, -0.5]], "probability -0.5 in row 2"),
        ([[0.5, 0.5], [0.5, float("nan")]], "probability nan in row 2"),
        ([[0.5, 0.5], [0.5, float("inf")]], "row 2 sum to inf"),
        ([[0.5, 0.5, 0.0]] * 2, "3 columns for 2 classes: give the labels of the columns"),
        ([0.5, 0.5], "1 dimensions"),
        ([[0.5, 0.5], [1.0]], "not rows of numbers"),
        ("many", "not rows of numbers"),
    ],
)
def test_bad_ones_are_named(given: Any, message: str) -> None:
    with pytest.raises(ProbabilityError, match=message):
        evaluate(["a", "b"], ["a", "b"], probabilities=given)


def test_there_is_one_row_per_document() -> None:
    with pytest.raises(LengthError, match="1 rows of probabilities for 2 documents"):
        evaluate(["a", "b"], ["a", "b"], probabilities=[[0.5, 0.5]])


def test_classes_are_checked_too() -> None:
    even = np.full((2, 2), 0.5)
    with pytest.raises(UnknownClassError, match="'c' is not one of the classes 'a', 'b'"):
        evaluate(["a", "c"], ["a", "b"], probabilities=even, classes=["a", "b"])
    with pytest.raises(UnknownClassError, match="'c' is not one of the classes"):
        evaluate(["a", "b"], ["a", "c"], classes=["a", "b"])
    with pytest.raises(LabelError, match="'a' is given twice"):
        evaluate(["a", "b"], ["a", "b"], probabilities=even, classes=["a", "a"])
    with pytest.raises(LabelError, match="of type"):
        evaluate(["a", "b"], ["a", "b"], probabilities=even, classes=[1, 2])


def test_columns_may_be_in_any_order() -> None:
    gold, predicted = ["b", "a"], ["b", "b"]
    one = evaluate(gold, predicted, probabilities=[[0.9, 0.1], [0.6, 0.4]], classes=["b", "a"])
    other = evaluate(gold, predicted, probabilities=[[0.1, 0.9], [0.4, 0.6]])
    assert one.to_dict() == other.to_dict()
    assert one.mistakes[0].gold == "a"

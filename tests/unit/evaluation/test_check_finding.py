"""Examples of findings."""

from __future__ import annotations

from likely.evaluation.check import examples_of
from likely.reading.rows import Whole


def test_examples_are_few() -> None:
    whole = Whole(["a", "b", "c"], ["x", "y", "z"])
    assert [each.text for each in examples_of(whole, iter([2, 0, 1]), 2)] == ["c", "a"]

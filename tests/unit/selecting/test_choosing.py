"""Weights are those of the formula; the best rows are kept."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.batch.select import UNIT, Best, weights_of

COUNTS = st.lists(st.tuples(*[st.integers(0, 10**6)] * 2), min_size=1, max_size=20)


@given(counts=COUNTS, alpha=st.sampled_from([1.0, 0.5, 1e-6, 7.25]))
def test_weights_are_log_ratios_of_smoothed_shares(counts: list[tuple[int, int]], alpha: float) -> None:
    target, raw = (np.array(column, np.uint64) for column in zip(*counts, strict=True))
    weights = weights_of(target, raw, alpha)
    assert weights.shape == (len(counts),)

    def share(column: int, row: int) -> Fraction:
        total = sum(each[column] for each in counts)
        return (counts[row][column] + Fraction(alpha)) / (total + Fraction(alpha) * len(counts))

    for row in range(len(counts)):
        expected = math.log(share(0, row)) - math.log(share(1, row))
        assert math.isclose(weights[row] / UNIT, expected, abs_tol=1e-9)


@pytest.mark.parametrize("spare", [1, 5, 1000])
def test_the_best_are_those_of_a_full_sort(spare: int) -> None:
    dice = random.Random(spare)
    for number in (1, 3, 40, 400):
        pairs = [(dice.randrange(20), row) for row in range(300)]
        expected = [row for _, row in sorted(pairs, key=lambda pair: (-pair[0], pair[1]))[:number]]
        dice.shuffle(pairs)
        best = Best(number, spare)
        while pairs:
            some = [pairs.pop() for _ in range(min(len(pairs), dice.randrange(1, 60)))]
            keys, rows = (np.array(column, np.int64) for column in zip(*some, strict=True))
            best.add(keys, rows, keys * 10)
        rows, weights = best.ranked()
        assert rows.tolist() == expected
        assert (weights % 10 == 0).all()


def test_memory_does_not_grow_with_the_rows() -> None:
    best = Best(10, spare=10)
    for first in range(0, 10_000, 10):
        rows = np.arange(first, first + 10)
        best.add(rows, rows, rows)
        assert sum(len(keys) for keys, _, _ in best._kept) <= 30


def test_nothing_was_added() -> None:
    rows, weights = Best(3).ranked()
    assert len(rows) == len(weights) == 0


def test_fewer_rows_than_wanted_are_all_chosen() -> None:
    best = Best(4)
    best.add(np.array([1, 2, 3]), np.array([5, 6, 7]), np.array([10, 20, 30]))
    rows, weights = best.ranked()
    assert (rows.tolist(), weights.tolist()) == ([7, 6, 5], [30, 20, 10])

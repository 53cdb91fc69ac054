"""Weights are those of the formula; the best rows are kept; several targets choose one after the other."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.batch.select import UNIT, Best, chosen, rankings, weight_table

COUNTS = st.lists(st.tuples(*[st.integers(0, 10**6)] * 3), min_size=1, max_size=20)


@given(counts=COUNTS, alpha=st.sampled_from([1.0, 0.5, 1e-6, 7.25]))
def test_weights_are_log_ratios_of_smoothed_shares(counts: list[tuple[int, int, int]], alpha: float) -> None:
    one, two, raw = (np.array(column, np.uint64) for column in zip(*counts, strict=True))
    table = weight_table([one, two], raw, alpha)
    assert table.shape == (len(counts), 2)

    def share(column: int, row: int) -> Fraction:
        total = sum(each[column] for each in counts)
        return (counts[row][column] + Fraction(alpha)) / (total + Fraction(alpha) * len(counts))

    for row in range(len(counts)):
        for column in (0, 1):
            expected = math.log(share(column, row)) - math.log(share(2, row))
            assert math.isclose(table[row, column] / UNIT, expected, abs_tol=1e-9)


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


def test_a_row_is_chosen_once_and_each_target_gets_its_number() -> None:
    numbers = [2, 3]
    best = rankings(numbers)
    rows = np.arange(8)
    first, second = np.array([9, 8, 7, 6, 5, 4, 3, 2]), np.array([9, 9, 9, 1, 2, 3, 4, 5])
    for each, keys in zip(best, (first, second), strict=True):
        each.add(keys, rows, keys * int(UNIT))
    found, weights, targets = chosen(best, numbers)
    assert found.tolist() == [0, 1, 2, 6, 7]
    assert targets.tolist() == [0, 0, 1, 1, 1]
    assert weights.tolist() == [9, 8, 9, 4, 5]


def test_fewer_rows_than_wanted_are_all_chosen() -> None:
    best = rankings([4, 4])
    for each in best:
        each.add(np.array([1, 2, 3]), np.array([5, 6, 7]), np.array([1, 2, 3]))
    found, _, targets = chosen(best, [4, 4])
    assert found.tolist() == [5, 6, 7]
    assert targets.tolist() == [0, 0, 0]

"""Several targets choose one after the other, and no row twice."""

from __future__ import annotations

import numpy as np
from likely.batch.select import UNIT, chosen, rankings


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

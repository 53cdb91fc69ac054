"""`Best` keeps the largest keys, whatever the order in which rows come."""

from __future__ import annotations

import random

import numpy as np
import pytest
from likely.batch.select import Best


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

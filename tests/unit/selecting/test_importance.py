"""The weights of buckets are those of the formula, in exact fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from likely.batch.select import UNIT, weight_table

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

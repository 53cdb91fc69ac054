"""A sample of a stream: the same whatever the batches, of the size that was asked for, and spread evenly."""

from __future__ import annotations

import numpy as np
import pytest
from likely.core.shift import Spread


def sample(rows: int, most: int, size: int) -> list[int]:
    spread, kept = Spread(most), np.zeros(0, np.int64)
    for start in range(0, rows, size):
        new, stay = spread.draw(min(size, rows - start))
        kept = np.concatenate([kept, start + new])[stay]
    return sorted(kept.tolist())


@pytest.mark.parametrize("size", [1, 7, 100, 1000])
def test_batches_do_not_matter(size: int) -> None:
    assert sample(1000, 50, size) == sample(1000, 50, 1000)
    assert len(sample(1000, 50, size)) == 50


def test_a_short_stream_is_taken_whole() -> None:
    assert sample(30, 50, 8) == list(range(30))


def test_rows_are_spread_evenly() -> None:
    gaps = np.diff(sample(100_000, 200, 10_000))
    assert gaps.max() < 3 * 100_000 / 200

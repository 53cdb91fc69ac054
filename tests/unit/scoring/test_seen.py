"""What several have seen together is as if one had seen all of it, and it survives a file."""

from __future__ import annotations

import numpy as np
import pytest
from likely.core.shift import MOST_TEXTS, SeenTexts


def seen(texts: int, seed: int = 1, classes: int = 3) -> SeenTexts:
    chance = np.random.default_rng(seed)
    found = SeenTexts.of_classes(classes)
    for _ in range(0, texts, 500):
        size = min(500, texts)
        logs = np.log(chance.dirichlet(np.ones(classes), size))
        found.see(logs, chance.integers(0, 2, size) / 2, chance.integers(1, 100, size).astype(float))
    return found


@pytest.mark.parametrize("sizes", [(0, 0), (10, 0), (0, 10), (500, 2_000), (20_000, 500), (20_000, 20_000)])
def test_the_sum_is_that_of_all(sizes: tuple[int, int]) -> None:
    one, other = seen(sizes[0], 1), seen(sizes[1], 2)
    both = one.plus(other)
    assert both.documents == one.documents + other.documents
    assert both.terms == one.terms + other.terms
    assert both.known == one.known + other.known
    assert len(both.logs) <= MOST_TEXTS + 1
    rows = {row.tobytes() for row in np.concatenate([one.logs, other.logs])}
    assert {row.tobytes() for row in both.logs} <= rows


def test_each_has_its_share_of_the_sample() -> None:
    many, few = seen(60_000, 1), seen(6_000, 2)
    both = many.plus(few)
    of_few = {row.tobytes() for row in few.logs}
    share = sum(row.tobytes() in of_few for row in both.logs) / len(both.logs)
    assert share == pytest.approx(1 / 11, abs=0.03)


def test_the_order_does_not_matter() -> None:
    one, other = seen(9_000, 1), seen(3_000, 2)
    rows = [sorted(row.tobytes() for row in both.logs) for both in (one.plus(other), other.plus(one))]
    assert rows[0] == rows[1]


def test_probabilities_of_other_classes_are_not_mixed() -> None:
    both = seen(100, classes=3).plus(seen(200, classes=4))
    assert both.logs.shape[1] == 3
    assert both.documents == 300

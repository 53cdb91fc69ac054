"""The values of alpha to try."""

from __future__ import annotations

import pytest
from likely.training.search import ALPHAS, lower_alpha, next_to


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_values_halfway_are_between_the_next_ones(alpha: float) -> None:
    below, above = next_to(alpha)
    assert alpha / 3.4 < below < alpha < above < alpha * 3.4


def test_a_lower_alpha_is_one_of_the_list() -> None:
    assert [lower_alpha(alpha) for alpha in ALPHAS] == [*ALPHAS[2:], ALPHAS[-1], ALPHAS[-1]]

"""Bootstrap samples of grouped values have the distribution of samples of the values themselves."""

from __future__ import annotations

import numpy as np
import pytest
from likely.evaluation.intervals import GROUPS, grouped, in_equal_steps


def test_sums_of_batches_are_those_of_all() -> None:
    values, groups = np.array([0.1, 0.2, 0.7, 0.4]), np.array([0, 2, 2, 1])
    whole = grouped(values, groups, 3)
    parts = grouped(values[:2], groups[:2], 3) + grouped(values[2:], groups[2:], 3)
    for one, other in ((whole.sizes, parts.sizes), (whole.sums, parts.sums), (whole.squares, parts.squares)):
        np.testing.assert_allclose(one, other, rtol=1e-15)
    assert whole.documents == 4


@pytest.mark.parametrize("number", [20, 20_000])
def test_means_are_spread_as_those_of_samples_of_documents(number: int) -> None:
    values = np.random.default_rng(1).lognormal(0, 1.5, number)
    drawn = in_equal_steps(values).resampled_means(np.random.default_rng(2), 20_000)
    plain = np.random.default_rng(3)
    expected = np.array([values[plain.integers(0, number, number)].mean() for _ in range(2_000)])
    assert drawn.mean() == pytest.approx(values.mean(), rel=0.01)
    assert drawn.std() == pytest.approx(values.std() / np.sqrt(number), rel=0.03)
    spread = values.std() / np.sqrt(number)
    for share in (2.5, 50, 97.5):
        assert np.percentile(drawn, share) == pytest.approx(np.percentile(expected, share), abs=0.15 * spread)


def test_equal_values_have_no_spread() -> None:
    assert np.ptp(in_equal_steps(np.full(100, 0.1)).resampled_means(np.random.default_rng(1), 10)) < 1e-12


def test_the_largest_value_has_a_group() -> None:
    assert in_equal_steps(np.array([0.0, 1.0])).sizes.tolist() == [1.0, *[0.0] * (GROUPS - 2), 1.0]


def test_the_same_seed_draws_the_same() -> None:
    values = in_equal_steps(np.arange(100.0))
    one, other = (values.resampled(np.random.default_rng(7), 5) for _ in range(2))
    assert one.tobytes() == other.tobytes()

"""Whatever the errors of scores are within their bound, probabilities stay within theirs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from likely.core.calibration import Calibration
from likely.core.scorer import best_bounds, is_best_certain, log_odds_doubt, probability_bounds
from likely.formulas import log_posterior

if TYPE_CHECKING:
    from likely.types import Array

SCORES = arrays(np.float64, (3, 4), elements=st.floats(-300, 0))
WRONG = arrays(np.float64, (3, 4), elements=st.floats(-1, 1))
CALIBRATIONS = st.none() | st.builds(Calibration, st.floats(0.01, 3), st.floats(0, 1), st.floats(0, 0.95))
LENGTH = np.array([0.0, 1.0, 200.0])


def logs_of(joint: Array, calibration: Calibration | None) -> Array:
    if calibration is None:
        return log_posterior(joint, np.zeros(joint.shape[1]))
    return calibration.log_probabilities(joint, LENGTH)


@given(SCORES, WRONG, st.floats(0, 20), CALIBRATIONS)
def test_probabilities_lie_within_their_bounds(
    joint: Array, wrong: Array, size: float, calibration: Calibration | None
) -> None:
    doubt = log_odds_doubt(joint, LENGTH, np.full(3, size), calibration)
    rough, exact = logs_of(joint, calibration), logs_of(joint + size * wrong, calibration)
    certain = is_best_certain(rough, doubt)
    assert (rough.argmax(axis=1) == exact.argmax(axis=1))[certain].all()
    found = [(probability_bounds(rough, place, doubt), exact[:, place]) for place in range(4)]
    for (low, high), logs in [*found, (best_bounds(rough, doubt), exact.max(axis=1))]:
        assert (low <= np.exp(logs)).all()
        assert (np.exp(logs) <= high).all()


def test_bounds_allow_for_rounding_close_to_zero_and_one() -> None:
    dice = np.random.default_rng(0)
    joint = -dice.uniform(0, 30, (300_000, 4))
    wrong = 5 * dice.choice([-1.0, 1.0], joint.shape)
    joint[:2, 0] -= 705  # probabilities that are nearly too small for a number
    rough, exact = logs_of(joint, None), logs_of(joint + wrong, None)
    doubt = log_odds_doubt(joint, np.zeros(len(joint)), np.full(len(joint), 5.0), None)
    for (low, high), logs in (
        (best_bounds(rough, doubt), exact.max(axis=1)),
        (probability_bounds(rough, 0, doubt), exact[:, 0]),
    ):
        assert (low <= np.exp(logs)).all()
        assert (np.exp(logs) <= high).all()


@given(SCORES, st.floats(0, 20))
def test_a_class_that_is_impossible_stays_so(joint: Array, size: float) -> None:
    joint[:, 1] = -np.inf
    doubt = log_odds_doubt(joint, LENGTH, np.full(3, size), Calibration(0.5, 0.5, 0.0))
    low, high = probability_bounds(logs_of(joint, None), 1, doubt)
    assert not low.any()
    assert not high.any()


def test_small_errors_leave_little_doubt() -> None:
    joint = np.array([[-900.0, -100.0, -700.0]])
    doubt = log_odds_doubt(joint, np.array([200.0]), np.array([0.5]), Calibration(0.5, 0.5, 0.3))
    assert 0 < doubt[0] < 0.1
    low, high = probability_bounds(np.log([[0.5, 0.3, 0.2]]), 0, doubt)
    assert low[0] == pytest.approx(0.5, abs=0.03)
    assert high[0] == pytest.approx(0.5, abs=0.03)


def test_if_the_errors_may_be_as_large_as_the_spread_nothing_is_certain() -> None:
    joint, calibration = np.array([[-1.0, -1.5]]), Calibration(0.5, 0.5, 0.3)
    assert log_odds_doubt(joint, np.array([9.0]), np.array([0.5]), calibration).tolist() == [np.inf]
    assert not is_best_certain(logs_of(np.array([[0.0, -9.0]]), None), np.array([np.inf])).any()


def test_a_class_that_is_far_ahead_is_certain_although_its_probability_is_rounded_to_one() -> None:
    logs = logs_of(np.array([[-9000.0, -400.0, -7000.0]]), None)
    assert logs[0, 1] == 0.0
    for low, high in (probability_bounds(logs, 1, np.array([100.0])), best_bounds(logs, np.array([100.0]))):
        assert (low[0], high[0]) == (1.0, 1.0)
    low, _ = probability_bounds(logs, 1, np.array([6600.0]))
    assert low[0] < 0.5


def test_one_class_is_certain() -> None:
    assert is_best_certain(np.zeros((2, 1)), np.array([5.0, 0.0])).all()
    low, _ = probability_bounds(np.zeros((2, 1)), 0, np.array([5.0, 0.0]))
    assert (low == 1.0).all()

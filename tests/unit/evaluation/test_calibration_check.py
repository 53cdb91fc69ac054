"""What chance gives a calibrated model, and when accuracy and calibration no longer hold."""

from __future__ import annotations

import numpy as np
import pytest
from likely.core.calibration import reliability
from likely.evaluation.drift import LESS_ACCURATE, LESS_CALIBRATED, CalibrationCheck, error_by_chance


@pytest.mark.parametrize("documents", [30, 300, 3000])
def test_calibrated_probabilities_seldom_exceed_the_bound(documents: int) -> None:
    generator = np.random.default_rng(1)
    exceeded = 0
    for _ in range(200):
        first = generator.uniform(0.5, 1.0, documents)
        gold = (generator.random(documents) > first).astype(np.intp)
        measured = reliability(np.log(np.stack([first, 1 - first], axis=1)), gold)
        exceeded += measured.expected_calibration_error > error_by_chance(measured, replicates=1000)
    assert exceeded <= 2


def test_more_documents_leave_less_to_chance() -> None:
    logs = np.log(np.tile([0.8, 0.2], (100, 1)))
    few = reliability(logs, np.zeros(100, np.intp))
    many = reliability(np.tile(logs, (100, 1)), np.zeros(10_000, np.intp))
    assert error_by_chance(many) < error_by_chance(few) / 5
    assert error_by_chance(few) == error_by_chance(few)


def test_bounds() -> None:
    fine = CalibrationCheck(10_000, 0.9, 0.9, 5000, 0.02, 0.01, 0.01)
    assert not any(each.is_drifted for each in fine.checks())
    worse = CalibrationCheck(10_000, 0.9 - LESS_ACCURATE - 0.001, 0.9, 5000, 0.02, 0.01, 0.01)
    assert [each.is_drifted for each in worse.checks()] == [True, False]
    few = CalibrationCheck(20, 0.75, 0.9, 5000, 0.02, 0.2, 0.01)
    assert not any(each.is_drifted for each in few.checks()), "of 20 documents, five may be wrong by chance"
    overconfident = CalibrationCheck(10_000, 0.9, 0.9, 5000, 0.01 + LESS_CALIBRATED + 0.001, 0.01, 0.01)
    assert [each.is_drifted for each in overconfident.checks()] == [False, True]


def test_a_model_that_is_not_calibrated_cannot_tell() -> None:
    found = CalibrationCheck(100, 0.2, None, 0, 0.5, 0.1, None).checks()
    assert [each.bound for each in found] == [None, None]
    assert not any(each.is_drifted for each in found)

"""Measures of probabilities: by hand, against scikit-learn, and added up batch by batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.core.calibration import BINS, reliability
from sklearn.metrics import log_loss

rows = st.lists(
    st.tuples(st.lists(st.floats(0.01, 1), min_size=3, max_size=3), st.integers(0, 2)), min_size=1, max_size=30
)


def arrays(some: list[tuple[list[float], int]]) -> tuple[Any, Any]:
    probabilities = np.array([row for row, _ in some])
    return probabilities / probabilities.sum(axis=1, keepdims=True), np.array([own for _, own in some])


@given(rows)
def test_the_measures_are_those_of_their_definitions(some: list[tuple[list[float], int]]) -> None:
    probabilities, own = arrays(some)
    found = reliability(np.log(probabilities), own)
    assert found.documents == len(some)
    assert found.log_loss == pytest.approx(log_loss(own, probabilities, labels=[0, 1, 2]))
    assert found.brier == pytest.approx(((probabilities - np.eye(3)[own]) ** 2).sum(axis=1).mean())
    assert found.accuracy == np.mean(probabilities.argmax(axis=1) == own)
    assert 0 <= found.expected_calibration_error <= 1


@given(rows, st.integers(0, 30))
def test_batches_add_up_to_the_whole(some: list[tuple[list[float], int]], at: int) -> None:
    probabilities, own = arrays(some)
    at = min(at, len(some))
    whole = reliability(np.log(probabilities), own)
    parts = reliability(np.log(probabilities[:at]), own[:at]) + reliability(np.log(probabilities[at:]), own[at:])
    assert parts.sizes.tolist() == whole.sizes.tolist()
    assert parts.to_dict() == pytest.approx(whole.to_dict())


def test_the_calibration_error_is_that_of_bins() -> None:
    confidence = np.array([0.9] * 10 + [0.6] * 10)
    own = np.array([0] * 9 + [1] + [0] * 6 + [1] * 4)
    logs = np.log(np.column_stack([confidence, 1 - confidence]))
    assert reliability(logs, own).expected_calibration_error == pytest.approx(0, abs=1e-12)
    assert reliability(logs, np.zeros(20, int)).expected_calibration_error == pytest.approx((0.1 + 0.4) / 2)


def test_a_class_that_is_not_known_and_certainty_that_is_wrong() -> None:
    found = reliability(np.log([[0.5, 0.5]]), np.array([-1]))
    assert (found.accuracy, found.brier, found.log_loss) == (0.0, 1.5, np.inf)
    assert found.to_dict()["log_loss"] is None
    with np.errstate(divide="ignore"):
        sure = reliability(np.log([[1.0, 0.0]]), np.array([0]))
    assert (sure.brier, sure.log_loss, sure.sizes[BINS - 1]) == (0.0, 0.0, 1)

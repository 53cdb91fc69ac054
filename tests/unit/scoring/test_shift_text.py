"""Bounds of shift: what is warned of, and what is not."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from likely.core.shift import MORE_UNKNOWN, OTHER_SHARES, Shift, overconfidence


def shift(**changed: Any) -> Shift:
    values: dict[str, Any] = {
        "documents": 100,
        "terms": 1000,
        "unknown": 0.05,
        "usual": 0.04,
        "labels": ["ham", "spam"],
        "shares": np.array([0.8, 0.2]),
        "expected": np.array([0.87, 0.13]),
        "significant": True,
    }
    return Shift(**(values | changed))


def test_like_the_training_data() -> None:
    found = shift()
    assert found.warning is None
    assert found.distance == pytest.approx(0.07)
    assert str(found) == (
        "5.0% of the terms are unknown (4.0% would be usual); estimated shares of the classes: "
        "spam 20% (expected 13%), ham 80% (expected 87%)"
    )


def test_unknown_terms_are_warned_of_past_the_bound() -> None:
    assert shift(unknown=0.04 + MORE_UNKNOWN - 0.001).warning is None
    warning = shift(unknown=0.04 + MORE_UNKNOWN + 0.001).warning
    assert warning is not None
    assert warning.startswith("14% of the terms are unknown (4% would be usual)")
    assert "Train on texts of this kind" in warning
    assert shift(unknown=0.6, usual=0.4, terms=10).warning is None, "of ten terms, six may be unknown by chance"
    assert shift(unknown=0.9, usual=None).warning is None


def test_shares_are_warned_of_past_the_bound() -> None:
    far = np.array([0.87 - OTHER_SHARES - 0.01, 0.13 + OTHER_SHARES + 0.01])
    warning = shift(shares=far).warning
    assert warning is not None
    assert "ham 56% (expected 87%)" in warning
    assert "--prior" in warning
    assert shift(shares=far, significant=False).warning is None
    assert "unknown" in str(shift(shares=far, unknown=0.5).warning), "shares mean little if the words are unknown"


def test_many_classes_are_named_by_their_differences() -> None:
    expected = np.full(100, 0.01)
    shares = np.array([0.505, *[0.005] * 99])
    found = str(shift(labels=list(range(100)), shares=shares, expected=expected).warning)
    assert "expected: 0 50% (expected 1%)" in found
    assert "and 95 more" in found


def test_plain_data_and_labels_that_cannot_control_a_terminal() -> None:
    assert json.loads(json.dumps(shift().to_dict()))["unknown"] == 0.05
    nothing = shift(documents=0, terms=0, unknown=None, shares=None)
    assert (str(nothing), nothing.warning, nothing.distance) == ("the texts have no terms", None, None)
    assert json.loads(json.dumps(nothing.to_dict()))["shares"] is None
    assert "\x1b" not in str(shift(labels=["\x1b[31m", "b"]))


def test_overconfidence_needs_enough_documents() -> None:
    assert overconfidence(0.82, 0.5, 1000) is not None
    assert overconfidence(0.82, 0.5, 10) is None
    assert overconfidence(0.85, 0.8, 100_000) is None
    assert overconfidence(1.0, 0.5, 3) is not None

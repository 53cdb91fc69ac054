"""Checks of drift: their bounds, what cannot be judged, and plain data."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from likely.core.shift import MORE_UNKNOWN, Shift
from likely.evaluation.drift import (
    MOVED_TERMS,
    OTHER_ESTIMATED_SHARES,
    OTHER_GOLD_SHARES,
    Check,
    Drift,
    GoldAccuracy,
    MovedTerms,
)
from likely.evaluation.intervals import Interval

SHIFT = Shift(1000, 9000, 0.1, 0.08, ["a", "b"], np.array([0.6, 0.4]), np.array([0.55, 0.45]), True)
DRIFT = Drift(SHIFT, [Interval(0.5, 0.7), Interval(0.3, 0.5)], MovedTerms(1000, 500, 3, []))


def check(drift: Drift, name: str) -> Check:
    return next(each for each in drift.checks if each.name == name)


def test_nothing_has_moved() -> None:
    assert not DRIFT.is_drifted
    assert [each.name for each in DRIFT.checks] == ["unknown terms", "class shares", "moved terms"]
    assert "no drift" in str(DRIFT)


@pytest.mark.parametrize(("more", "drifted"), [(MORE_UNKNOWN - 0.001, False), (MORE_UNKNOWN + 0.001, True)])
def test_unknown_terms(more: float, drifted: bool) -> None:
    found = replace(DRIFT, shift=replace(SHIFT, unknown=0.08 + more))
    assert check(found, "unknown terms").is_drifted is drifted
    assert found.is_drifted is drifted


@pytest.mark.parametrize("beyond", [-0.001, 0.001])
def test_class_shares(beyond: float) -> None:
    far = 0.55 - OTHER_ESTIMATED_SHARES - beyond
    estimated = replace(SHIFT, shares=np.array([far, 1 - far]))
    assert replace(DRIFT, shift=estimated).is_drifted is (beyond > 0)
    assert not replace(DRIFT, shift=replace(estimated, significant=False)).is_drifted
    raw = replace(DRIFT, shift=replace(estimated, is_calibrated=False))
    assert check(raw, "class shares").bound is None
    assert "not calibrated" in check(raw, "class shares").note
    gold = 0.55 - OTHER_GOLD_SHARES - beyond
    assert replace(DRIFT, gold_shares=np.array([gold, 1 - gold])).is_drifted is (beyond > 0)


def test_labels_that_the_model_does_not_know_are_drift() -> None:
    strange = replace(DRIFT, gold_shares=np.array([0.45, 0.4]))
    assert strange.is_drifted
    assert "15.0% of the labels are not classes of the model" in check(strange, "class shares").note
    few = replace(SHIFT, documents=30)
    assert not replace(DRIFT, shift=few, gold_shares=np.array([0.7, 0.3])).is_drifted, "30 documents may be so"


def test_moved_terms() -> None:
    assert not replace(DRIFT, terms=MovedTerms(1000, 1000, int(1000 * MOVED_TERMS), [])).is_drifted
    assert replace(DRIFT, terms=MovedTerms(1000, 1000, int(1000 * MOVED_TERMS) + 1, [])).is_drifted
    assert not replace(DRIFT, terms=MovedTerms(1000, 20, 4, [])).is_drifted, "four terms may be one phrase"
    assert replace(DRIFT, terms=MovedTerms(1000, 20, 5, [])).is_drifted
    assert check(replace(DRIFT, terms=None), "moved terms").found is None
    assert check(replace(DRIFT, terms=MovedTerms(3, 0, 0, [])), "moved terms").bound is None


@pytest.mark.parametrize("name", ["unknown terms", "moved terms"])
def test_a_bound_that_nothing_can_exceed_is_not_a_bound(name: str) -> None:
    few = replace(SHIFT, documents=30, terms=2, unknown=1.0, usual=0.6)
    found = replace(DRIFT, shift=few, terms=MovedTerms(1000, 3, 3, []))
    assert check(found, name).bound is None
    assert "not judged" in check(found, name).note
    assert not found.is_drifted


def test_plain_data() -> None:
    found = replace(DRIFT, accuracy=GoldAccuracy(1000, 0.7, 0.9, 5000), gold_shares=np.array([0.5, 0.5]))
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert document["is_drifted"]
    assert document["classes"][0]["interval"] == {"low": 0.5, "high": 0.7}
    assert document["checks"][-1]["name"] == "accuracy"
    assert document["accuracy"]["expected"] == 0.9
    assert document["terms"]["share"] == 0.006

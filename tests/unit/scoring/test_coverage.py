"""Coverage: how many texts are answered, and how many answers are right, at each threshold."""

from __future__ import annotations

import json
from dataclasses import astuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.core.calibration import STEPS, Coverage, coverage_at, coverage_curve


@given(st.lists(st.tuples(st.sampled_from([0.5, 0.6, 0.75, 0.9, 1.0]), st.booleans()), min_size=1, max_size=30))
def test_a_curve_is_what_it_says(rows: list[tuple[float, bool]]) -> None:
    confidence, right = np.array([a for a, _ in rows]), np.array([b for _, b in rows])
    curve = coverage_curve(confidence, right)
    assert curve[-1].coverage == 1.0
    assert [row.coverage for row in curve] == sorted({row.coverage for row in curve})
    for row in curve:
        answered = [ok for sure, ok in rows if sure >= row.threshold]
        assert row.coverage == pytest.approx(len(answered) / len(rows))
        assert row.accuracy == pytest.approx(sum(answered) / len(answered))
    assert coverage_at(confidence, right, [row.threshold for row in curve]) == curve


def test_above_every_probability_nothing_is_answered() -> None:
    found = coverage_at(np.array([0.6, 0.9]), np.array([True, False]), [0.95, 0.9, 0.0])
    assert found == [Coverage(0.95, 0.0, None), Coverage(0.9, 0.5, 0.0), Coverage(0.0, 1.0, 0.5)]


def test_all_texts_are_all_texts_with_any_weights() -> None:
    rng = np.random.default_rng(1)
    for number in range(8, 200):
        weights = rng.choice([0.1, 0.3, 0.5, 1.0, 3.0], number)
        curve = coverage_curve(rng.random(number), rng.random(number) < 0.5, weights)
        assert curve[-1].coverage == 1.0 == max(row.coverage for row in curve)


def test_a_curve_is_short_and_comes_back_from_json() -> None:
    rng = np.random.default_rng(5)
    curve = coverage_curve(rng.random(5000), rng.random(5000) < 0.5)
    assert len(curve) == STEPS
    assert [row.threshold for row in curve] == sorted((row.threshold for row in curve), reverse=True)
    stored = json.loads(json.dumps([astuple(row) for row in curve]))
    assert [Coverage(*row) for row in stored] == curve

"""Learning curves: points, forecasts with intervals, and honesty about too little data."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from likely.evaluation.learning_curve import LearningCurve, dispersion
from likely.evaluation.power_law import PowerLaw

LAW = PowerLaw(0.05, 2.0, 0.5)


def curve(
    law: PowerLaw = LAW, halvings: int = 7, judged: int = 8000, seed: int = 0, of: int = 10_000
) -> LearningCurve:
    """A curve whose documents are wrong with the probability of the law: the same hard ones at all sizes."""
    sizes = 10_000.0 / 2 ** np.arange(halvings - 1, -1, -1)
    hardness = np.random.default_rng(seed).random(judged)
    right = np.array([hardness > law.error(size) for size in sizes])
    return LearningCurve(sizes, right, np.ones(judged), of, "leave-one-out")


def test_points() -> None:
    found = curve()
    assert [point.documents for point in found.points] == [156, 312, 625, 1250, 2500, 5000, 10_000]
    for point in found.points:
        assert point.accuracy == pytest.approx(1 - LAW.error(point.documents), abs=0.02)
        assert point.interval.low < point.accuracy < point.interval.high


def test_intervals_of_forecasts_contain_the_truth() -> None:
    accuracy, documents = 1 - LAW.error(20_000), LAW.documents(LAW.error(10_000) - 0.01)
    held = np.zeros(2)
    for seed in range(20):
        found = curve(seed=seed)
        doubled, more = found.doubled, found.documents_for_one_point
        assert doubled is not None
        assert more is not None
        assert doubled.value == pytest.approx(accuracy, abs=0.012)
        assert doubled.interval.high - doubled.interval.low < 0.03
        held += [
            doubled.interval.low < accuracy < doubled.interval.high,
            more.interval.low < documents < more.interval.high,
        ]
    assert held.min() >= 17


def test_models_that_differ_much_have_wider_intervals() -> None:
    narrow = curve()
    wide = replace(narrow, dispersion=4.0)
    assert narrow.doubled is not None
    assert wide.doubled is not None
    assert wide.doubled.value == narrow.doubled.value
    first, second = narrow.points[-1].interval, wide.points[-1].interval
    assert second.high - second.low == pytest.approx(2 * (first.high - first.low), rel=0.2)


def test_dispersion_of_independent_documents_is_about_one() -> None:
    generator = np.random.default_rng(1)
    same = [[generator.random(100) < 0.8 for _ in range(64)] for _ in range(3)]
    assert dispersion(same) < 1.4
    other = [[generator.random(100) < generator.uniform(0.7, 0.9) for _ in range(64)]]
    assert dispersion(other) > 2
    assert dispersion([[np.ones(10, np.bool_)] * 5, [np.zeros(5, np.bool_)]]) == 1.0


def test_a_flat_curve() -> None:
    found = curve(PowerLaw(0.2, 1.0, 1.0))
    assert found.is_flat
    assert found.advice.startswith("The curve is flat")
    assert found.to_dict()["documents_for_one_point"] == {
        "value": None,
        "interval": found.to_dict()["documents_for_one_point"]["interval"],  # type: ignore[index]
    }
    assert not curve().is_flat


def test_too_few_sizes() -> None:
    found = curve(halvings=3)
    assert found.law is None
    assert found.doubled is None
    assert found.is_flat is None
    assert "too few documents" in found.advice
    assert "too few documents" in str(found)


def test_a_sample_of_more_documents() -> None:
    found = curve(of=100_000)
    assert found.now is not None
    assert found.now.value == pytest.approx(1 - LAW.error(100_000), abs=0.015)
    assert found.now.value > found.points[-1].accuracy
    assert "Doubling to 200,000 documents" in found.advice


def test_weights_of_documents() -> None:
    one = curve()
    worth = np.where(one.right[-1], 2.0, 1.0)
    heavy = LearningCurve(one.sizes, one.right, worth, one.of, one.way)
    assert heavy.points[-1].accuracy == pytest.approx(2 * 0.93 / (2 * 0.93 + 0.07), abs=0.01)


def test_plain_data() -> None:
    document = json.loads(json.dumps(curve().to_dict(), allow_nan=False))
    assert document["law"]["floor"] == pytest.approx(0.05, abs=0.03)
    assert document["points"][0]["interval"]["low"] < document["points"][0]["accuracy"]
    assert document["judged"] == 8000
    assert json.dumps(curve().to_dict()) == json.dumps(curve().to_dict())

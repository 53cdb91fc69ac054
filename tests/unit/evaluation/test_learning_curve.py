"""Learning curves: points with intervals, the gain of the last step, and a text within 80 columns."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from likely.evaluation.curve import LearningCurve, dispersion


def error(documents: float, floor: float = 0.05) -> float:
    return float(floor + 2.0 * documents**-0.5)


def curve(floor: float = 0.05, halvings: int = 7, judged: int = 8000, **options: object) -> LearningCurve:
    """A curve whose documents are wrong with a probability that falls: the same hard ones at all sizes."""
    sizes = 10_000.0 / 2 ** np.arange(halvings - 1, -1, -1)
    hardness = np.random.default_rng(0).random(judged)
    right = np.array([hardness > error(size, floor) for size in sizes])
    return LearningCurve(sizes, right, np.ones(judged), 10_000, dict(options), bool(options))


def test_points() -> None:
    found = curve()
    assert [point.documents for point in found.points] == [156, 312, 625, 1250, 2500, 5000, 10_000]
    for point in found.points:
        assert point.accuracy == pytest.approx(1 - error(point.documents), abs=0.02)
        assert point.interval.low < point.accuracy < point.interval.high


def test_the_gain_of_the_last_step() -> None:
    found = curve()
    assert found.gain is not None
    assert found.gain.value == pytest.approx(found.points[-1].accuracy - found.points[-2].accuracy)
    assert 0 < found.gain.interval.low < found.gain.value < found.gain.interval.high
    assert found.advice.startswith("From 5,000 to 10,000 documents, the accuracy changed by +1.1 points (")
    assert found.advice.endswith("would probably help.")
    flat = replace(found, right=np.repeat(found.right[-1:], 7, axis=0))
    assert flat.advice.endswith("More documents of this kind would hardly help.")
    right = flat.right[:, :200].copy()
    right[-2, :10], right[-1, :10] = [False, True] * 5, [True, False] * 5
    few = LearningCurve(found.sizes, right, np.ones(200), 10_000, {}, False)
    assert few.advice.endswith("too few to say whether more would help.")


def test_models_that_differ_much_have_wider_intervals() -> None:
    narrow = curve()
    wide = replace(narrow, dispersion=4.0)
    first, second = narrow.points[-1].interval, wide.points[-1].interval
    assert second.high - second.low == pytest.approx(2 * (first.high - first.low), rel=0.2)


def test_dispersion_of_independent_documents_is_about_one() -> None:
    generator = np.random.default_rng(1)
    same = [[generator.random(100) < 0.8 for _ in range(64)] for _ in range(3)]
    assert dispersion(same) < 1.4
    other = [[generator.random(100) < generator.uniform(0.7, 0.9) for _ in range(64)]]
    assert dispersion(other) > 2
    assert dispersion([[np.ones(10, np.bool_)] * 5, [np.zeros(5, np.bool_)]]) == 1.0


def test_one_size() -> None:
    found = curve(halvings=1)
    assert found.gain is None
    assert found.to_dict()["gain"] is None
    assert "too few documents" in str(found)


def test_weights_of_documents() -> None:
    one = curve()
    worth = np.where(one.right[-1], 2.0, 1.0)
    heavy = LearningCurve(one.sizes, one.right, worth, one.of)
    assert heavy.points[-1].accuracy == pytest.approx(2 * 0.93 / (2 * 0.93 + 0.07), abs=0.01)


def test_plain_data() -> None:
    document = json.loads(json.dumps(curve().to_dict(), allow_nan=False))
    assert document["points"][0]["interval"]["low"] < document["points"][0]["accuracy"]
    assert document["gain"]["interval"]["low"] < document["gain"]["value"]
    assert document["judged"] == 8000
    assert json.dumps(curve().to_dict()) == json.dumps(curve().to_dict())


def test_what_it_says() -> None:
    shown = str(curve(variant="binary", stem="\x1bx" * 60))
    assert "The options were chosen once, on all documents:" in shown
    assert "10,000    93." in shown
    assert "\x1b" not in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_a_perfect_classifier() -> None:
    assert "100%" in str(curve(floor=-9.0))

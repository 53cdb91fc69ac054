"""Bands of confidence, from the bins of an evaluation and from the curve of a calibration."""

from __future__ import annotations

import numpy as np
import pytest
from likely.core.calibration import (
    ENOUGH,
    Band,
    Reliability,
    band_of_curve,
    bands_of,
    coverage_curve,
    nearest_band,
    reliability,
    share_interval,
)


def seen(confidence: float, right: int, wrong: int) -> Reliability:
    logs = np.log([[confidence, 1 - confidence]] * (right + wrong))
    return reliability(logs, np.array([0] * right + [1] * wrong))


def test_the_interval_is_where_the_score_test_does_not_refuse() -> None:
    low, high = share_interval(45, 60)
    for end in (low, high):  # the definition: the share lies two deviations from the end
        assert abs(0.75 - end) == pytest.approx(1.959964 * (end * (1 - end) / 60) ** 0.5)
    assert share_interval(0, 10)[0] == 0.0
    assert share_interval(10, 10)[1] == pytest.approx(1.0)


def test_the_nearest_band_with_enough_documents() -> None:
    found = seen(0.9, ENOUGH - 2, 1) + seen(0.75, 70, 30) + seen(0.55, 500, 400)
    band = nearest_band(bands_of(found))
    assert band is not None
    assert (band.said, band.right, band.documents) == pytest.approx((0.75, 0.7, 100))


def test_without_enough_documents_the_largest_band() -> None:
    band = nearest_band(bands_of(seen(0.9, 3, 0) + seen(0.6, 4, 4)))
    assert band is not None
    assert (band.said, band.documents) == pytest.approx((0.6, 8))


def test_the_curve_gives_about_the_band_of_the_documents() -> None:
    generator = np.random.default_rng(0)
    confidence = generator.uniform(0.5, 1.0, 5_000)
    right = generator.uniform(size=5_000) < confidence
    logs = np.log(np.stack([confidence, 1 - confidence], axis=1))
    exact = nearest_band(bands_of(reliability(logs, np.where(right, 0, 1))))
    about = band_of_curve(coverage_curve(confidence, right), 5_000)
    assert exact is not None
    assert about is not None
    assert about.said == pytest.approx(exact.said, abs=0.01)
    assert about.right == pytest.approx(exact.right, abs=0.02)
    assert about.documents == pytest.approx(exact.documents, rel=0.1)


def test_what_does_not_matter_is_not_called_too_sure() -> None:
    assert Band(0.9, 0.7, 100).is_too_sure
    assert not Band(0.9, 0.7, 5).is_too_sure  # may be chance
    assert not Band(0.9, 0.89, 10**6).is_too_sure  # certain, but small
    assert Band(0.6, 0.8, 100).is_too_modest
    assert not Band(0.9, 0.9, 100).is_too_modest

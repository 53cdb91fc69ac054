"""Bands of confidence: documents of which a model is about equally sure, and how often it is right about them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from likely.evaluation.reliability import BINS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.evaluation.coverage import Coverage
    from likely.evaluation.reliability import Reliability
    from likely.types import Array

ENOUGH = 30
"""A band with fewer documents says little about how often the model is right."""
ASKED = 0.9
"""The confidence that people ask about."""
DEVIATIONS = 1.959964
"""The standard deviations on each side of a normal interval of 95 %."""
NOTICEABLE = 0.01
"""A difference between confidence and accuracy that is smaller does not matter to people, even if it is certain."""


@dataclass(frozen=True)
class Band:
    """Documents whose most probable classes have about the same probability.

    Attributes
    ----------
    said : float
        The mean probability of their most probable classes.
    right : float
        The share of them whose most probable class is the gold label.
    documents : float
        Their number, or their weight.

    Examples
    --------
    >>> band = Band(said=0.9, right=0.7, documents=200)
    >>> [round(end, 3) for end in band.interval], band.is_too_sure
    ([0.633, 0.759], True)
    """

    said: float
    right: float
    documents: float

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the share that is right (Wilson's)."""
        return share_interval(self.right * self.documents, self.documents)

    @property
    def is_too_sure(self) -> bool:
        """Whether the model is right clearly less often than it says."""
        return self.documents >= ENOUGH and self.said - NOTICEABLE > self.interval[1]

    @property
    def is_too_modest(self) -> bool:
        """Whether the model is right clearly more often than it says."""
        return self.documents >= ENOUGH and self.said + NOTICEABLE < self.interval[0]


def share_interval(part: float, whole: float, deviations: float = DEVIATIONS) -> tuple[float, float]:
    """The interval of the share part / whole: from where a sample with this share would not surprise.

    The score interval of Wilson (*Probable Inference, the Law of Succession, and Statistical Inference*, 1927), which
    is also good for small samples and for shares near 0 and 1.

    Examples
    --------
    >>> [round(end, 3) for end in share_interval(90, 100)], [round(end, 3) for end in share_interval(5, 5)]
    ([0.826, 0.945], [0.566, 1.0])
    """
    share, penalty = part / whole, deviations**2 / whole
    middle = share + penalty / 2
    half = math.sqrt(penalty * (share * (1 - share) + penalty / 4))
    return max((middle - half) / (1 + penalty), 0.0), min((middle + half) / (1 + penalty), 1.0)


def band_near(reliability: Reliability, asked: float = ASKED) -> Band | None:
    """The band whose confidence is nearest to the one asked for, among those with enough documents.

    If none has enough, it is the one with most documents; None if there are no documents.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.evaluation.reliability import reliability
    >>> found = reliability(np.log([[0.9, 0.1]] * 40 + [[0.6, 0.4]] * 50), np.array([0] * 36 + [1] * 54))
    >>> band = band_near(found)
    >>> round(band.said, 2), round(band.right, 2), band.documents
    (0.9, 0.9, 40.0)
    """
    return _nearest(bands_of(reliability), asked)


def bands_of(reliability: Reliability) -> list[Band]:
    """All bands that have documents, the least confident first.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.evaluation.reliability import reliability
    >>> [band.documents for band in bands_of(reliability(np.log([[0.9, 0.1], [0.6, 0.4]]), np.array([0, 0])))]
    [1.0, 1.0]
    """
    return _bands(reliability.sizes, reliability.confidence, reliability.right)


def band_of_curve(curve: Sequence[Coverage], documents: int, asked: float = ASKED) -> Band | None:
    """The same from a coverage curve, the highest threshold first, as a calibrated model remembers it.

    Between two thresholds there are few documents, so all of them count as if they were as sure as the lower one.

    Examples
    --------
    >>> from likely.evaluation.coverage import Coverage
    >>> band_of_curve([Coverage(0.9, 0.4, 0.95), Coverage(0.6, 1.0, 0.75)], 100)
    Band(said=0.9, right=0.95, documents=40.0)
    """
    answered = np.array([row.coverage for row in curve]) * documents
    right = np.array([row.accuracy or 0.0 for row in curve]) * answered
    said = np.array([row.threshold for row in curve])
    sizes, hits = np.diff(answered, prepend=0.0), np.diff(right, prepend=0.0)
    places = np.clip((said * BINS).astype(np.intp), 0, BINS - 1)

    def binned(numbers: Array) -> Array:
        return np.bincount(places, weights=numbers, minlength=BINS).astype(np.float64)

    return _nearest(_bands(binned(sizes), binned(sizes * said), binned(hits)), asked)


def curve_at(curve: Sequence[Coverage], thresholds: Sequence[float]) -> list[Coverage]:
    """The rows of a coverage curve, the highest threshold first, at other thresholds: each the next one above it.

    Examples
    --------
    >>> from likely.evaluation.coverage import Coverage
    >>> curve_at([Coverage(0.9, 0.4, 0.95), Coverage(0.6, 1.0, 0.75)], [0.5, 0.8, 0.95])[:2]
    [Coverage(threshold=0.5, coverage=1.0, accuracy=0.75), Coverage(threshold=0.8, coverage=0.4, accuracy=0.95)]
    """
    found = []
    for threshold in thresholds:
        above = [row for row in curve if row.threshold >= threshold]
        found += [replace(above[-1], threshold=threshold)] if above else []
    return found


def _bands(sizes: Array, confidence: Array, right: Array) -> list[Band]:
    return [
        Band(float(sure / size), float(np.clip(hits / size, 0.0, 1.0)), float(size))
        for size, sure, hits in zip(sizes, confidence, right, strict=True)
        if size > 0
    ]


def _nearest(bands: list[Band], asked: float) -> Band | None:
    large = [band for band in bands if band.documents >= ENOUGH]
    if large:
        return min(large, key=lambda band: abs(band.said - asked))
    return max(bands, key=lambda band: band.documents, default=None)

"""Coverage curves: the share of texts that is answered, and the accuracy of these answers, at each threshold."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from likely.types import Array, Mask

SHOWN = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
"""The thresholds of the table that people see."""
STEPS = 100
"""The number of thresholds that a calibrated model remembers, so that a precision can be asked of it."""


@dataclass(frozen=True)
class Coverage:
    """What happens if only texts whose best class is at least this probable are answered.

    Attributes
    ----------
    threshold : float
        The lowest probability of the best class at which a text is answered.
    coverage : float
        The share of the texts that are answered.
    accuracy : float or None
        The share of these answers that are right; None if no text is answered.
    """

    threshold: float
    coverage: float
    accuracy: float | None


def coverage_at(
    confidence: Array, right: Mask, thresholds: Sequence[float], times: Array | None = None
) -> list[Coverage]:
    """One `Coverage` per threshold.

    Parameters
    ----------
    confidence, right : array
        One element per text: the probability of its best class, and whether that class is the gold label.
    thresholds : sequence of float
        The thresholds, in the order of the result.
    times : array, optional
        The weight of each text. Default: 1.

    Examples
    --------
    >>> import numpy as np
    >>> coverage_at(np.array([0.9, 0.6]), np.array([True, False]), [0.0, 0.8])
    [Coverage(threshold=0.0, coverage=1.0, accuracy=0.5), Coverage(threshold=0.8, coverage=0.5, accuracy=1.0)]
    """
    weights = np.ones(len(confidence)) if times is None else times
    steps = np.unique(np.asarray(thresholds, np.float64))
    reached = np.searchsorted(steps, confidence, side="right")  # the number of thresholds that a text reaches

    def at_or_above(numbers: Array) -> Array:
        sums = np.bincount(reached, weights=numbers, minlength=len(steps) + 1).astype(np.float64)
        return np.cumsum(sums[::-1])[::-1][1:]

    answered, hits, total = at_or_above(weights), at_or_above(weights * right), float(weights.sum())
    places = np.searchsorted(steps, thresholds).tolist()
    return [
        Coverage(
            float(threshold), float(answered[at]) / total, float(hits[at] / answered[at]) if answered[at] else None
        )
        for threshold, at in zip(thresholds, places, strict=True)
    ]


def coverage_curve(confidence: Array, right: Mask, times: Array | None = None) -> list[Coverage]:
    """At most `STEPS` rows of coverage, the highest threshold first, with equally many texts between two of them."""
    shares = np.arange(1, STEPS + 1) / STEPS
    thresholds = np.quantile(confidence, 1 - shares, method="lower")
    return coverage_at(confidence, right, np.unique(thresholds)[::-1].tolist(), times)


def curve_from(rows: Iterable[Sequence[float]]) -> list[Coverage]:
    """A curve from plain data, as `plain_curve` wrote it."""
    return [Coverage(*row) for row in rows]


def plain_curve(curve: Sequence[Coverage]) -> list[list[float | None]]:
    """A curve as plain data: threshold, coverage and accuracy of each row."""
    return [list(astuple(row)) for row in curve]

"""Whether probabilities mean what they say: their measures, as sums that can be added up batch by batch."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.types import Array

BINS = 15
"""Into so many bins of equal width confidences are sorted (Guo et al. 2017)."""


@dataclass(frozen=True, eq=False)
class Reliability:
    """How far the probabilities of some documents are from what came true.

    Examples
    --------
    >>> import numpy as np
    >>> sure, unsure = np.log([[0.8, 0.2]]), np.log([[0.5, 0.5]])
    >>> both = reliability(sure, np.array([0])) + reliability(unsure, np.array([1]))
    >>> both.documents, round(both.expected_calibration_error, 3), round(both.brier, 3)
    (2, 0.35, 0.29)
    """

    sizes: npt.NDArray[np.int64]
    """By bin of confidence: how many documents."""
    confidence: Array
    """The sum of their highest probabilities."""
    right: npt.NDArray[np.int64]
    """How many of them were right."""
    squares: float
    """The sum of the squares of what the probabilities are off, over all classes."""
    surprise: float
    """The sum of -log of the probability of the right class."""

    def __add__(self, other: Reliability) -> Reliability:
        pairs = ((getattr(self, each.name), getattr(other, each.name)) for each in fields(self))
        return Reliability(*(mine + theirs for mine, theirs in pairs))

    @property
    def documents(self) -> int:
        """How many documents there were."""
        return int(self.sizes.sum())

    @property
    def accuracy(self) -> float:
        """The share of documents whose most probable class is the right one."""
        return float(self.right.sum() / self.documents)

    @property
    def expected_calibration_error(self) -> float:
        """By how much confidence and accuracy differ, the mean over bins by their documents (15 bins)."""
        return float(np.abs(self.confidence - self.right).sum() / self.documents)

    @property
    def brier(self) -> float:
        """The mean square of what the probabilities are off, summed over all classes (Brier 1950)."""
        return float(self.squares / self.documents)

    @property
    def log_loss(self) -> float:
        """The mean of -log of the probability of the right class; infinite where one was 0."""
        return float(self.surprise / self.documents)

    def to_dict(self) -> dict[str, Any]:
        """The measures as plain data."""
        log_loss = self.log_loss if np.isfinite(self.log_loss) else None
        return {
            "expected_calibration_error": self.expected_calibration_error,
            "brier": self.brier,
            "log_loss": log_loss,
        }


def reliability(log_probabilities: Array, own: npt.NDArray[Any]) -> Reliability:
    """The measures of some documents: a row a document, a column a class; ``own`` the right class, or -1 for another.

    Examples
    --------
    >>> import numpy as np
    >>> reliability(np.log([[0.25, 0.75], [0.25, 0.75]]), np.array([1, 0])).log_loss.__round__(4)
    0.837
    """
    probabilities = np.exp(log_probabilities)
    confidence, guess = probabilities.max(axis=1), probabilities.argmax(axis=1)
    bins = np.clip((confidence * BINS).astype(np.intp), 0, BINS - 1)
    known = own >= 0
    of_own = np.where(known, log_probabilities[np.arange(len(own)), own], -np.inf)
    squares = (probabilities**2).sum(axis=1) - 2 * np.exp(of_own) + 1
    return Reliability(
        np.bincount(bins, minlength=BINS),
        np.bincount(bins, weights=confidence, minlength=BINS).astype(np.float64),
        np.bincount(bins[guess == own], minlength=BINS),
        float(squares.sum()),
        float(-of_own.sum()),
    )

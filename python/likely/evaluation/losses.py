"""`Losses`: what the probabilities of documents cost, grouped, so that intervals can be drawn from any number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely.evaluation.grouped import GROUPS, Grouped, grouped
from likely.evaluation.reliability import BINS, confidence_bins

if TYPE_CHECKING:
    from likely.evaluation.reliability import DocumentScores
    from likely.types import Array

_PER_LOG = 32
"""The groups per unit of log(1 + surprise), so that the last of them begins at a surprise of about 2,900."""


@dataclass(frozen=True, eq=False)
class Losses:
    """The losses of documents in groups of similar ones.

    Attributes
    ----------
    surprise : Grouped
        The -log of the probability of the gold label, those that are infinite left out.
    squares : Grouped
        The squared errors of the probabilities, summed over the classes.
    gap : Grouped
        The probability of the most probable class, minus 1 if that class is the gold label. The groups are the bins
        of the calibration error, each divided into right and wrong predictions.
    """

    surprise: Grouped
    squares: Grouped
    gap: Grouped

    def __add__(self, other: Losses) -> Losses:
        return Losses(self.surprise + other.surprise, self.squares + other.squares, self.gap + other.gap)

    def calibration_errors(self, generator: np.random.Generator, replicates: int) -> Array:
        """The expected calibration error in bootstrap samples of the documents."""
        gaps = self.gap.resampled(generator, replicates).reshape(replicates, BINS, 2).sum(axis=2)
        errors: Array = np.abs(gaps).sum(axis=1) / self.gap.documents
        return errors


def losses(found: DocumentScores) -> Losses:
    """The losses of documents.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.evaluation.reliability import document_scores
    >>> found = losses(document_scores(np.log([[0.8, 0.2], [0.5, 0.5]]), np.array([0, 1])))
    >>> float(found.squares.sums.sum().round(3)), float(found.gap.sums.sum().round(3))
    (0.58, 0.3)
    """
    finite = found.surprise[np.isfinite(found.surprise)]
    of_surprise = np.minimum(np.log1p(np.maximum(finite, 0.0)) * _PER_LOG, GROUPS - 1).astype(np.intp)
    of_squares = np.clip(found.squares * (GROUPS / 2), 0, GROUPS - 1).astype(np.intp)
    return Losses(
        grouped(finite, of_surprise, GROUPS),
        grouped(found.squares, of_squares, GROUPS),
        grouped(found.confidence - found.right, 2 * confidence_bins(found.confidence) + found.right, 2 * BINS),
    )

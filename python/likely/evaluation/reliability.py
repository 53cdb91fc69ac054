"""How far probabilities can be trusted: the measures, as sums over batches of documents."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from likely.types import Array, Mask, Places

BINS = 15
"""The number of bins of equal width for the expected calibration error (Guo et al. 2017)."""


@dataclass(frozen=True, eq=False)
class Reliability:
    """How far the probabilities of some documents are from the gold labels.

    Examples
    --------
    >>> import numpy as np
    >>> sure, unsure = np.log([[0.8, 0.2]]), np.log([[0.5, 0.5]])
    >>> both = reliability(sure, np.array([0])) + reliability(unsure, np.array([1]))
    >>> both.documents, round(both.expected_calibration_error, 3), round(both.brier, 3)
    (2, 0.35, 0.29)
    """

    sizes: Array
    """The weight of the documents per bin of confidence, which is the probability of the best class."""
    confidence: Array
    """The sum of the confidences per bin."""
    right: Array
    """The weight of right predictions per bin."""
    squares: float
    """The sum of the squared errors of the probabilities, over all documents and classes."""
    surprise: float
    """The sum of -log of the probability of the gold label."""

    def __add__(self, other: Reliability) -> Reliability:
        pairs = ((getattr(self, each.name), getattr(other, each.name)) for each in fields(self))
        return Reliability(*(mine + theirs for mine, theirs in pairs))

    @property
    def documents(self) -> int:
        """The number of documents, if each weighs 1."""
        return round(self.weight)

    @property
    def weight(self) -> float:
        """The weight of the documents."""
        return float(self.sizes.sum())

    @property
    def accuracy(self) -> float:
        """The share of the documents whose most probable class is the gold label."""
        return float(self.right.sum() / self.weight)

    @property
    def mean_confidence(self) -> float:
        """The mean probability of the most probable class."""
        return float(self.confidence.sum() / self.weight)

    @property
    def expected_calibration_error(self) -> float:
        """The mean difference between confidence and accuracy over 15 bins, weighted by the size of each bin."""
        return float(np.abs(self.confidence - self.right).sum() / self.weight)

    @property
    def brier(self) -> float:
        """The Brier score: the mean of the squared errors, summed over all classes (Brier 1950)."""
        return float(self.squares / self.weight)

    @property
    def log_loss(self) -> float:
        """The mean of -log of the probability of the gold label; infinite if one of these probabilities is 0."""
        return float(self.surprise / self.weight)

    def to_dict(self) -> dict[str, float | None]:
        """The measures as plain data, ready for JSON."""
        log_loss = self.log_loss if np.isfinite(self.log_loss) else None
        return {
            "expected_calibration_error": self.expected_calibration_error,
            "brier": self.brier,
            "log_loss": log_loss,
        }


def reliability(log_probabilities: Array, gold: Places, times: Array | None = None) -> Reliability:
    """The reliability of the probabilities of some documents.

    Parameters
    ----------
    log_probabilities : array
        One row per document, one column per class.
    gold : array
        The column of the gold label of each document; -1 if it is not one of the classes.
    times : array, optional
        The weight of each document. Default: 1.

    Examples
    --------
    >>> import numpy as np
    >>> reliability(np.log([[0.25, 0.75], [0.25, 0.75]]), np.array([1, 0])).log_loss.__round__(4)
    0.837
    """
    return reliability_of(document_scores(log_probabilities, gold), times)


def reliability_of(found: DocumentScores, times: Array | None = None) -> Reliability:
    """The reliability of the probabilities of documents with these scores; ``times`` is as for `reliability`."""
    bins = confidence_bins(found.confidence)
    weights = np.ones(len(bins)) if times is None else times

    def binned(numbers: Array) -> Array:
        return np.bincount(bins, weights=numbers, minlength=BINS).astype(np.float64)

    return Reliability(
        binned(weights),
        binned(weights * found.confidence),
        binned(weights * found.right),
        float((weights * found.squares).sum()),
        float(found.surprise.sum() if times is None else (weights * found.surprise).sum()),
    )


class DocumentScores(NamedTuple):
    """What the probabilities of each document say about its gold label: one element per document."""

    confidence: Array
    """The probability of the most probable class."""
    right: Mask
    """Whether the most probable class is the gold label."""
    squares: Array
    """The squared errors of the probabilities, summed over all classes."""
    surprise: Array
    """-log of the probability of the gold label; infinite if that is 0, or the label is not one of the classes."""


def document_scores(log_probabilities: Array, gold: Places) -> DocumentScores:
    """The scores of documents with these probabilities and gold labels, as for `reliability`."""
    probabilities = np.exp(log_probabilities)
    every = np.arange(len(gold))
    guess = probabilities.argmax(axis=1)
    of_gold = np.where(gold >= 0, log_probabilities[every, gold], -np.inf)
    squares = np.einsum("ij,ij->i", probabilities, probabilities) - 2 * np.exp(of_gold) + 1
    return DocumentScores(probabilities[every, guess], guess == gold, squares, -of_gold)


def confidence_bins(confidence: Array) -> Places:
    """The bin of each confidence: `BINS` bins of equal width from 0 to 1."""
    return np.clip((confidence * BINS).astype(np.intp), 0, BINS - 1)

"""How far probabilities can be trusted: the measures, as sums over batches of documents."""

from __future__ import annotations

import math
from dataclasses import astuple, dataclass, fields
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from likely.terminal import number, percent, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

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


SHOWN_THRESHOLDS = (0.0, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
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
    >>> from likely.core.reliability import reliability
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
    >>> from likely.core.reliability import reliability
    >>> [band.documents for band in bands_of(reliability(np.log([[0.9, 0.1], [0.6, 0.4]]), np.array([0, 0])))]
    [1.0, 1.0]
    """
    return _bands(reliability.sizes, reliability.confidence, reliability.right)


def band_of_curve(curve: Sequence[Coverage], documents: int, asked: float = ASKED) -> Band | None:
    """The same from a coverage curve, the highest threshold first, as a calibrated model remembers it.

    Between two thresholds there are few documents, so all of them count as if they were as sure as the lower one.

    Examples
    --------
    >>> from likely.core.reliability import Coverage
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


MEASURES = {
    "expected_calibration_error": "expected calibration error",
    "brier": "Brier score",
    "log_loss": "log-loss",
}


COVERAGE = ["threshold", "answered", "accuracy of answered"]
"""The columns of a table of what is answered."""


def calibration_sentence(reliability: Reliability) -> str:
    """How often a model is right when it is rather sure, as one sentence; '' without documents.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.core.reliability import reliability
    >>> calibration_sentence(reliability(np.log([[0.9, 0.1]] * 1000), np.array([0] * 905 + [1] * 95)))
    'When it says 90 %, it is right 89 to 92 times in 100.'
    """
    return band_sentence(band_near(reliability))


def band_sentence(band: Band | None) -> str:
    """How often a model is right in a band, as one sentence; '' without a band."""
    if band is None:
        return ""
    low, high = (f"{100 * end:.0f}" for end in band.interval)
    times = low if low == high else f"{low} to {high}"
    verdict = ": it is too sure" if band.is_too_sure else ": it could be surer" if band.is_too_modest else ""
    said = percent(band.said, 0 if band.said < 0.995 else 1)
    return f"When it says {said}, it is right {times} times in 100{verdict}."


def coverage_text(rows: list[Coverage]) -> str:
    """A table of what is answered, and how often that is right, if less probable classes are not answered.

    A threshold below which no text lies is left out, except for the first.

    Examples
    --------
    >>> from likely.core.reliability import Coverage
    >>> print(coverage_text([Coverage(0.0, 1.0, 0.8), Coverage(0.5, 1.0, 0.8), Coverage(0.9, 0.5, 0.95)]))
    threshold  answered  accuracy of answered
    0             100 %                   0.8
    0.9          50.0 %                  0.95
    """
    return table([COVERAGE, *coverage_rows(rows)])


def coverage_rows(rows: list[Coverage]) -> list[list[str]]:
    """The rows of this table."""
    shown = [row for at, row in enumerate(rows) if not at or row.coverage != rows[at - 1].coverage]
    return [[f"{row.threshold:g}", percent(row.coverage), number(row.accuracy)] for row in shown]

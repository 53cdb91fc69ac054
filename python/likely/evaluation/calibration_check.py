"""`CalibrationCheck`: whether probabilities and accuracy are still what they were when a model was trained."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely.evaluation.drift import LESS_ACCURATE, RARELY, REPLICATES, Check
from likely.evaluation.intervals import SEED
from likely.evaluation.shift import DEVIATIONS

if TYPE_CHECKING:
    from likely.evaluation.reliability import Reliability

LESS_CALIBRATED = 0.05
"""Drift if the expected calibration error is more than this above that of the training data."""


@dataclass(frozen=True)
class CalibrationCheck:
    """The accuracy and the calibration of labelled texts, beside what is expected.

    Attributes
    ----------
    documents : int
        The number of documents.
    accuracy : float
        The share of the documents whose prediction is the gold label.
    expected_accuracy : float or None
        The accuracy of the model on learned documents, each judged by a model without it; None if it is not known.
    judged : int
        The number of documents that the expected accuracy was measured on.
    error : float
        The expected calibration error.
    by_chance : float
        The error that calibrated probabilities would exceed once in a thousand times in this many documents.
    usual_error : float or None
        The error on learned documents, each judged by a model without it; None if the model is not calibrated.
    """

    documents: int
    accuracy: float
    expected_accuracy: float | None
    judged: int
    error: float
    by_chance: float
    usual_error: float | None

    def checks(self) -> list[Check]:
        """The checks of accuracy and calibration."""
        return [self._accuracy(), self._calibration()]

    def _accuracy(self) -> Check:
        expected = self.expected_accuracy
        if expected is None:
            return Check("accuracy", self.accuracy, None, None, False, "not judged: the model does not know its own")
        variance = expected * (1 - expected) * (1 / self.documents + 1 / max(self.judged, 1))
        bound = expected - max(LESS_ACCURATE, DEVIATIONS * math.sqrt(variance))
        return Check("accuracy", self.accuracy, expected, bound, self.accuracy < bound, "of the gold labels")

    def _calibration(self) -> Check:
        name, note = "calibration error", "mean distance of confidence and accuracy"
        if self.usual_error is None:
            return Check(name, self.error, None, None, False, "not judged: the model is not calibrated")
        bound = max(self.by_chance, self.usual_error + LESS_CALIBRATED)
        return Check(name, self.error, self.usual_error, bound, self.error > bound, note)

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data."""
        return asdict(self)


def error_by_chance(measured: Reliability, replicates: int = REPLICATES, seed: int = SEED) -> float:
    """The expected calibration error that perfectly calibrated probabilities exceed once in a thousand times.

    In each bin of confidence, as many answers are right as a binomial variable says, whose probability is the mean
    confidence of the bin.

    Examples
    --------
    >>> from likely.evaluation.reliability import reliability
    >>> logs = np.log(np.tile([0.8, 0.2], (100, 1)))
    >>> error_by_chance(reliability(logs, np.zeros(100, int))) < 0.15
    True
    """
    some = measured.sizes > 0
    sizes, sums = measured.sizes[some], measured.confidence[some]
    generator = np.random.default_rng(seed)
    right = generator.binomial(sizes.round().astype(np.int64), np.clip(sums / sizes, 0, 1), (replicates, len(sizes)))
    errors = np.abs(right - sums).sum(axis=1) / sizes.sum()
    return float(np.quantile(errors, RARELY))

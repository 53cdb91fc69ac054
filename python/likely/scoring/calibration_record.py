"""`CalibrationRecord`: the calibration of a model, its measured effect, and the coverage curve."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

import numpy as np

from likely.errors import LengthError
from likely.evaluation.coverage import STEPS, Coverage, coverage_curve, curve_from, plain_curve
from likely.evaluation.reliability import reliability
from likely.formulas import log_posterior
from likely.scoring.calibration import LEAST, MOST, Calibration, fit_calibration
from likely.scoring.leave_one_out.left_out import LeftOut
from likely.weighing.variants import LEARNED

if TYPE_CHECKING:
    from likely.types import Array, Places

Measures: TypeAlias = dict[str, float | None]
"""``expected_calibration_error``, ``brier`` and ``log_loss``; a log-loss is None if it is infinite."""


CALIBRATED_ON = 5_000
"""The largest number of documents to calibrate on. A calibration has three parameters: more would not help."""
CROSS_VALIDATED_ON = 20_000
"""The same by cross-validation. With fewer documents, the models of the folds would be worse than the final model."""


def calibrated_on(variant: str) -> int:
    """The largest number of documents on which a model is calibrated."""
    return CROSS_VALIDATED_ON if variant == LEARNED else CALIBRATED_ON


@dataclass(frozen=True)
class CalibrationRecord:
    """A calibration and its effect.

    Attributes
    ----------
    calibration : Calibration
        The parameters tau, gamma and delta.
    documents : int
        The number of documents that they were fitted on.
    before, after : dict
        The expected calibration error, Brier score and log-loss of the raw and of the calibrated probabilities.
    curve : list of Coverage
        The share of texts answered, and of answers right, for each probability below which the model could abstain.
    """

    calibration: Calibration
    documents: int
    before: Measures
    after: Measures
    curve: list[Coverage]

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data, as they are stored in a model file."""
        return {
            "tau": self.calibration.tau,
            "gamma": self.calibration.gamma,
            "delta": self.calibration.delta,
            "documents": self.documents,
            "before": self.before,
            "after": self.after,
            "coverage": plain_curve(self.curve),
        }

    def __str__(self) -> str:
        fitted = self.calibration
        numbers = f"tau {fitted.tau:.4g}, gamma {fitted.gamma:.3f}, delta {fitted.delta:.3f}"
        return (
            f"calibrated on {self.documents:,} documents ({numbers}): expected calibration error "
            f"{_shown(self.before)} -> {_shown(self.after)}"
        )


def _shown(measures: Measures) -> str:
    return f"{measures['expected_calibration_error']:.4f}"


def calibrate(left: LeftOut, gold: Places) -> CalibrationRecord:
    """The calibration fitted to scores from models that did not see the documents, with its measured effect.

    Examples
    --------
    >>> import numpy as np
    >>> joint = np.array([[0.0, -9.0], [0.0, -9.0], [0.0, -9.0], [-9.0, 0.0]] * 25)
    >>> record = calibrate(LeftOut(joint, np.full(100, 9.0)), np.array([0, 0, 1, 1] * 25))
    >>> round(record.before["log_loss"], 2), round(record.after["log_loss"], 2)
    (2.25, 0.56)
    """
    calibration, left, gold = _fitted(left, gold)
    raw = log_posterior(left.joint, np.zeros(left.joint.shape[1]))
    fitted = calibration.log_probabilities(left.joint, left.length)
    curve = coverage_curve(np.exp(fitted.max(axis=1)), fitted.argmax(axis=1) == gold)
    before, after = (reliability(logs, gold).to_dict() for logs in (raw, fitted))
    return CalibrationRecord(calibration, len(gold), before, after, curve)


def calibrated_scores(left: LeftOut, gold: Places) -> tuple[Array, Places]:
    """The log-probabilities that `calibrate` would give, and the gold classes of the documents it is fitted to."""
    calibration, left, gold = _fitted(left, gold)
    return calibration.log_probabilities(left.joint, left.length), gold


def _fitted(left: LeftOut, gold: Places) -> tuple[Calibration, LeftOut, Places]:
    """A calibration, and the documents that it was fitted to: all but those that are the only one of their class."""
    possible = np.isfinite(left.joint[np.arange(len(gold)), gold])
    if not possible.any():
        raise LengthError("there is nothing to calibrate on: each document is the only one of its class")
    left, gold = LeftOut(left.joint[possible], left.length[possible]), gold[possible]
    return fit_calibration(left.joint, left.length, gold), left, gold


def record_from(document: object) -> CalibrationRecord:
    """The record that `CalibrationRecord.to_dict` wrote; ``ValueError`` if the document is anything else."""
    keys = {"tau", "gamma", "delta", "documents", "before", "after", "coverage"}
    if not isinstance(document, dict) or set(document) != keys:
        raise ValueError("a calibration has other keys")
    tau, gamma, delta, documents = (document[name] for name in ("tau", "gamma", "delta", "documents"))
    if not all(map(_is_number, (tau, gamma, delta))) or tau <= 0 or not _is_within(math.log(tau), gamma, delta):
        raise ValueError("tau, gamma and delta are not numbers that a calibration can have")
    if type(documents) is not int or not 0 < documents < 2**53:
        raise ValueError("the number of documents of a calibration is not a whole number above 0")
    for measures in (document["before"], document["after"]):
        if not isinstance(measures, dict) or set(measures) != {"expected_calibration_error", "brier", "log_loss"}:
            raise ValueError("the measures of a calibration have other keys")
        if not all(_is_number(value) or (name == "log_loss" and value is None) for name, value in measures.items()):
            raise ValueError("a measure of a calibration is not a number")
    rows = document["coverage"]
    if not isinstance(rows, list) or not all(isinstance(row, list) and len(row) == 3 for row in rows):
        raise ValueError("the coverage of a calibration is not a table")
    if not 0 < len(rows) <= STEPS or not all(_is_number(value) and 0 <= value <= 1 for row in rows for value in row):
        raise ValueError("the coverage of a calibration is not a table of shares")
    calibration = Calibration(float(tau), float(gamma), float(delta))
    return CalibrationRecord(calibration, documents, document["before"], document["after"], curve_from(rows))


def _is_within(*numbers: float) -> bool:
    """Whether log tau, gamma and delta are within the bounds of a fit."""
    return bool(((numbers >= LEAST - 1e-9) & (numbers <= MOST + 1e-9)).all())


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)

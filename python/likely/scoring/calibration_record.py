"""What a model remembers of its calibration: the numbers, what they changed, and how sure answers have been."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.errors import LengthError
from likely.evaluation.reliability import reliability
from likely.formulas import log_posterior
from likely.scoring.abstain import STEPS, Coverage, coverage_curve, curve_from, plain_curve
from likely.scoring.calibration import LEAST, MOST, Calibration, fit_calibration

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.types import Array


@dataclass(frozen=True)
class Calibrated:
    """A calibration and how it came about.

    Attributes
    ----------
    calibration : Calibration
        tau, gamma and delta.
    documents : int
        On how many documents they were fitted.
    before, after : dict
        Expected calibration error, Brier score and log-loss of the raw probabilities and of the calibrated ones.
    curve : list of Coverage
        What answering only from a probability on would have meant.
    """

    calibration: Calibration
    documents: int
    before: dict[str, Any]
    after: dict[str, Any]
    curve: list[Coverage]

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data, as a model file has it."""
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


def _shown(measures: dict[str, Any]) -> str:
    return f"{measures['expected_calibration_error']:.4f}"


def calibrated(joint: Array, length: Array, own: npt.NDArray[np.intp]) -> Calibrated:
    """Fit a calibration to scores from models that never saw the documents, and measure what it changes.

    Examples
    --------
    >>> import numpy as np
    >>> joint = np.array([[0.0, -9.0], [0.0, -9.0], [0.0, -9.0], [-9.0, 0.0]] * 25)
    >>> found = calibrated(joint, np.full(100, 9.0), np.array([0, 0, 1, 1] * 25))
    >>> round(found.before["log_loss"], 2), round(found.after["log_loss"], 2)
    (2.25, 0.56)
    """
    possible = np.isfinite(joint[np.arange(len(own)), own])
    if not possible.any():
        raise LengthError("nothing to calibrate on: each document is the only one of its class")
    joint, length, own = joint[possible], length[possible], own[possible]
    calibration = fit_calibration(joint, length, own)
    raw = log_posterior(joint, np.zeros(joint.shape[1]))
    fitted = calibration.log_probabilities(joint, length)
    right = fitted.argmax(axis=1) == own
    curve = coverage_curve(np.exp(fitted.max(axis=1)), right)
    before, after = (reliability(each, own).to_dict() for each in (raw, fitted))
    return Calibrated(calibration, len(own), before, after, curve)


def calibrated_from(document: Any) -> Calibrated:
    """What `Calibrated.to_dict` wrote; ``ValueError`` for anything else."""
    keys = {"tau", "gamma", "delta", "documents", "before", "after", "coverage"}
    if not isinstance(document, dict) or set(document) != keys:
        raise ValueError("a calibration has other keys")
    tau, gamma, delta, documents = (document[name] for name in ("tau", "gamma", "delta", "documents"))
    if not all(map(_is_number, (tau, gamma, delta))) or tau <= 0 or not _is_within(math.log(tau), gamma, delta):
        raise ValueError("tau, gamma and delta are no numbers that a calibration has")
    if type(documents) is not int or not 0 < documents < 2**53:
        raise ValueError("the number of documents is no count")
    for measures in (document["before"], document["after"]):
        if not isinstance(measures, dict) or set(measures) != {"expected_calibration_error", "brier", "log_loss"}:
            raise ValueError("the measures of a calibration have other keys")
        if not all(_is_number(value) or (name == "log_loss" and value is None) for name, value in measures.items()):
            raise ValueError("a measure of a calibration is no number")
    rows = document["coverage"]
    if not isinstance(rows, list) or not all(isinstance(row, list) and len(row) == 3 for row in rows):
        raise ValueError("the coverage of a calibration is no table")
    if not 0 < len(rows) <= STEPS or not all(_is_number(value) and 0 <= value <= 1 for row in rows for value in row):
        raise ValueError("the coverage of a calibration is no table of shares")
    calibration = Calibration(float(tau), float(gamma), float(delta))
    return Calibrated(calibration, documents, document["before"], document["after"], curve_from(rows))


def _is_within(*numbers: float) -> bool:
    """Whether log tau, gamma and delta are where a fit looks for them."""
    return bool(((numbers >= LEAST - 1e-9) & (numbers <= MOST + 1e-9)).all())


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)

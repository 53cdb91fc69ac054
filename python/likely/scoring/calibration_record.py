"""`CalibrationRecord`: the calibration of a model, its measured effect, and the coverage curve."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

import numpy as np

from likely.core.variants import LEARNED
from likely.errors import LengthError
from likely.formulas import log_posterior
from likely.scoring.calibration import LEAST, MOST, Calibration, fit_calibration, log_loss
from likely.scoring.reliability import (
    MEASURES,
    STEPS,
    Coverage,
    band_of_curve,
    band_sentence,
    coverage_curve,
    curve_from,
    plain_curve,
    reliability,
)
from likely.scoring.shift import implied_prior
from likely.terminal import counted, number, table

if TYPE_CHECKING:
    from likely.scoring.leave_one_out import LeftOut
    from likely.types import Array, Places


Measures: TypeAlias = dict[str, float | None]
"""``expected_calibration_error``, ``brier`` and ``log_loss``; a log-loss is None if it is infinite."""


CALIBRATED_ON = 5_000
"""The largest number of documents to calibrate on. A calibration has three parameters: more would not help."""
CROSS_VALIDATED_ON = 20_000
"""The same by cross-validation. With fewer documents, the models of the folds would be worse than the final model."""


MOST_SCORES = 1 << 22
"""The largest number of scores (documents times classes) to calibrate on: with many classes, fewer documents do."""
LEAST_CALIBRATED_ON = 30
OUTDATED = 0.5
"""The age past which a calibration should be renewed."""
MOST_CLASSES = 1_000
"""With more classes, a sample of documents says little about the prior that probabilities imply."""


def calibrated_on(variant: str, classes: int = 1) -> int:
    """The largest number of documents on which a model with this number of classes is calibrated.

    Examples
    --------
    >>> calibrated_on("multinomial", 20), calibrated_on("multinomial", 16_000), calibrated_on("nbsvm", 20)
    (5000, 262, 20000)
    """
    most = CROSS_VALIDATED_ON if variant == LEARNED else CALIBRATED_ON
    return max(min(most, MOST_SCORES // max(classes, 1)), LEAST_CALIBRATED_ON)


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
    prior : list of float or None
        The prior that the calibrated probabilities imply, one number per class: with it, the estimated shares of the
        classes are right for the documents of the calibration. None in a file of format 4 or older, or if there are
        more than `MOST_CLASSES`.
    of : float
        The (weighted) number of documents of the model when it was calibrated.
    changed : float
        The (weighted) number of documents that it has learned or forgotten since.
    unknown : float or None
        The share of the terms of a document that a model without it, its copies and its group does not know.
    """

    calibration: Calibration
    documents: int
    before: Measures
    after: Measures
    curve: list[Coverage]
    prior: list[float] | None = None
    of: float = 0.0
    changed: float = 0.0
    unknown: float | None = None

    @property
    def age(self) -> float:
        """How much the model has changed since: documents learned or forgotten, as a share of those it had.

        Past `OUTDATED`, the calibration should be renewed.
        """
        return self.changed / self.of if self.of else 0.0

    @property
    def is_outdated(self) -> bool:
        """Whether the calibration should be renewed."""
        return self.age > OUTDATED

    def aged(self, documents: float) -> CalibrationRecord:
        """The same calibration, after the model has learned or forgotten documents."""
        return replace(self, changed=self.changed + documents)

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
            "prior": self.prior,
            "of": _plain(self.of),
            "changed": _plain(self.changed),
            "unknown": self.unknown,
        }

    def __str__(self) -> str:
        return record_text(self)


def _plain(number: float) -> float:
    """A number of documents, as an int if it is whole."""
    return int(number) if number.is_integer() else number


def calibrate(left: LeftOut, gold: Places, threads: int = 1) -> CalibrationRecord:
    """The calibration fitted to scores from models that did not see the documents, with its measured effect.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.scoring.leave_one_out import LeftOut
    >>> joint = np.array([[0.0, -9.0], [0.0, -9.0], [0.0, -9.0], [-9.0, 0.0]] * 25)
    >>> record = calibrate(LeftOut(joint, np.full(100, 9.0)), np.array([0, 0, 1, 1] * 25))
    >>> round(record.before["log_loss"], 2), round(record.after["log_loss"], 2)
    (2.25, 0.56)
    """
    calibration, left, gold = _fitted(left, gold, threads)
    raw = log_posterior(left.joint, np.zeros(left.joint.shape[1]))
    fitted = calibration.log_probabilities(left.joint, left.length)
    curve = coverage_curve(np.exp(fitted.max(axis=1)), fitted.argmax(axis=1) == gold, left.times)
    before, after = (reliability(logs, gold, left.times).to_dict() for logs in (raw, fitted))
    prior = implied_prior(fitted, gold, left.times).tolist() if fitted.shape[1] <= MOST_CLASSES else None
    return CalibrationRecord(calibration, len(gold), before, after, curve, prior, unknown=left.unknown_share)


def measured(calibration: Calibration | None, left: LeftOut, gold: Places) -> Measures:
    """How good the probabilities of a calibration are, or the raw ones, for documents that the model did not see.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.scoring.leave_one_out import LeftOut
    >>> left = LeftOut(np.array([[0.0, -9.0], [0.0, -9.0]]), np.full(2, 9.0))
    >>> gold = np.array([0, 1])
    >>> [round(measured(each, left, gold)["log_loss"], 2) for each in (None, Calibration(0.1, 0.0, 0.0))]
    [4.5, 0.79]
    """
    left, gold = _possible(left, gold)
    plain = log_posterior(left.joint, np.zeros(left.joint.shape[1]))
    logs = plain if calibration is None else calibration.log_probabilities(left.joint, left.length)
    return reliability(logs, gold, left.times).to_dict()


def calibrated_log_loss(left: LeftOut, gold: Places, threads: int = 1) -> float:
    """The log-loss of the probabilities that `calibrate` would give, without the other measures."""
    calibration, left, gold = _fitted(left, gold, threads)
    return log_loss(calibration, left.joint, left.length, gold, threads, left.times)


def calibrated_scores(left: LeftOut, gold: Places, threads: int = 1) -> tuple[Array, Places, Array]:
    """The log-probabilities that `calibrate` would give, with the gold classes and weights of their documents."""
    calibration, left, gold = _fitted(left, gold, threads)
    weights = left.weights / left.weights.mean()  # as numbers of documents
    return calibration.log_probabilities(left.joint, left.length), gold, weights


def _fitted(left: LeftOut, gold: Places, threads: int) -> tuple[Calibration, LeftOut, Places]:
    """A calibration, and the documents that it was fitted to: all but those that are the only one of their class."""
    left, gold = _possible(left, gold)
    return fit_calibration(left.joint, left.length, gold, threads, left.times), left, gold


def _possible(left: LeftOut, gold: Places) -> tuple[LeftOut, Places]:
    """All documents but those that are the only one of their class; ``LengthError`` if there are no others."""
    possible = np.isfinite(left.joint[np.arange(len(gold)), gold])
    if not possible.any():
        raise LengthError(
            "there is nothing to calibrate on: each document is the only one of its class, beside its copies"
        )
    return left.of(possible), gold[possible]


def record_from(document: object) -> CalibrationRecord:
    """The record that `CalibrationRecord.to_dict` wrote; ``ValueError`` if the document is anything else."""
    keys = {"tau", "gamma", "delta", "documents", "before", "after", "coverage"}
    later = ("prior", "of", "changed", "unknown")  # a file of an older format has none of them
    if not isinstance(document, dict) or set(document) not in (keys, {*keys, *later}):
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
    measures = document["before"], document["after"]
    prior, of, changed, unknown = _later(document)
    return CalibrationRecord(calibration, documents, *measures, curve_from(rows), prior, of, changed, unknown)


def _later(document: dict[str, Any]) -> tuple[list[float] | None, float, float, float | None]:
    """The fields that files of format 4 do not have: the implied prior, the age, and the share of unknown terms."""
    prior, of, changed = document.get("prior"), document.get("of", 0), document.get("changed", 0)
    if prior is not None and not _is_prior(prior):
        raise ValueError("the prior of a calibration is not a list of probabilities")
    if not (_is_number(of) and _is_number(changed) and of >= 0 <= changed):
        raise ValueError("the age of a calibration is not a number of documents")
    unknown = document.get("unknown")
    if unknown is not None and not (_is_number(unknown) and 0 <= unknown <= 1):
        raise ValueError("the share of unknown terms of a calibration is not a share")
    return prior, float(of), float(changed), unknown


def _is_within(*numbers: float) -> bool:
    """Whether log tau, gamma and delta are within the bounds of a fit."""
    return bool(((numbers >= LEAST - 1e-9) & (numbers <= MOST + 1e-9)).all())


def _is_prior(prior: object) -> bool:
    """Whether this is a list of probabilities above 0."""
    if not isinstance(prior, list) or not 0 < len(prior) <= MOST_CLASSES:
        return False
    return all(_is_number(each) and 0 < each <= 1 for each in prior)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)


def record_sentence(record: CalibrationRecord) -> str:
    """The same for the documents that a model was calibrated on; '' if it remembers nothing of them."""
    return band_sentence(band_of_curve(record.curve, record.documents) if record.curve else None)


def calibration_text(found: CalibrationRecord) -> str:
    """What the probabilities of a calibrated model mean, and a table of measures before and after calibration."""
    documents = counted(found.documents, "document")
    head = f"Probabilities are calibrated on {documents} that the model had not seen."
    measures = _measures_text("raw", found.before, "calibrated", found.after)
    return "\n".join(filter(None, (head, record_sentence(found), measures)))


def record_text(found: CalibrationRecord) -> str:
    """The calibration of a model in a few lines, and whether it is still of the model as it is."""
    error = "expected_calibration_error"
    change = f"{number(found.before[error])} -> {number(found.after[error])}"
    head = f"Calibrated on {counted(found.documents, 'document')}: {MEASURES[error]} {change}."
    changed = counted(found.changed, "document")
    since = (
        f"{changed} {'was' if found.changed == 1 else 'were'} learned or forgotten since then."
        if found.changed
        else ""
    )
    return "\n".join(filter(None, (head, record_sentence(found), since)))


def calibration_change_text(before: Measures, after: Measures) -> str:
    """A table of measures before and after a calibration was renewed."""
    return _measures_text("before", before, "after", after)


def _measures_text(one: str, first: Measures, other: str, second: Measures) -> str:
    rows = [["(lower is better)", one, other]]
    rows += [[name, number(first[key]), number(second[key])] for key, name in MEASURES.items()]
    return table(rows)

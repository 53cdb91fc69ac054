"""Calibrated probabilities from scores.

Naive Bayes treats the words of a text as independent evidence, so its probabilities are the more overconfident the
longer the text is. The calibration has three parameters, which minimize the log-loss of documents that the model has
not seen (leave-one-out or cross-validation scores)::

    P(c|d) ~ exp(tau * score_c(d) / (length(d) ** gamma * spread(d) ** delta))

``length`` is the sum of the values of the document's known terms, ``spread`` is the standard deviation of its scores
over the classes. With gamma = delta = 0 this is temperature scaling (Guo et al., *On Calibration of Modern Neural
Networks*, 2017); with gamma = 1 the score is the mean over the words. The spread helps if the size of the scores does
not follow from the length, as for complement variants: with gamma alone, their calibration error on 20 Newsgroups was
twice as large. The order of the classes does not change.
"""

from __future__ import annotations

import itertools
import math
import warnings
from dataclasses import asdict, astuple, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from likely import _native
from likely.core.shift import implied_prior
from likely.core.variants import LEARNED
from likely.errors import ArgumentError, TrainingWarning, frames_of_ours
from likely.formulas import finite_or_none, log_posterior
from likely.options.kinds import is_finite, is_share
from likely.terminal import counted, number, percent, table

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from likely.core.leave_one_out import LeftOut
    from likely.core.rules import Rules
    from likely.types import Array, Mask, Places


GAMMA = 0.7
"""The gamma at which the search starts."""
MOST_STEPS = 50
LEAST, MOST = np.array([-20.0, 0.0, 0.0]), np.array([20.0, 1.0, 0.95])
"""The bounds of log tau, gamma and delta. Above 1, longer or clearer texts would get less certain probabilities."""
FEWEST_FOR_DELTA = 200
"""With fewer documents delta stays 0: too few of them show how sure a model may be of a text with little evidence."""
LEAST_DAMPING = 1e-9
"""Less damping would make the equations singular if the documents do not determine all parameters."""
MOST_ELSEWHERE = 0.005
"""The largest probability that the targets leave to all classes but the gold one: with thousands of classes, one more
document per class would make every prediction uncertain."""
_CLOSE = 1e-9
_ROUNDING = 1e-12
"""An eigenvalue of a matrix may be below 0 by this share of the largest one, because of rounding."""


@dataclass(frozen=True)
class Calibration:
    """The three parameters of a calibration.

    Examples
    --------
    >>> import numpy as np
    >>> joint, length = np.log([[0.8, 0.2]]), np.array([4.0])
    >>> np.exp(Calibration(1.0, 0.5, 0.0).log_probabilities(joint, length)).round(3)
    array([[0.667, 0.333]])
    """

    tau: float
    gamma: float
    delta: float

    def log_probabilities(self, joint: Array, length: Array) -> Array:
        """Log P(c|text) from scores and lengths: one row per text, one column per class.

        A text without known terms gets the prior. A text that is impossible in every class gets equal probabilities.
        """
        return log_posterior(joint * self.factors(joint, length), np.zeros(joint.shape[1]))

    def factors(self, joint: Array, length: Array) -> Array:
        """The factor of the scores of each text, tau / (length ** gamma * spread ** delta): one row per text."""
        # Not a product of matrices, whose rounding depends on how many texts there are.
        _, by_length, by_spread = logs_of(joint, length)
        by = np.log(self.tau) + self.gamma * by_length + self.delta * by_spread
        return np.exp(np.where(length > 0, by, 0.0))[:, None]

    def to_dict(self) -> dict[str, float]:
        """The parameters by name."""
        return asdict(self)


RAW = Calibration(1.0, 0.0, 0.0)
"""The calibration that leaves probabilities as they are."""


def logs_of(joint: Array, length: Array) -> Array:
    """The factors of log tau, gamma and delta: rows 1, -log length and -log spread, one column per document."""
    spread = spread_of(joint)
    logs = np.ones((3, len(joint)))  # few operations, because a single text is scored in microseconds
    # A length below 1 is taken as 1. If all classes have the same score, the factor has no effect, so any will do.
    np.negative(np.log(np.maximum(length, 1.0)), out=logs[1])
    np.negative(np.log(np.where(spread > 0, spread, 1.0)), out=logs[2])
    return logs


def spread_of(joint: Array) -> Array:
    """The standard deviation of the scores of each document over the classes that are possible."""
    finite = np.isfinite(joint)
    if finite.all():
        beyond = joint - np.add.reduce(joint, axis=1, keepdims=True) / joint.shape[1]
        squares: Array = np.add.reduce(beyond**2, axis=1) / joint.shape[1]
    else:
        number = np.maximum(finite.sum(axis=1), 1)
        mean = np.where(finite, joint, 0.0).sum(axis=1) / number
        squares = (np.where(finite, joint - mean[:, None], 0.0) ** 2).sum(axis=1) / number
    return np.sqrt(squares)


def fit_calibration(
    joint: Array, length: Array, gold: Places, threads: int = 1, times: Array | None = None
) -> Calibration:
    """The calibration with the lowest log-loss for documents of the gold classes ``gold`` (by place).

    ``joint`` must be scores from models that did not see the documents; ``times`` are their weights. Documents whose
    gold class is impossible are left out: each is the only document of its class.

    Examples
    --------
    >>> import numpy as np
    >>> joint = np.array([[0.0, -9.0], [0.0, -9.0], [0.0, -9.0], [-9.0, 0.0]])
    >>> fitted = fit_calibration(joint, np.full(4, 9.0), np.array([0, 0, 1, 1]))
    >>> np.exp(fitted.log_probabilities(joint[:1], np.array([9.0]))).round(2)
    array([[0.67, 0.33]])
    """
    possible = np.isfinite(joint[np.arange(len(gold)), gold])
    weights = (np.ones(len(gold)) if times is None else times)[possible]
    joint, length, gold = joint[possible], length[possible], gold[possible]
    if not weights.any() or joint.shape[1] < 2:
        return RAW
    fit = Fit.of(joint, length, gold, weights, threads)
    # If all texts have length 1, gamma has no effect.
    start = np.array([0.0, GAMMA if fit.logs[1].any() else 0.0, 0.0])
    spread = -np.where(np.isfinite(fit.joint), fit.joint, 0.0).min(axis=1) * np.exp(start @ fit.logs)
    # The search starts with a tau that scales the scores of the median text to a difference of 1. Texts with equal
    # scores for all classes do not show how large the differences are.
    median = float(np.median(spread[spread > 0])) if spread.any() else 1.0
    start[0] = -np.log(max(median, 1e-6))
    most = MOST if len(gold) >= FEWEST_FOR_DELTA else np.array([*MOST[:2], 0.0])
    at = least(fit.look, start, LEAST, most).at
    return Calibration(float(np.exp(at[0])), float(at[1]), float(at[2]))


def log_loss(calibration: Calibration, left: LeftOut, gold: Places, threads: int = 1) -> float:
    """The (weighted) mean of -log P(gold class|document), without computing the probabilities of all classes.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.core.leave_one_out import LeftOut
    >>> round(log_loss(Calibration(1.0, 0.0, 0.0), LeftOut(np.log([[0.8, 0.2]]), np.ones(1)), np.array([1])), 4)
    1.6094
    """
    factors, joint = calibration.factors(left.joint, left.length)[:, 0], _below_best(left.joint)
    of_gold = factors * joint[np.arange(len(gold)), gold]
    return float(np.average(_native.soft_moments(joint, factors, threads)[:, 0] - of_gold, weights=left.times))


def _below_best(joint: Array) -> Array:
    """The scores minus the best score of each document. No probability changes, and rounding errors are smaller."""
    return np.ascontiguousarray(joint - joint.max(axis=1, keepdims=True), np.float64)


@dataclass(frozen=True)
class Place:
    """A point of a search: the parameters, the loss, its gradient and its Hessian, or an approximation of it."""

    at: Array
    loss: float
    slope: Array
    curve: Array


@dataclass(frozen=True)
class Fit:
    """Scores of documents, prepared for a fit of the three parameters."""

    joint: Array
    """The scores minus the best score of the document: one row per document, one column per class."""
    logs: Array
    """The factors of the parameters (see `logs_of`)."""
    targets: Array
    """The mean of the scores of each document, weighted by the target probabilities of the classes."""
    weights: Array
    """The weight of each document; they sum to 1."""
    threads: int

    @classmethod
    def of(cls, joint: Array, length: Array, gold: Places, weights: Array, threads: int) -> Fit:
        """The fit of documents whose gold classes are possible."""
        joint = _below_best(joint)
        targets = _target_scores(joint, gold)
        return cls(joint, logs_of(joint, length), targets, weights / weights.sum(), threads)

    def look(self, at: Array) -> Place:
        """The cross-entropy of the target probabilities, with its derivatives."""
        factors = np.exp(at @ self.logs)
        log_sums, means, variances = _native.soft_moments(self.joint, factors, self.threads).T
        targets = factors * self.targets
        wrong = self.weights * (means - targets)
        loss = float((self.weights * (log_sums - targets)).sum())
        spread = self.weights * variances
        # The Hessian where the loss is convex; elsewhere its expectation, which always leads downhill.
        curve: Array = (self.logs * (spread + wrong)) @ self.logs.T
        values = np.linalg.eigvalsh(curve)
        if values[0] <= -_ROUNDING * values[-1]:
            curve = (self.logs * spread) @ self.logs.T
        return Place(at, loss, self.logs @ wrong, curve)


def _target_scores(joint: Array, gold: Places) -> Array:
    """The mean of each document's scores under its targets: a little less than 1 for the gold class.

    The targets are as if there were one more document per class, but the other classes have at most `MOST_ELSEWHERE`
    together. That keeps tau finite if all predictions are right. For two classes, these are the targets of Platt
    (*Probabilistic Outputs for Support Vector Machines*, 1999, section 2.2).
    """
    documents, finite = len(joint), np.isfinite(joint)
    of_gold = joint[np.arange(documents), gold]
    others = np.where(finite, joint, 0.0).sum(axis=1) - of_gold
    number = finite.sum(axis=1) - 1
    # If no other class is possible, the score of the gold class is 0, so that its target does not matter.
    elsewhere = np.minimum(number / (documents + number + 1), max(MOST_ELSEWHERE, 1 / (documents + 2)))
    scores: Array = (1 - elsewhere) * of_gold + elsewhere * others / np.maximum(number, 1)
    return scores


def least(look: Callable[[Array], Place], start: Array, lowest: Array, highest: Array) -> Place:
    """The point with the lowest loss within bounds, found by damped least squares (Levenberg 1944)."""
    place, damping = look(start), 1e-3
    for _ in range(MOST_STEPS):
        found = look(np.clip(place.at + _step(place, damping, lowest, highest), lowest, highest))
        if found.loss > place.loss:
            damping *= 10
            if damping > 1e12:
                break
            continue
        done = place.loss - found.loss <= _CLOSE * place.loss
        place, damping = found, max(damping / 10, LEAST_DAMPING)
        if done:
            break
    return place


def _step(place: Place, damping: float, lowest: Array, highest: Array) -> Array:
    """The next step. A parameter at a bound that would leave it stays there, and the others are free of it."""
    stay = ((place.at <= lowest) & (place.slope > 0)) | ((place.at >= highest) & (place.slope < 0))
    free = np.flatnonzero(~stay)
    curve = place.curve[np.ix_(free, free)]
    damped = curve + damping * (np.diag(np.diag(curve)) + 1e-12 * np.eye(len(free)))
    step = np.zeros(len(place.at))
    step[free] = np.linalg.solve(damped, -place.slope[free])
    return step


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

    def aged(self, documents: float) -> CalibrationRecord:
        """The same calibration, after the model has learned or forgotten documents."""
        return replace(self, changed=self.changed + documents)

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data, as they are stored in a model file."""
        return {
            **self.calibration.to_dict(),
            "documents": self.documents,
            "before": self.before,
            "after": self.after,
            "coverage": [list(astuple(row)) for row in self.curve],
            "prior": self.prior,
            "of": _plain(self.of),
            "changed": _plain(self.changed),
            "unknown": self.unknown,
        }

    def __str__(self) -> str:
        head = f"Probabilities are calibrated on {counted(self.documents, 'document')} that the model had not seen."
        verb = "was" if self.changed == 1 else "were"
        since = f"{counted(self.changed, 'document')} {verb} learned or forgotten since then." if self.changed else ""
        measures = measures_text("raw", self.before, "calibrated", self.after)
        return "\n".join(filter(None, (head, record_sentence(self), measures, since)))


def _plain(number: float) -> float:
    """A number of documents, as an int if it is whole."""
    return int(number) if number.is_integer() else number


def calibrate(left: LeftOut, gold: Places, threads: int = 1) -> CalibrationRecord:
    """The calibration fitted to scores from models that did not see the documents, with its measured effect.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.core.leave_one_out import LeftOut
    >>> joint = np.array([[0.0, -9.0], [0.0, -9.0], [0.0, -9.0], [-9.0, 0.0]] * 25)
    >>> record = calibrate(LeftOut(joint, np.full(100, 9.0)), np.array([0, 0, 1, 1] * 25))
    >>> round(record.before["log_loss"], 2), round(record.after["log_loss"], 2)
    (2.25, 0.56)
    """
    calibration, left, gold = _fitted(left, gold, threads)
    raw, fitted = (each.log_probabilities(left.joint, left.length) for each in (RAW, calibration))
    curve = coverage_curve(np.exp(fitted.max(axis=1)), fitted.argmax(axis=1) == gold, left.times)
    before, after = (reliability(logs, gold, left.times).to_dict() for logs in (raw, fitted))
    prior = implied_prior(fitted, gold, left.times).tolist() if fitted.shape[1] <= MOST_CLASSES else None
    return CalibrationRecord(calibration, len(gold), before, after, curve, prior, unknown=left.unknown_share)


def measured(calibration: Calibration | None, left: LeftOut, gold: Places) -> Measures:
    """How good the probabilities of a calibration are, or the raw ones, for documents that the model did not see.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.core.leave_one_out import LeftOut
    >>> left = LeftOut(np.array([[0.0, -9.0], [0.0, -9.0]]), np.full(2, 9.0))
    >>> gold = np.array([0, 1])
    >>> [round(measured(each, left, gold)["log_loss"], 2) for each in (None, Calibration(0.1, 0.0, 0.0))]
    [4.5, 0.79]
    """
    left, gold = _possible(left, gold)
    logs = (calibration or RAW).log_probabilities(left.joint, left.length)
    return reliability(logs, gold, left.times).to_dict()


def calibrated_log_loss(left: LeftOut, gold: Places, threads: int = 1) -> float:
    """The log-loss of the probabilities that `calibrate` would give, without the other measures."""
    return log_loss(*_fitted(left, gold, threads), threads)


def _fitted(left: LeftOut, gold: Places, threads: int) -> tuple[Calibration, LeftOut, Places]:
    """A calibration, and the documents that it was fitted to: all but those that are the only one of their class."""
    left, gold = _possible(left, gold)
    return fit_calibration(left.joint, left.length, gold, threads, left.times), left, gold


def _possible(left: LeftOut, gold: Places) -> tuple[LeftOut, Places]:
    """All documents but those that are the only one of their class; ``ArgumentError`` if there are no others."""
    possible = np.isfinite(left.joint[np.arange(len(gold)), gold])
    if not possible.any():
        raise ArgumentError("cannot calibrate: every class has only one distinct document")
    return left.of(possible), gold[possible]


def record_from(document: object) -> CalibrationRecord:
    """The record that `CalibrationRecord.to_dict` wrote; ``ValueError`` if the document is anything else."""
    first = ("tau", "gamma", "delta", "documents", "before", "after", "coverage")
    later: dict[str, Any] = {"prior": None, "of": 0, "changed": 0, "unknown": None}  # not in files of format 4
    if not isinstance(document, dict) or set(document) not in ({*first}, {*first, *later}):
        raise ValueError("a calibration has other keys")
    tau, gamma, delta, documents, before, after, rows = (document[name] for name in first)
    prior, of, changed, unknown = ((later | document)[name] for name in later)
    are_rows = isinstance(rows, list) and all(isinstance(row, list) and len(row) == 3 for row in rows)
    sound = {
        "numbers": all(map(is_finite, (tau, gamma, delta))) and tau > 0 and _is_within(math.log(tau), gamma, delta),
        "number of documents": type(documents) is int and 0 < documents < 2**53,
        "measures": _are_measures(before) and _are_measures(after),
        "coverage": are_rows and 0 < len(rows) <= STEPS and all(map(is_share, itertools.chain(*rows))),
        "prior": prior is None or _is_prior(prior),
        "age": is_finite(of) and is_finite(changed) and of >= 0 <= changed,
        "share of unknown terms": unknown is None or is_share(unknown),
    }
    for name, is_sound in sound.items():
        if not is_sound:
            raise ValueError(f"the {name} of a calibration is not as `likely` writes it")
    calibration, curve = Calibration(float(tau), float(gamma), float(delta)), [Coverage(*row) for row in rows]
    return CalibrationRecord(calibration, documents, before, after, curve, prior, float(of), float(changed), unknown)


def _are_measures(measures: object) -> bool:
    """Whether these are the measures of a record, of which only the log-loss may be undefined."""
    if not isinstance(measures, dict) or set(measures) != set(MEASURES):
        return False
    return all(is_finite(value) or (name == "log_loss" and value is None) for name, value in measures.items())


def _is_within(*numbers: float) -> bool:
    """Whether log tau, gamma and delta are within the bounds of a fit."""
    return bool(((numbers >= LEAST - 1e-9) & (numbers <= MOST + 1e-9)).all())


def _is_prior(prior: object) -> bool:
    """Whether this is a list of probabilities above 0."""
    if not isinstance(prior, list) or not 0 < len(prior) <= MOST_CLASSES:
        return False
    return all(is_share(each) and each > 0 for each in prior)


def record_sentence(record: CalibrationRecord) -> str:
    """The same for the documents that a model was calibrated on; '' if it remembers nothing of them."""
    return band_sentence(band_of_curve(record.curve, record.documents) if record.curve else None)


def measures_text(one: str, first: Measures, other: str, second: Measures) -> str:
    """A table of two sets of measures, with a heading for each."""
    rows = [["(lower is better)", one, other]]
    rows += [[name, number(first[key]), number(second[key])] for key, name in MEASURES.items()]
    return table(rows)


@dataclass
class Uncalibrated:
    """Rules that a calibration does not fit.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> rules = [NaiveBayes(alpha=alpha).fit(["good"], ["+"])._snapshot().rules for alpha in (1.0, 0.5)]
    >>> Uncalibrated(*rules).changed
    ['alpha']
    """

    rules: Rules
    """The rules in use."""
    fitted: Rules
    """The rules that the model was calibrated with."""
    is_told: bool = False

    @property
    def changed(self) -> list[str]:
        """The names of the rules that differ, as far as probabilities cannot be shifted to them."""
        names = [each.name for each in fields(self.rules) if each.name != "prior"]
        return [name for name in names if getattr(self.rules, name) != getattr(self.fitted, name)]

    def warn(self) -> None:
        """Warn that probabilities are raw, unless that was said before."""
        if self.is_told:
            return
        self.is_told = True
        names = " and ".join(f"{name}={getattr(self.fitted, name)!r}" for name in self.changed)
        warnings.warn(
            f"probabilities are raw: the model was calibrated with {names}. Set it back, or calibrate the "
            "model again: fit_calibration(texts, labels), or `likely learn MODEL DATA --calibrate`",
            TrainingWarning,
            stacklevel=frames_of_ours(),
        )


# Reliability: how far probabilities can be trusted, as sums over batches of documents -------------------------------


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
        return {name: finite_or_none(getattr(self, name)) for name in MEASURES}


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
    probabilities, every = np.exp(log_probabilities), np.arange(len(gold))
    guess = probabilities.argmax(axis=1)
    confidence, of_gold = probabilities[every, guess], np.where(gold >= 0, log_probabilities[every, gold], -np.inf)
    surprise = -of_gold
    squares = np.einsum("ij,ij->i", probabilities, probabilities) - 2 * np.exp(of_gold) + 1
    bins = confidence_bins(confidence)
    weights = np.ones(len(bins)) if times is None else times
    return Reliability(
        _binned(bins, weights),
        _binned(bins, weights * confidence),
        _binned(bins, weights * (guess == gold)),
        float((weights * squares).sum()),
        float(surprise.sum() if times is None else (weights * surprise).sum()),
    )


def confidence_bins(confidence: Array) -> Places:
    """The bin of each confidence: `BINS` bins of equal width from 0 to 1."""
    return np.clip((confidence * BINS).astype(np.intp), 0, BINS - 1)


def _binned(bins: Places, numbers: Array) -> Array:
    """The sum of these numbers in each bin."""
    return np.bincount(bins, weights=numbers, minlength=BINS).astype(np.float64)


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
        return np.cumsum(sums[::-1])[::-1]  # of all texts first, which no part of it exceeds by rounding

    answered, hits = at_or_above(weights), at_or_above(weights * right)
    places, total = np.searchsorted(steps, thresholds) + 1, float(answered[0])
    rows = zip(thresholds, answered[places].tolist(), hits[places].tolist(), strict=True)
    return [Coverage(float(at), some / total, good / some if some else None) for at, some, good in rows]


def coverage_curve(confidence: Array, right: Mask, times: Array | None = None) -> list[Coverage]:
    """At most `STEPS` rows of coverage, the highest threshold first, with equally many texts between two of them."""
    shares = np.arange(1, STEPS + 1) / STEPS
    thresholds = np.quantile(confidence, 1 - shares, method="lower")
    return coverage_at(confidence, right, np.unique(thresholds)[::-1].tolist(), times)


ENOUGH = 30
"""A band with fewer documents says little about how often the model is right."""
ASKED = 0.9
"""The confidence that people ask about."""
DEVIATIONS = 1.959964
"""The standard deviations on each side of a normal interval of 95%."""
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
        """The 95% interval of the share that is right (Wilson's)."""
        return share_interval(self.right * self.documents, self.documents)

    @property
    def is_too_sure(self) -> bool:
        """Whether the model is right clearly less often than it says."""
        return self.documents >= ENOUGH and self.said - NOTICEABLE > self.interval[1]

    @property
    def is_too_modest(self) -> bool:
        """Whether the model is right clearly more often than it says."""
        return self.documents >= ENOUGH and self.said + NOTICEABLE < self.interval[0]


def share_interval(part: float, whole: float) -> tuple[float, float]:
    """The interval of the share part / whole: from where a sample with this share would not surprise.

    The score interval of Wilson (*Probable Inference, the Law of Succession, and Statistical Inference*, 1927), which
    is also good for small samples and for shares near 0 and 1.

    Examples
    --------
    >>> [round(end, 3) for end in share_interval(90, 100)], [round(end, 3) for end in share_interval(5, 5)]
    ([0.826, 0.945], [0.566, 1.0])
    """
    share, penalty = part / whole, DEVIATIONS**2 / whole
    middle = share + penalty / 2
    half = math.sqrt(penalty * (share * (1 - share) + penalty / 4))
    return max((middle - half) / (1 + penalty), 0.0), min((middle + half) / (1 + penalty), 1.0)


def bands_of(reliability: Reliability) -> list[Band]:
    """All bands that have documents, the least confident first.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.core.calibration import reliability
    >>> [band.documents for band in bands_of(reliability(np.log([[0.9, 0.1], [0.6, 0.4]]), np.array([0, 0])))]
    [1.0, 1.0]
    """
    return _bands(reliability.sizes, reliability.confidence, reliability.right)


def band_of_curve(curve: Sequence[Coverage], documents: int) -> Band | None:
    """The same from a coverage curve, the highest threshold first, as a calibrated model remembers it.

    Between two thresholds there are few documents, so all of them count as if they were as sure as the lower one.

    Examples
    --------
    >>> from likely.core.calibration import Coverage
    >>> band_of_curve([Coverage(0.9, 0.4, 0.95), Coverage(0.6, 1.0, 0.75)], 100)
    Band(said=0.9, right=0.95, documents=40.0)
    """
    answered = np.array([row.coverage for row in curve]) * documents
    right = np.array([row.accuracy or 0.0 for row in curve]) * answered
    said = np.array([row.threshold for row in curve])
    sizes, hits = np.diff(answered, prepend=0.0), np.diff(right, prepend=0.0)
    bins = confidence_bins(said)
    return nearest_band(_bands(_binned(bins, sizes), _binned(bins, sizes * said), _binned(bins, hits)))


def _bands(sizes: Array, confidence: Array, right: Array) -> list[Band]:
    return [
        Band(float(sure / size), float(np.clip(hits / size, 0.0, 1.0)), float(size))
        for size, sure, hits in zip(sizes, confidence, right, strict=True)
        if size > 0
    ]


def nearest_band(bands: list[Band]) -> Band | None:
    """The band whose confidence is nearest to the one asked for, among those with enough documents."""
    large = [band for band in bands if band.documents >= ENOUGH]
    if large:
        return min(large, key=lambda band: abs(band.said - ASKED))
    return max(bands, key=lambda band: band.documents, default=None)


MEASURES = {
    "expected_calibration_error": "expected calibration error",
    "brier": "Brier score",
    "log_loss": "log-loss",
}


def calibration_sentence(reliability: Reliability) -> str:
    """How often a model is right when it is rather sure, as one sentence; '' without documents.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.core.calibration import reliability
    >>> calibration_sentence(reliability(np.log([[0.9, 0.1]] * 1000), np.array([0] * 905 + [1] * 95)))
    'At 90% confidence it is right 89-92% of the time.'
    """
    return band_sentence(nearest_band(bands_of(reliability)))


def band_sentence(band: Band | None) -> str:
    """How often a model is right in a band, as one sentence; '' without a band."""
    if band is None:
        return ""
    low, high = (f"{100 * end:.0f}" for end in band.interval)
    times = low if low == high else f"{low}-{high}"
    verdict = " (over-confident)" if band.is_too_sure else " (under-confident)" if band.is_too_modest else ""
    said = percent(band.said, 0 if band.said < 0.995 else 1)
    return f"At {said} confidence it is right {times}% of the time{verdict}."


def coverage_text(rows: list[Coverage]) -> str:
    """A table of what is answered, and how often that is right, if less probable classes are not answered.

    A threshold below which no text lies is left out, except for the first.

    Examples
    --------
    >>> from likely.core.calibration import Coverage
    >>> print(coverage_text([Coverage(0.0, 1.0, 0.8), Coverage(0.5, 1.0, 0.8), Coverage(0.9, 0.5, 0.95)]))
    threshold  answered  accuracy of answered
    0             100%                   0.8
    0.9          50.0%                  0.95
    """
    shown = [row for at, row in enumerate(rows) if not at or row.coverage != rows[at - 1].coverage]
    texts = [[f"{row.threshold:g}", percent(row.coverage), number(row.accuracy)] for row in shown]
    return table([["threshold", "answered", "accuracy of answered"], *texts])

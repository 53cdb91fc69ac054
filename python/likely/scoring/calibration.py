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

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely import _native
from likely.formulas import log_posterior

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.types import Array, Places

GAMMA = 0.7
"""The gamma at which the search starts."""
MOST_STEPS = 50
LEAST, MOST = np.array([-20.0, 0.0, 0.0]), np.array([20.0, 1.0, 0.95])
"""The bounds of log tau, gamma and delta. Above 1, longer or clearer texts would get less certain probabilities."""
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
        factors: Array = np.exp(np.where(length > 0, by, 0.0))[:, None]
        return factors

    def to_dict(self) -> dict[str, float]:
        """The parameters by name."""
        return asdict(self)


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
    spread: Array = np.sqrt(squares)
    return spread


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
        return Calibration(1.0, 0.0, 0.0)
    return _minimum(Fit.of(joint, length, gold, weights, threads))


def log_loss(
    calibration: Calibration,
    joint: Array,
    length: Array,
    gold: Places,
    threads: int = 1,
    times: Array | None = None,
) -> float:
    """The (weighted) mean of -log P(gold class|document), without computing the probabilities of all classes.

    Examples
    --------
    >>> import numpy as np
    >>> round(log_loss(Calibration(1.0, 0.0, 0.0), np.log([[0.8, 0.2]]), np.ones(1), np.array([1])), 4)
    1.6094
    """
    factors = calibration.factors(joint, length)[:, 0]
    joint = _below_best(joint)
    of_gold = factors * joint[np.arange(len(gold)), gold]
    return float(np.average(_native.soft_moments(joint, factors, threads)[:, 0] - of_gold, weights=times))


def _below_best(joint: Array) -> Array:
    """The scores minus the best score of each document. No probability changes, and rounding errors are smaller."""
    below: Array = np.ascontiguousarray(joint - joint.max(axis=1, keepdims=True), np.float64)
    return below


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
        return Place(at, loss, self.logs @ wrong, self._curve(self.weights * variances, wrong))

    def _curve(self, variances: Array, wrong: Array) -> Array:
        """The Hessian where the loss is convex; elsewhere its expectation, which always leads downhill."""
        exact: Array = (self.logs * (variances + wrong)) @ self.logs.T
        values = np.linalg.eigvalsh(exact)
        if values[0] > -_ROUNDING * values[-1]:
            return exact
        expected: Array = (self.logs * variances) @ self.logs.T
        return expected


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


def _minimum(fit: Fit) -> Calibration:
    """The calibration with the lowest cross-entropy."""
    joint, logs = fit.joint, fit.logs
    # If all texts have length 1, gamma has no effect.
    start = np.array([0.0, GAMMA if logs[1].any() else 0.0, 0.0])
    spread = -np.where(np.isfinite(joint), joint, 0.0).min(axis=1) * np.exp(start @ logs)
    # The search starts with a tau that scales the scores of the median text to a difference of 1. Texts with equal
    # scores for all classes do not show how large the differences are.
    median = float(np.median(spread[spread > 0])) if spread.any() else 1.0
    start[0] = -np.log(max(median, 1e-6))
    at = least(fit.look, start, LEAST, MOST).at
    return Calibration(float(np.exp(at[0])), float(at[1]), float(at[2]))


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

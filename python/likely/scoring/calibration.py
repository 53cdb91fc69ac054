"""Scores to probabilities that mean something.

Naive Bayes counts what words say together as often as there are words, so its probabilities are the more absurd the
longer a text is. The cure has three numbers, fitted by log-loss on scores that the documents would have got from a
model that never saw them::

    P(c|d) ~ exp(tau * score_c(d) / (length(d) ** gamma * spread(d) ** delta))

with ``length`` what the known terms of the document count, and ``spread`` how far its scores lie apart (their
standard deviation over the classes). With gamma and delta 0 it is temperature scaling (Guo et al., *On Calibration of
Modern Neural Networks*, 2017), with gamma 1 the score is the mean over the words. The spread is there for scores that
are not what the length lets expect, as those of complements are: with gamma alone their error on 20 Newsgroups was
twice as large. The order of the classes stays as it is.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.formulas import log_posterior

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from likely.types import Array

GAMMA = 0.7
"""What gamma is where nothing can be told, and where the search for it begins."""
MOST_STEPS = 50
LEAST, MOST = np.array([-20.0, 0.0, 0.0]), np.array([20.0, 1.0, 0.95])
"""Between these log tau, gamma and delta are: beyond 1 longer texts and clearer ones would be less certain."""
LEAST_DAMPING = 1e-9
"""With less there is no step where the documents do not tell the numbers apart, as one document alone does not."""
_CLOSE = 1e-9


@dataclass(frozen=True)
class Calibration:
    """The three numbers.

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
        """Log P(c given text) from scores and lengths.

        A text without known terms gets what its scores say, the prior; one that no class can have made equal ones.
        """
        by = np.array([np.log(self.tau), self.gamma, self.delta]) @ logs_of(joint, length)
        scaled = joint * np.exp(np.where(length > 0, by, 0.0))[:, None]
        return log_posterior(scaled, np.zeros(joint.shape[1]))

    def to_dict(self) -> dict[str, Any]:
        """All as plain data."""
        return asdict(self)


def logs_of(joint: Array, length: Array) -> Array:
    """What the numbers are multiplied with, a row a number, a column a document: 1, -log length, -log spread."""
    finite = np.isfinite(joint)
    filled = np.where(finite, joint, 0.0)
    number = np.maximum(finite.sum(axis=1), 1)
    mean = filled.sum(axis=1) / number
    spread = np.sqrt((np.where(finite, joint - mean[:, None], 0.0) ** 2).sum(axis=1) / number)
    # A text shorter than a word counts as one; where all classes score the same, no factor changes that.
    logs = (np.log(np.maximum(length, 1.0)), np.log(np.where(spread > 0, spread, 1.0)))
    return np.stack([np.ones(len(joint)), -logs[0], -logs[1]])


def fit_calibration(joint: Array, length: Array, own: npt.NDArray[np.intp]) -> Calibration:
    """The calibration that makes the classes ``own`` of some documents most probable.

    ``joint`` must be scores from models that did not see the documents. Documents whose own class was impossible are
    left out: they are the only ones of their class.

    Examples
    --------
    >>> import numpy as np
    >>> joint = np.array([[0.0, -9.0], [0.0, -9.0], [0.0, -9.0], [-9.0, 0.0]])
    >>> fitted = fit_calibration(joint, np.full(4, 9.0), np.array([0, 0, 1, 1]))
    >>> np.exp(fitted.log_probabilities(joint[:1], np.array([9.0]))).round(2)
    array([[0.67, 0.33]])
    """
    possible = np.isfinite(joint[np.arange(len(own)), own])
    joint, length, own = joint[possible], length[possible], own[possible]
    if not len(own) or joint.shape[1] < 2:
        return Calibration(1.0, 0.0, 0.0)
    # What is the same for all classes changes nothing but the rounding.
    joint = joint - joint.max(axis=1, keepdims=True)
    return _minimum(joint, logs_of(joint, length), _targets(joint, own))


@dataclass(frozen=True)
class Place:
    """Some numbers; the loss there, its slope and (nearly) its curvature."""

    at: Array
    loss: float
    slope: Array
    curve: Array


def _minimum(joint: Array, logs: Array, targets: Array) -> Calibration:
    """The least cross-entropy, from where the median text is about certain."""
    # Where all texts are equally long, length says nothing.
    start = np.array([0.0, GAMMA if logs[1].any() else 0.0, 0.0])
    spread = -np.where(np.isfinite(joint), joint, 0.0).min(axis=1) * np.exp(start @ logs)
    # Texts that are the same to all classes say nothing of how far apart the others lie.
    median = float(np.median(spread[spread > 0])) if spread.any() else 1.0
    start[0] = -np.log(max(median, 1e-6))
    at = least(lambda at: _look(at, joint, logs, targets), start, LEAST, MOST).at
    return Calibration(float(np.exp(at[0])), float(at[1]), float(at[2]))


def least(look: Callable[[Array], Place], start: Array, lowest: Array, highest: Array) -> Place:
    """Where a loss is least within bounds, by Levenberg's damped steps (1944)."""
    place, damping = look(start), 1e-3
    for _ in range(MOST_STEPS):
        damped = place.curve + damping * (np.diag(np.diag(place.curve)) + 1e-12 * np.eye(len(start)))
        step = np.linalg.solve(damped, -place.slope)
        found = look(np.clip(place.at + step, lowest, highest))
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


def _look(at: Array, joint: Array, by: Array, targets: Array) -> Place:
    scores = joint * np.exp(at @ by)[:, None]
    logs = log_posterior(scores, np.zeros(joint.shape[1]))
    scores = np.where(np.isfinite(scores), scores, 0.0)
    probabilities = np.exp(logs)
    mean = (probabilities * scores).sum(axis=1)
    variance = (probabilities * scores**2).sum(axis=1) - mean**2
    wrong = mean - (targets * scores).sum(axis=1)
    loss = -(targets * np.where(targets > 0, logs, 0.0)).sum(axis=1).mean()
    return Place(at, float(loss), by @ wrong / len(wrong), (by * variance) @ by.T / len(wrong))


def _targets(joint: Array, own: npt.NDArray[np.intp]) -> Array:
    """What the probabilities should be: a little less than 1 for the own class.

    As many further documents as there are classes, one of each, keep tau finite where every document is right (Platt,
    *Probabilistic Outputs for Support Vector Machines*, 1999, section 2.2, does so for two classes).
    """
    documents, classes = joint.shape
    targets = np.full(joint.shape, 1 / (documents + classes))
    targets[np.arange(documents), own] = (documents + 1) / (documents + classes)
    targets[~np.isfinite(joint)] = 0.0
    shares: Array = targets / targets.sum(axis=1, keepdims=True)
    return shares

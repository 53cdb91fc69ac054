"""Scores to probabilities that mean something.

Naive Bayes counts what words say together as often as there are words, so its probabilities are the more absurd the
longer a text is. The cure has two numbers, fitted by log-loss on scores that the documents would have got from a
model that never saw them::

    P(c|d) ~ exp(tau * score_c(d) / length(d) ** gamma)

with ``length`` what the known terms of the document count. With gamma 0 it is temperature scaling (Guo et al., *On
Calibration of Modern Neural Networks*, 2017), with gamma 1 the score is the mean over the words. The order of the
classes stays as it is.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.formulas import log_posterior

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.formulas import Array

GAMMA = 0.7
"""What gamma is where nothing can be told, and where the search for it begins."""
MOST_STEPS = 50
MOST_LOG_TAU = 20.0
_CLOSE = 1e-9


@dataclass(frozen=True)
class Calibration:
    """The two numbers.

    Examples
    --------
    >>> import numpy as np
    >>> joint, length = np.log([[0.8, 0.2]]), np.array([4.0])
    >>> np.exp(Calibration(1.0, 0.5).log_probabilities(joint, length)).round(3)
    array([[0.667, 0.333]])
    """

    tau: float
    gamma: float

    def log_probabilities(self, joint: Array, length: Array) -> Array:
        """Log P(c given text) from scores and lengths; a text that no class can have made gets equal ones."""
        scaled = self.tau * per_length(joint, length, self.gamma)
        return log_posterior(scaled, np.zeros(joint.shape[1]))

    def to_dict(self) -> dict[str, Any]:
        """Both as plain data."""
        return asdict(self)


def per_length(joint: Array, length: Array, gamma: float) -> Array:
    """Scores by length to the power of gamma; a text shorter than one word counts as one."""
    by_length: Array = joint / (np.maximum(length, 1.0) ** gamma)[:, None]
    return by_length


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
        return Calibration(1.0, 0.0)
    # What is the same for all classes changes nothing but the rounding.
    joint = joint - joint.max(axis=1, keepdims=True)
    return _minimum(joint, np.log(np.maximum(length, 1.0)), _targets(joint, own))


@dataclass(frozen=True)
class _Place:
    """A log tau and a gamma, the cross-entropy there, its slope and (nearly) its curvature."""

    at: Array
    loss: float
    slope: Array
    curve: Array


def _minimum(joint: Array, log_length: Array, targets: Array) -> Calibration:
    """The least cross-entropy, by Levenberg's damped steps (1944) from temperature 1 a word on."""
    # Nearly all that a score is worth at first: what the median document says, by the same of its words.
    spread = np.median(-np.where(np.isfinite(joint), joint, 0.0).min(axis=1) / np.exp(GAMMA * log_length))
    gamma = GAMMA if log_length.any() else 0.0  # where all are equally long, length says nothing
    place = _look(np.array([-np.log(max(float(spread), 1e-6)), gamma]), joint, log_length, targets)
    damping = 1e-3
    for _ in range(MOST_STEPS):
        step = np.linalg.solve(
            place.curve + damping * (np.eye(2) * np.diag(place.curve) + 1e-12 * np.eye(2)), -place.slope
        )
        at = np.clip(place.at + step, [-MOST_LOG_TAU, 0.0], [MOST_LOG_TAU, 1.0])
        found = _look(at, joint, log_length, targets)
        if found.loss > place.loss:
            damping *= 10
            if damping > 1e12:
                break
            continue
        done = place.loss - found.loss <= _CLOSE * place.loss
        place, damping = found, damping / 10
        if done:
            break
    return Calibration(float(np.exp(place.at[0])), float(place.at[1]))


def _look(at: Array, joint: Array, log_length: Array, targets: Array) -> _Place:
    scores = joint * np.exp(at[0] - at[1] * log_length)[:, None]
    logs = log_posterior(scores, np.zeros(joint.shape[1]))
    scores = np.where(np.isfinite(scores), scores, 0.0)
    probabilities = np.exp(logs)
    mean = (probabilities * scores).sum(axis=1)
    spread = (probabilities * scores**2).sum(axis=1) - mean**2
    wrong = mean - (targets * scores).sum(axis=1)
    # Both numbers scale the scores: by 1, and by minus the logarithm of the length.
    by = np.stack([np.ones(len(log_length)), -log_length])
    loss = -(targets * np.where(targets > 0, logs, 0.0)).sum(axis=1).mean()
    return _Place(at, float(loss), by @ wrong / len(wrong), (by * spread) @ by.T / len(wrong))


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

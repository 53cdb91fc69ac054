"""Scores to probabilities that mean something.

Naive Bayes counts what words say together as often as there are words, so its probabilities are the more absurd the
longer a text is. The cure has two numbers, fitted by log-loss on scores that the documents would have got from a model
that never saw them::

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

LEAST_TAU, MOST_TAU = 1e-6, 1e6
GAMMA_STEPS = 12
"""So many times the place of the best gamma is narrowed down, each time by the golden ratio: to 0.003."""
_GOLDEN = (5**0.5 - 1) / 2
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
    targets = _targets(joint, own)

    def best_tau(gamma: float) -> tuple[float, float]:
        return _best_tau(per_length(joint, length, gamma), targets)

    low, high = 0.0, 1.0
    inner = [high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)]
    losses = [best_tau(gamma)[1] for gamma in inner]
    for _ in range(GAMMA_STEPS):
        if losses[0] <= losses[1]:
            high, inner[1], losses[1] = inner[1], inner[0], losses[0]
            inner[0] = high - _GOLDEN * (high - low)
            losses[0] = best_tau(inner[0])[1]
        else:
            low, inner[0], losses[0] = inner[0], inner[1], losses[1]
            inner[1] = low + _GOLDEN * (high - low)
            losses[1] = best_tau(inner[1])[1]
    gamma = (low + high) / 2
    return Calibration(best_tau(gamma)[0], gamma)


def _targets(joint: Array, own: npt.NDArray[np.intp]) -> Array:
    """What the probabilities should be: a little less than 1 for the own class.

    As many further documents as there are classes, one of each, keep tau finite where every document is right (Platt,
    *Probabilistic Outputs for Support Vector Machines*, 1999, section 2.2, does so for two classes).
    """
    documents, classes = joint.shape
    targets = np.full(joint.shape, 1 / (documents + classes))
    targets[np.arange(documents), own] = (documents + 1) / (documents + classes)
    targets[~np.isfinite(joint)] = 0.0
    return targets / targets.sum(axis=1, keepdims=True)


def _best_tau(scores: Array, targets: Array) -> tuple[float, float]:
    """The tau with the least cross-entropy, which is convex in it, by Newton's steps; and that cross-entropy."""
    finite = np.isfinite(scores)
    filled = np.where(finite, scores, 0.0)
    wanted = float((targets * filled).sum(axis=1).mean())
    low, high, tau = LEAST_TAU, MOST_TAU, 1.0
    for _ in range(60):
        probabilities = np.where(finite, np.exp(_shifted(tau * filled, finite)), 0.0)
        total = probabilities.sum(axis=1, keepdims=True)
        probabilities /= total
        means = (probabilities * filled).sum(axis=1)
        slope = float(means.mean()) - wanted
        curve = float(((probabilities * filled**2).sum(axis=1) - means**2).mean())
        low, high = (tau, high) if slope < 0 else (low, tau)
        step = tau - slope / curve if curve > 0 else (low + high) / 2
        # Outside of where the best one must be, the geometric mean is the better guess.
        following = step if low < step < high else float(np.sqrt(low * high))
        if abs(following - tau) <= _CLOSE * tau:
            break
        tau = following
    return tau, cross_entropy(tau * scores, targets)


def _shifted(scores: Array, finite: npt.NDArray[np.bool_]) -> Array:
    shifted: Array = scores - np.where(finite, scores, -np.inf).max(axis=1, keepdims=True)
    return shifted


def cross_entropy(scores: Array, targets: Array) -> float:
    """The mean of what the targets are surprised by probabilities that are as exp of the scores."""
    logs = log_posterior(scores, np.zeros(scores.shape[1]))
    return float(-(targets * np.where(targets > 0, logs, 0.0)).sum(axis=1).mean())

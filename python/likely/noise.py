"""How probable it is that a label is wrong, from scores of models that never saw the documents.

Labels are taken as right but for a share of them, wrong at random: with ``q`` the calibrated probability of the
label's class by the text (see `likely.calibrate`) and K classes ::

    P(label|d) = (1 - share) q + share (1 - q) / (K - 1)

tau, gamma and the share are those that make the labels most probable, so no threshold is set by hand; that the label
is wrong has the odds of the second summand to the first. It is the model of Lawrence and Schoelkopf (*Estimating a
Kernel Fisher Discriminant in the Presence of Label Noise*, 2001) and of the robust logistic regression of Bootkrajang
and Kaban (*Label-Noise Robust Logistic Regression and Its Applications*, 2012), with a single share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely.calibrate import MOST_LOG_TAU, Place, fit_calibration, least, per_length
from likely.formulas import log_posterior

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.formulas import Array

START = 0.05
"""The share of wrong labels from which the search for it begins."""
MOST_LOGIT = 20.0
_LEAST = 1e-300


@dataclass(frozen=True)
class Noise:
    """The numbers: tau and gamma of the calibration, and the share of labels that are wrong.

    Examples
    --------
    >>> import numpy as np
    >>> noise, joint = Noise(1.0, 0.0, 0.1), np.log([[0.8, 0.2]])
    >>> noise.log_odds(joint, np.ones(1), np.array([1])).round(4)  # 0.1 * 0.8 to 0.9 * 0.2
    array([-0.8109])
    """

    tau: float
    gamma: float
    share: float

    def log_odds(self, joint: Array, length: Array, own: npt.NDArray[np.intp]) -> Array:
        """That the labels ``own`` are wrong against that they are right."""
        logs = log_posterior(self.tau * per_length(joint, length, self.gamma), np.zeros(joint.shape[1]))
        right = logs[np.arange(len(own)), own]
        with np.errstate(divide="ignore"):
            wrong = np.log(np.maximum(-np.expm1(right), 0.0)) - np.log(max(joint.shape[1] - 1, 1))
            odds: Array = wrong - right + np.log(self.share) - np.log1p(-self.share)
        return odds


def fit_noise(joint: Array, length: Array, own: npt.NDArray[np.intp]) -> Noise:
    """The numbers that make the labels ``own`` of some documents most probable.

    ``joint`` must be scores from models that did not see the documents.

    Examples
    --------
    >>> import numpy as np
    >>> own = np.array([0, 1] * 100)
    >>> joint = np.where(own[:, None] == [0, 1], 0.0, -30.0)
    >>> labels = np.where(np.arange(200) % 20 == 0, 1 - own, own)
    >>> round(fit_noise(joint, np.full(200, 30.0), labels).share, 2)
    0.05
    """
    if not len(own) or joint.shape[1] < 2:
        return Noise(1.0, 0.0, 1 / (len(own) + 2))
    calibration = fit_calibration(joint, length, own)
    top = joint.max(axis=1, keepdims=True)
    scores = joint - np.where(np.isfinite(top), top, 0.0)
    log_length = np.log(np.maximum(length, 1.0))
    start = np.array([np.log(calibration.tau), calibration.gamma, np.log(START / (1 - START))])
    # More labels are right than wrong, or nothing could be told.
    bounds = np.array([[-MOST_LOG_TAU, 0.0, -MOST_LOGIT], [MOST_LOG_TAU, 1.0, 0.0]])
    found = least(lambda at: _look(at, scores, log_length, own), start, bounds).at
    return Noise(float(np.exp(found[0])), float(found[1]), _share(found[2]))


def _share(logit: float) -> float:
    return float(1 / (1 + np.exp(-logit)))


def _look(at: Array, joint: Array, log_length: Array, own: npt.NDArray[np.intp]) -> Place:
    """The loss, and its curvature from the slopes of the documents (Berndt, Hall, Hall and Hausman 1974)."""
    size, rows = len(own), np.arange(len(own))
    scores = joint * np.exp(at[0] - at[1] * log_length)[:, None]
    probabilities = np.exp(log_posterior(scores, np.zeros(joint.shape[1])))
    scores = np.where(np.isfinite(scores), scores, 0.0)
    right, share, each = probabilities[rows, own], _share(at[2]), 1 / (joint.shape[1] - 1)
    label = np.maximum((1 - share) * right + share * each * (1 - right), _LEAST)
    change = right * (scores[rows, own] - (probabilities * scores).sum(axis=1)) * (1 - share - share * each)
    slopes = np.stack([change, -change * log_length, share * (1 - share) * (each * (1 - right) - right)]) / label
    # One further label that is right and one that is wrong keep the share from 0 and 1 (Laplace).
    loss = -(np.log(label).sum() + np.log(share) + np.log1p(-share)) / size
    slope = -(slopes.sum(axis=1) + np.array([0.0, 0.0, 1 - 2 * share])) / size
    return Place(at, float(loss), slope, slopes @ slopes.T / size)

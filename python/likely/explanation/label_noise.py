"""How probable it is that a label is wrong, from scores of models that never saw the documents.

Labels are taken as right but for a share of them, wrong at random: with ``q`` the calibrated probability of the
label's class by the text (see `likely.scoring.calibration`) and K classes ::

    P(label|d) = (1 - share) q + share (1 - q) / (K - 1)

Share and calibration are those that make the labels most probable, so no threshold is set by hand; that the label
is wrong has the odds of the second summand to the first. It is the model of Lawrence and Schoelkopf (*Estimating a
Kernel Fisher Discriminant in the Presence of Label Noise*, 2001) and of the robust logistic regression of Bootkrajang
and Kaban (*Label-Noise Robust Logistic Regression and Its Applications*, 2012), with a single share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely.formulas import log_posterior
from likely.scoring.calibration import LEAST, MOST, Calibration, Place, fit_calibration, least, logs_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.types import Array

START = 0.05
"""The share of wrong labels from which the search for it begins."""
MOST_LOGIT = 20.0
_LEAST = 1e-300


@dataclass(frozen=True)
class Noise:
    """How scores are calibrated to the right labels, and the share of those that are wrong.

    Examples
    --------
    >>> import numpy as np
    >>> noise, joint = Noise(Calibration(1.0, 0.0, 0.0), 0.1), np.log([[0.8, 0.2]])
    >>> noise.log_odds(joint, np.ones(1), np.array([1])).round(4)  # 0.1 * 0.8 to 0.9 * 0.2
    array([-0.8109])
    """

    calibration: Calibration
    share: float

    def log_odds(self, joint: Array, length: Array, own: npt.NDArray[np.intp]) -> Array:
        """That the labels ``own`` are wrong against that they are right."""
        right = self.calibration.log_probabilities(joint, length)[np.arange(len(own)), own]
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
    calibration = fit_calibration(joint, length, own)
    if not len(own) or joint.shape[1] < 2:
        return Noise(calibration, 1 / (len(own) + 2))
    top = joint.max(axis=1, keepdims=True)
    scores, logs = joint - np.where(np.isfinite(top), top, 0.0), logs_of(joint, length)
    begin = np.array([np.log(calibration.tau), calibration.gamma, calibration.delta])
    # That clear scores mean less than they say would explain wrong labels too: so the share comes first, without
    # delta. More labels are right than wrong, or nothing could be told.
    lowest, highest = np.append(LEAST[:2], -MOST_LOGIT), np.append(MOST[:2], 0.0)
    plain = np.array([begin[0] + begin[2] * logs[2].mean(), begin[1], np.log(START / (1 - START))])
    share = _share(least(lambda at: _look(at, scores, logs[:2], own), plain, lowest, highest).at[2])
    found = least(lambda at: _look(at, scores, logs, own, share), begin, LEAST, MOST).at
    return Noise(Calibration(*(float(each) for each in (np.exp(found[0]), found[1], found[2]))), share)


def _share(logit: float) -> float:
    return float(1 / (1 + np.exp(-logit)))


def _look(at: Array, joint: Array, by: Array, own: npt.NDArray[np.intp], known: float | None = None) -> Place:
    """The loss, and its curvature from the slopes of the documents (Berndt, Hall, Hall and Hausman 1974)."""
    size, rows = len(own), np.arange(len(own))
    scores = joint * np.exp(at[: len(by)] @ by)[:, None]
    probabilities = np.exp(log_posterior(scores, np.zeros(joint.shape[1])))
    scores = np.where(np.isfinite(scores), scores, 0.0)
    right, each = probabilities[rows, own], 1 / (joint.shape[1] - 1)
    share = _share(at[-1]) if known is None else known
    label = np.maximum((1 - share) * right + share * each * (1 - right), _LEAST)
    change = right * (scores[rows, own] - (probabilities * scores).sum(axis=1)) * (1 - share - share * each)
    slopes = change * by / label
    loss, slope = -np.log(label).sum(), -slopes.sum(axis=1)
    if known is None:
        slopes = np.vstack([slopes, share * (1 - share) * (each * (1 - right) - right) / label])
        # One further label that is right and one that is wrong keep the share from 0 and 1 (Laplace).
        loss -= np.log(share) + np.log1p(-share)
        slope = np.append(slope, -slopes[-1].sum() - (1 - 2 * share))
    return Place(at, float(loss / size), slope / size, slopes @ slopes.T / size)

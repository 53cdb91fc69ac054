"""`Noise`: the probability that a label is wrong, from scores of models that did not see the documents.

The model assumes that a share of the labels is wrong at random. With K classes, and with ``q`` the calibrated
probability of the label's class (see `likely.scoring.calibration`) ::

    P(label|d) = (1 - share) q + share (1 - q) / (K - 1)

The share and the calibration are those that make the labels most probable, so there is no threshold to set. The odds
that a label is wrong are the second summand divided by the first. This is the model of Lawrence and Schoelkopf
(*Estimating a Kernel Fisher Discriminant in the Presence of Label Noise*, 2001) and of the robust logistic regression
of Bootkrajang and Kaban (*Label-Noise Robust Logistic Regression and Its Applications*, 2012), with a single share.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely.formulas import log_posterior
from likely.scoring.calibration import LEAST, MOST, Calibration, Place, fit_calibration, least, logs_of

if TYPE_CHECKING:
    from likely.types import Array, Places

START = 0.05
"""The share of wrong labels at which the search starts."""
MOST_LOGIT = 20.0
_LEAST = 1e-300


@dataclass(frozen=True)
class Noise:
    """The calibration of scores to the right labels, and the share of labels that are wrong.

    Examples
    --------
    >>> import numpy as np
    >>> noise, joint = Noise(Calibration(1.0, 0.0, 0.0), 0.1), np.log([[0.8, 0.2]])
    >>> noise.log_odds(joint, np.ones(1), np.array([1])).round(4)  # 0.1 * 0.8 to 0.9 * 0.2
    array([-0.8109])
    """

    calibration: Calibration
    share: float

    def log_odds(self, joint: Array, length: Array, gold: Places) -> Array:
        """The log-odds that each label is wrong; ``gold`` are the labels, by place."""
        right = self.calibration.log_probabilities(joint, length)[np.arange(len(gold)), gold]
        with np.errstate(divide="ignore"):
            wrong = np.log(np.maximum(-np.expm1(right), 0.0)) - np.log(max(joint.shape[1] - 1, 1))
            odds: Array = wrong - right + np.log(self.share) - np.log1p(-self.share)
        return odds


def fit_noise(joint: Array, length: Array, gold: Places) -> Noise:
    """The calibration and the share that make the labels ``gold`` of documents (by place) most probable.

    ``joint`` must be scores from models that did not see the documents.

    Examples
    --------
    >>> import numpy as np
    >>> gold = np.array([0, 1] * 100)
    >>> joint = np.where(gold[:, None] == [0, 1], 0.0, -30.0)
    >>> labels = np.where(np.arange(200) % 20 == 0, 1 - gold, gold)
    >>> round(fit_noise(joint, np.full(200, 30.0), labels).share, 2)
    0.05
    """
    calibration = fit_calibration(joint, length, gold)
    if not len(gold) or joint.shape[1] < 2:
        return Noise(calibration, 1 / (len(gold) + 2))
    top = joint.max(axis=1, keepdims=True)
    scores, logs = joint - np.where(np.isfinite(top), top, 0.0), logs_of(joint, length)
    begin = np.array([np.log(calibration.tau), calibration.gamma, calibration.delta])
    # A delta above 0 (clear scores mean less than they seem to) would also explain wrong labels, so the share is
    # fitted first, without delta. It is at most 1/2: more labels are right than wrong.
    lowest, highest = np.append(LEAST[:2], -MOST_LOGIT), np.append(MOST[:2], 0.0)
    plain = np.array([begin[0] + begin[2] * logs[2].mean(), begin[1], np.log(START / (1 - START))])
    share = _share(least(lambda at: _look(at, scores, logs[:2], gold), plain, lowest, highest).at[2])
    found = least(lambda at: _look(at, scores, logs, gold, share), begin, LEAST, MOST).at
    return Noise(Calibration(*(float(each) for each in (np.exp(found[0]), found[1], found[2]))), share)


def _share(logit: float) -> float:
    return float(1 / (1 + np.exp(-logit)))


def _look(at: Array, joint: Array, by: Array, gold: Places, known: float | None = None) -> Place:
    """The loss and its gradient; the Hessian is approximated by outer products (Berndt, Hall, Hall, Hausman 1974)."""
    size, rows = len(gold), np.arange(len(gold))
    scores = joint * np.exp(at[: len(by)] @ by)[:, None]
    probabilities = np.exp(log_posterior(scores, np.zeros(joint.shape[1])))
    scores = np.where(np.isfinite(scores), scores, 0.0)
    right, each = probabilities[rows, gold], 1 / (joint.shape[1] - 1)
    share = _share(at[-1]) if known is None else known
    label = np.maximum((1 - share) * right + share * each * (1 - right), _LEAST)
    change = right * (scores[rows, gold] - (probabilities * scores).sum(axis=1)) * (1 - share - share * each)
    slopes = change * by / label
    loss, slope = -np.log(label).sum(), -slopes.sum(axis=1)
    if known is None:
        slopes = np.vstack([slopes, share * (1 - share) * (each * (1 - right) - right) / label])
        # One more right label and one more wrong label keep the share away from 0 and 1 (Laplace).
        loss -= np.log(share) + np.log1p(-share)
        slope = np.append(slope, -slopes[-1].sum() - (1 - 2 * share))
    return Place(at, float(loss / size), slope / size, slopes @ slopes.T / size)

"""`Noise`: the probability that a label is wrong, from scores of models that did not see the documents.

The model assumes that a share of the labels is wrong at random. With K classes, and with ``q`` the calibrated
probability of the label's class (see `likely.core.calibration`) ::

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

from likely.arrow_data import listed_texts
from likely.core.calibration import LEAST, MOST, Calibration, Place, fit_calibration, least, logs_of
from likely.core.cross_validation import judged
from likely.errors import OptionError
from likely.explanation.explanation import evidence_of
from likely.formulas import finite_or_none, log_posterior
from likely.labels import python_labels
from likely.options.kinds import is_whole
from likely.terminal import number, printable

if TYPE_CHECKING:
    from likely.core.weights import ModelView
    from likely.types import Array, Groups, Label, Labels, Places, SampleWeight, Texts


START = 0.05
"""The share of wrong labels at which the search starts."""
INFORMED = 16.3
"""Twice the log of the likelihood ratio from which scores say more about the labels than the sizes of the classes do:
chi-squared with three degrees of freedom at 0.001. Scores that say less do not contradict a label."""
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
    found = least(lambda at: _look(at, scores, logs, gold, share), begin, LEAST, MOST)
    sizes = np.unique(gold, return_counts=True)[1]
    if 2 * (len(gold) * (np.log(len(gold)) - found.loss) - sizes @ np.log(sizes)) < INFORMED:
        return Noise(Calibration(float(np.exp(LEAST[0])), 0.0, 0.0), 1 / (len(gold) + 2))
    return Noise(Calibration(float(np.exp(found.at[0])), float(found.at[1]), float(found.at[2])), share)


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


TERMS = 8
"""At most this many terms are given as evidence."""
SHOWN = 200
"""At most this many characters of a text are shown."""


@dataclass(frozen=True)
class Suspect:
    """A document that is probably mislabelled.

    Attributes
    ----------
    row : int
        Its index among the documents, from 0; printed, it is a row, which is counted from 1 in every message.
    text : str
        The document.
    label, suggested : str, int or bool
        Its label, and the class that a model without the document predicts.
    probability : float
        The probability that the label is wrong.
    terms : list of (str, float)
        The terms that are the strongest evidence for the suggested class against the label, each with what it adds
        to the log-odds of the model, as `explain` has it without the calibration.
    words : list of str
        The same terms as the text has them.
    """

    row: int
    text: str
    label: Label
    suggested: Label
    probability: float
    terms: list[tuple[str, float]]
    words: list[str]

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data; infinite numbers are None, because JSON has no infinity."""
        return {**vars(self), "terms": [[term, finite_or_none(value)] for term, value in self.terms]}

    def __str__(self) -> str:
        label, suggested = printable(self.label), printable(self.suggested)
        pairs = zip(self.words, self.terms, strict=True)
        words = ", ".join(f"{printable(word)} {value:+.3g}" for word, (_, value) in pairs)
        shown = self.text if len(self.text) <= SHOWN else self.text[: SHOWN - 3] + "..."
        first = f"row {self.row + 1}: {label}, rather {suggested} (wrong with probability {number(self.probability)})"
        return "\n".join([first, f"  {words or 'no term, but the prior'}", f"  {printable(' '.join(shown.split()))}"])


class Suspects(list[Suspect]):
    """The documents that are probably mislabelled, worst first: a list that prints itself."""

    def __str__(self) -> str:
        return "\n\n".join(map(str, self)) or "No document is probably mislabelled."


def suspects(
    moment: ModelView,
    texts: Texts,
    labels: Labels,
    n: int | None,
    threads: int,
    sample_weight: SampleWeight | None = None,
    groups: Groups | None = None,
) -> Suspects:
    """The documents that are most probably mislabelled, worst first; see `likely.NaiveBayes.suspects`."""
    if n is not None and not (is_whole(n) and n >= 0):
        raise OptionError(f"n={n!r} is not allowed: n must be a whole number >= 0")
    listed, given = listed_texts(texts), python_labels(labels)
    classes = moment.classes
    left, gold = judged(moment, threads, listed, given, sample_weight, groups)
    # If a document is the only one of its class, a model without it does not have that class.
    known = np.flatnonzero(np.isfinite(left.joint[np.arange(len(gold)), gold]))
    joint, length = left.joint[known], left.length[known]
    some, suggested, probabilities = worst(fit_noise(joint, length, gold[known]), joint, length, gold[known], n)
    rows = known[some]
    speaking = [
        _speaking(moment, listed[row], classes.labels[other], classes.labels[label])
        for row, other, label in zip(rows.tolist(), suggested.tolist(), gold[rows].tolist(), strict=True)
    ]
    numbers = zip(rows.tolist(), suggested.tolist(), probabilities.tolist(), speaking, strict=True)
    return Suspects(
        Suspect(row, listed[row], given[row], classes.labels[place], probability, *speaking)
        for row, place, probability, speaking in numbers
    )


def worst(
    noise: Noise, joint: Array, length: Array, gold: Places, n: int | None = None
) -> tuple[Places, Places, Array]:
    """The ``n`` rows that are most probably mislabelled; by default, the number is that of `best_length`.

    Only rows whose label does not have the best score are listed: their places, the classes that are suggested, and
    the probability that the label is wrong.

    Examples
    --------
    >>> joint = np.array([[0.0, -9.0], [0.0, -9.0], [-9.0, 0.0], [-1.0, 0.0]])
    >>> from likely.core.calibration import Calibration
    >>> noise = Noise(Calibration(1.0, 0.0, 0.0), 0.1)
    >>> worst(noise, joint, np.ones(4), np.array([0, 1, 1, 0]))[0]
    array([1])
    """
    mine = np.arange(len(gold))
    others = joint.copy()
    others[mine, gold] = -np.inf
    suggested = others.argmax(axis=1)
    odds = noise.log_odds(joint, length, gold)
    order = np.argsort(-odds, kind="stable")
    probabilities = 1 / (1 + np.exp(-np.clip(odds, -700.0, 700.0)))
    order = order[: best_length(probabilities[order]) if n is None else len(order)]
    order = order[others[order, suggested[order]] > joint[order, gold[order]]][:n]
    return order, suggested[order], probabilities[order]


def best_length(probabilities: Array) -> int:
    """The number of findings to report that has the best expected F1; ``probabilities`` are sorted, highest first.

    F1 is computed from expected counts (Lewis, *Evaluating and Optimizing Autonomous Text Classification Systems*,
    1995). An empty report has an F1 of 1 if there is nothing to find, else 0.

    Examples
    --------
    >>> best_length(np.array([0.9, 0.8, 0.1, 0.1])), best_length(np.array([0.1, 0.1]))
    (2, 0)
    """
    if not len(probabilities):
        return 0
    found = np.cumsum(probabilities)
    expected = 2 * found / (np.arange(1, len(found) + 1) + found[-1])
    with np.errstate(divide="ignore"):
        nothing = np.exp(np.log1p(-probabilities).sum())
    return 0 if nothing >= expected.max() else int(expected.argmax()) + 1


def _speaking(moment: ModelView, text: str, a: Label, b: Label) -> tuple[list[tuple[str, float]], list[str]]:
    """The terms of a text that speak most for class ``a`` against ``b``, as `explain` has them, and their words."""
    evidence, _ = evidence_of(moment, moment.classes, moment.counts.analyzer.prepared(text))
    found = [(each.contribution[a] - each.contribution[b], each) for each in evidence]
    best = sorted((pair for pair in found if pair[0] > 0), key=lambda pair: -pair[0])[:TERMS]
    return [(each.term, value) for value, each in best], [each.word for _, each in best]

"""The documents in the order of the score of one class: curves, the areas below them, and who moves these areas."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from likely.evaluation.table import ratio

if TYPE_CHECKING:
    from likely.types import Array, Mask, Places


class RocCurve(NamedTuple):
    """The points of a ROC curve, the highest threshold first.

    The first point, at an infinite threshold, is (0, 0).
    """

    false_positive_rate: Array
    """The share of the documents outside of the class that are at or above the threshold."""
    true_positive_rate: Array
    """The share of the documents in the class that are at or above the threshold: recall."""
    thresholds: Array
    """The probabilities of the class."""


class PrecisionRecallCurve(NamedTuple):
    """The points of a precision-recall curve, the lowest threshold first.

    The last point, which has no threshold, is precision 1 and recall 0.
    """

    precision: Array
    recall: Array
    thresholds: Array
    """The probabilities of the class: one fewer than points."""


@dataclass(frozen=True, eq=False)
class Ranked:
    """Documents in the order of the score of one class. Equal scores are one step.

    Attributes
    ----------
    scores : array
        The score of each step, the highest first.
    tp, fp : array
        The number of documents in the class, and of others, at this step or before it.
    step : array
        The step of each document.
    positive : array
        Whether each document is in the class.
    """

    scores: Array
    tp: Array
    fp: Array
    step: Places
    positive: Mask

    @property
    def positives(self) -> float:
        """The number of documents in the class."""
        return float(self.tp[-1])

    @property
    def negatives(self) -> float:
        """The number of documents outside of the class."""
        return float(self.fp[-1])

    @cached_property
    def _new_tp(self) -> Array:
        return np.diff(self.tp, prepend=0.0)

    @cached_property
    def _new_fp(self) -> Array:
        return np.diff(self.fp, prepend=0.0)

    @cached_property
    def precision(self) -> Array:
        """The precision at each step."""
        return self.tp / (self.tp + self.fp)

    @cached_property
    def roc_auc(self) -> float:
        """The area under the ROC curve: how often a document in the class ranks above another; ties count half."""
        pairs = float((self._new_fp * (self.tp - self._new_tp / 2)).sum())
        return pairs / (self.positives * self.negatives)

    @cached_property
    def average_precision(self) -> float:
        """The area under the precision-recall curve: the mean of precision over the gains of recall."""
        return float((self._new_tp * self.precision).sum()) / self.positives

    def roc_curve(self) -> RocCurve:
        """The ROC curve; its shares are NaN if no document, or every one, is in the class."""
        points = (np.concatenate([[0.0], each]) for each in (self.fp, self.tp))
        x, y = (ratio(each, np.full(len(each), each[-1])) for each in points)
        return RocCurve(x, y, np.concatenate([[np.inf], np.exp(self.scores)]))

    def precision_recall_curve(self) -> PrecisionRecallCurve:
        """The precision-recall curve; recall is NaN if no document is in the class."""
        recall = ratio(self.tp, np.full(len(self.tp), self.positives))
        precision = np.concatenate([self.precision[::-1], [1.0]])
        return PrecisionRecallCurve(precision, np.concatenate([recall[::-1], [0.0]]), np.exp(self.scores[::-1]))

    def influences(self) -> Array:
        """By how much each document moves `roc_auc` (first column) and `average_precision` (second column).

        The numbers are multiplied by the number of documents; the mean of each column is 0. The first column is 0 if
        every document is in the class.
        """
        moves = np.zeros((len(self.scores), 2, 2))  # per step, for documents outside and inside, of both areas
        if self.negatives:
            moves[:, 0, 0], moves[:, 1, 0] = self._roc_moves()
        moves[:, 0, 1], moves[:, 1, 1] = self._precision_moves()
        moves *= len(self.step)
        return moves.reshape(-1, 2)[2 * self.step + self.positive]

    def _roc_moves(self) -> tuple[Array, Array]:
        """By how much a document outside of the class, and one inside, moves `roc_auc`, at each step.

        These are the components of DeLong, DeLong and Clarke-Pearson (*Comparing the Areas under Two or More
        Correlated Receiver Operating Characteristic Curves*, 1988).
        """
        below = (self.negatives - self.fp + self._new_fp / 2) / self.negatives
        above = (self.tp - self._new_tp / 2) / self.positives
        return (above - self.roc_auc) / self.negatives, (below - self.roc_auc) / self.positives

    def _precision_moves(self) -> tuple[Array, Array]:
        """By how much a document outside of the class, and one inside, moves `average_precision`, at each step.

        A document in the class adds the precision at its own step. Every document changes the precision at its step
        and at all steps after it: by (1 - precision) / n if it is in the class, and by -precision / n if not.
        """
        at_or_before = self.tp + self.fp
        gains = np.cumsum((self._new_tp / at_or_before)[::-1])[::-1]
        losses = np.cumsum((self._new_tp * self.precision / at_or_before)[::-1])[::-1]
        own = self.precision - self.average_precision
        return -losses / self.positives, (own + gains - losses) / self.positives


def ranked(scores: Array, positive: Mask) -> Ranked:
    """The documents in the order of their scores.

    Examples
    --------
    >>> import numpy as np
    >>> found = ranked(np.log([0.9, 0.6, 0.6, 0.2]), np.array([True, False, True, False]))
    >>> found.roc_auc, round(found.average_precision, 4)
    (0.875, 0.8333)
    """
    scores = np.ascontiguousarray(scores)  # a column of a table is slow to sort
    order = np.argsort(scores)[::-1]
    descending, inside = scores[order], positive[order]
    is_last = np.append(descending[1:] != descending[:-1], True)
    last = np.flatnonzero(is_last)
    tp = np.cumsum(inside)[last].astype(np.float64)
    step = np.empty(len(order), np.intp)
    step[order] = np.cumsum(is_last) - is_last
    return Ranked(descending[last], tp, last + 1 - tp, step, positive)

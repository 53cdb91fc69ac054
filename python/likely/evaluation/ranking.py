"""`Ranking`: how well the probabilities of each class put the documents in order, one class against the rest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from likely.errors import OptionError
from likely.evaluation.measures import ratio
from likely.formulas import share
from likely.labels import ClassPlaces
from likely.options.kinds import is_whole

if TYPE_CHECKING:
    from likely.types import Array, Label, Mask, Places, Plain


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
    """

    scores: Array
    tp: Array
    fp: Array

    @property
    def precision(self) -> Array:
        """The precision at each step."""
        return self.tp / (self.tp + self.fp)

    @property
    def roc_auc(self) -> float | None:
        """The area under the ROC curve: how often a document in the class ranks above another; ties count half.

        None if no document, or every one, is in the class.
        """
        pairs = float((np.diff(self.fp, prepend=0.0) * (self.tp - np.diff(self.tp, prepend=0.0) / 2)).sum())
        return share(pairs, float(self.tp[-1] * self.fp[-1]))

    @property
    def average_precision(self) -> float | None:
        """The area under the precision-recall curve: the mean of precision over the gains of recall.

        None if no document is in the class.
        """
        return share(float((np.diff(self.tp, prepend=0.0) * self.precision).sum()), float(self.tp[-1]))

    def roc_curve(self) -> RocCurve:
        """The ROC curve; its shares are NaN if no document, or every one, is in the class."""
        points = (np.concatenate([[0.0], each]) for each in (self.fp, self.tp))
        x, y = (ratio(each, np.full(len(each), each[-1])) for each in points)
        return RocCurve(x, y, np.concatenate([[np.inf], np.exp(self.scores)]))

    def precision_recall_curve(self) -> PrecisionRecallCurve:
        """The precision-recall curve; recall is NaN if no document is in the class."""
        recall = ratio(self.tp, np.full(len(self.tp), self.tp[-1]))
        precision = np.concatenate([self.precision[::-1], [1.0]])
        return PrecisionRecallCurve(precision, np.concatenate([recall[::-1], [0.0]]), np.exp(self.scores[::-1]))


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
    last = np.flatnonzero(np.append(descending[1:] != descending[:-1], True))
    tp = np.cumsum(inside)[last].astype(np.float64)
    return Ranked(descending[last], tp, last + 1 - tp)


SHOWN = (1, 2, 3, 5, 10)
"""The k of the top-k accuracies in `Ranking.to_dict`, those below the number of classes."""


@dataclass(frozen=True, eq=False)
class Ranking:
    """The documents in the order of the probability of each class.

    Attributes
    ----------
    labels : list
        The classes that have probabilities, sorted.
    gold : array
        The place of the gold label of each document; -1 if it is not one of the classes.
    log_probabilities : array
        One row per document, one column per class.
    probabilities : array or None
        The same as they were given: logarithms do not tell all neighbours apart.

    Examples
    --------
    >>> import numpy as np
    >>> ranking = Ranking(["a", "b"], np.array([0, 0, 1]), np.log([[0.9, 0.1], [0.4, 0.6], [0.5, 0.5]]))
    >>> ranking.roc_auc, ranking.top(1)
    ({'a': 0.5, 'b': 0.5}, 0.3333333333333333)
    >>> ranking.roc_curve("a").true_positive_rate
    array([0. , 0.5, 0.5, 1. ])
    """

    labels: list[Label]
    gold: Places
    log_probabilities: Array
    probabilities: Array | None = None

    @property
    def _scores(self) -> Array:
        return self.log_probabilities if self.probabilities is None else self.probabilities

    @property
    def roc_auc(self) -> dict[Label, float | None]:
        """The area under the ROC curve of each class; None if no document, or every one, is in the class."""
        return self._areas[0]

    @property
    def average_precision(self) -> dict[Label, float | None]:
        """The area under the precision-recall curve of each class; None if no document is in the class."""
        return self._areas[1]

    @property
    def macro_roc_auc(self) -> float | None:
        """The mean of ``roc_auc`` over the classes where it is defined."""
        return _mean(self.roc_auc)

    @property
    def macro_average_precision(self) -> float | None:
        """The mean of ``average_precision`` over the classes where it is defined."""
        return _mean(self.average_precision)

    def roc_curve(self, label: Label) -> RocCurve:
        """The ROC curve of a class: one point per distinct probability, the highest first.

        The points are those of scikit-learn's ``roc_curve`` with ``drop_intermediate=False``.
        """
        return self._ranked(ClassPlaces(self.labels).of(label)).roc_curve()

    def precision_recall_curve(self, label: Label) -> PrecisionRecallCurve:
        """The precision-recall curve of a class: one point per distinct probability, the lowest first.

        The points are those of scikit-learn's ``precision_recall_curve``.
        """
        return self._ranked(ClassPlaces(self.labels).of(label)).precision_recall_curve()

    def top(self, k: int) -> float:
        """The share of the documents whose gold label is among the ``k`` most probable classes.

        Ties are broken as in scikit-learn's ``top_k_accuracy_score``: of equally probable classes the last is taken
        first, but of two classes in all, the first.
        """
        if not is_whole(k) or k < 1:
            raise OptionError(f"k={k!r} is not allowed: k must be a whole number >= 1")
        return float(self._ranks[:k].sum() / len(self.gold))

    @cached_property
    def _ranks(self) -> Places:
        """How many documents have their gold label at each place in the order of probability."""
        known = self.gold >= 0
        gold, scores = self.gold[known, None], self._scores[known]
        own = np.take_along_axis(scores, gold, axis=1)
        columns = np.arange(len(self.labels))
        first = columns < gold if len(self.labels) == 2 else columns > gold
        ranks = ((scores > own) | ((scores == own) & first)).sum(axis=1)
        return np.bincount(ranks, minlength=len(self.labels))

    def _ranked(self, place: int) -> Ranked:
        found = ranked(self._scores[:, place], self.gold == place)
        with np.errstate(divide="ignore"):
            return found if self.probabilities is None else replace(found, scores=np.log(found.scores))

    @cached_property
    def _areas(self) -> tuple[dict[Label, float | None], dict[Label, float | None]]:
        """Both areas of each class."""
        areas: dict[Label, float | None] = dict.fromkeys(self.labels)
        precisions: dict[Label, float | None] = dict.fromkeys(self.labels)
        for place in np.unique(self.gold[self.gold >= 0]).tolist():
            found = self._ranked(place)
            areas[self.labels[place]], precisions[self.labels[place]] = found.roc_auc, found.average_precision
        return areas, precisions

    def to_dict(self) -> Plain:
        """All measures as plain data."""
        return {
            "labels": list(self.labels),
            "roc_auc": list(self.roc_auc.values()),
            "average_precision": list(self.average_precision.values()),
            "macro_roc_auc": self.macro_roc_auc,
            "macro_average_precision": self.macro_average_precision,
            "top": {str(k): self.top(k) for k in SHOWN if k < max(len(self.labels), 2)},
        }


def _mean(values: dict[Label, float | None]) -> float | None:
    defined = [value for value in values.values() if value is not None]
    return float(np.mean(defined)) if defined else None

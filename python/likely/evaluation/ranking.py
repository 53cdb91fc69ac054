"""`Ranking`: how well the probabilities of each class put the documents in order, one class against the rest."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypedDict

import numpy as np

from likely.class_places import ClassPlaces
from likely.errors import OptionError
from likely.evaluation.curves import ranked
from likely.options.kinds import is_whole

if TYPE_CHECKING:
    from likely.evaluation.curves import PrecisionRecallCurve, Ranked, RocCurve
    from likely.types import Array, Label, Places

SHOWN = (1, 2, 3, 5, 10)
"""The k of the top-k accuracies in `Ranking.to_dict`, those below the number of classes."""


class RankingDict(TypedDict):
    """A `Ranking` as plain data; lists are in the order of ``labels``."""

    labels: list[Label]
    roc_auc: list[float | None]
    average_precision: list[float | None]
    macro_roc_auc: float | None
    macro_average_precision: float | None
    top: dict[str, float]


class _Areas(NamedTuple):
    """The areas of each class, and by how much each document moves their means: one column per area."""

    roc_auc: dict[Label, float | None]
    average_precision: dict[Label, float | None]
    influences: Array


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

    @property
    def roc_auc(self) -> dict[Label, float | None]:
        """The area under the ROC curve of each class; None if no document, or every one, is in the class."""
        return self._areas.roc_auc

    @property
    def average_precision(self) -> dict[Label, float | None]:
        """The area under the precision-recall curve of each class; None if no document is in the class."""
        return self._areas.average_precision

    @property
    def macro_roc_auc(self) -> float | None:
        """The mean of ``roc_auc`` over the classes where it is defined."""
        return _mean(self.roc_auc)

    @property
    def macro_average_precision(self) -> float | None:
        """The mean of ``average_precision`` over the classes where it is defined."""
        return _mean(self.average_precision)

    @property
    def influences(self) -> Array:
        """By how much each document moves ``macro_roc_auc`` and ``macro_average_precision``: two columns.

        The numbers are multiplied by the number of documents.
        """
        return self._areas.influences

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
        gold, logs = self.gold[known, None], self.log_probabilities[known]
        own = np.take_along_axis(logs, gold, axis=1)
        columns = np.arange(len(self.labels))
        first = columns < gold if len(self.labels) == 2 else columns > gold
        ranks = ((logs > own) | ((logs == own) & first)).sum(axis=1)
        return np.bincount(ranks, minlength=len(self.labels))

    def _ranked(self, place: int) -> Ranked:
        return ranked(self.log_probabilities[:, place], self.gold == place)

    @cached_property
    def _areas(self) -> _Areas:
        areas: dict[Label, float | None] = dict.fromkeys(self.labels)
        precisions: dict[Label, float | None] = dict.fromkeys(self.labels)
        influences = np.zeros((len(self.gold), 2))
        sizes = np.bincount(self.gold[self.gold >= 0], minlength=len(self.labels)).tolist()
        for place, label in enumerate(self.labels):
            if not sizes[place]:
                continue
            found = self._ranked(place)
            precisions[label] = found.average_precision
            influences += found.influences()
            if sizes[place] < len(self.gold):
                areas[label] = found.roc_auc
        influences /= [_defined(areas), _defined(precisions)]
        return _Areas(areas, precisions, influences)

    def to_dict(self) -> RankingDict:
        """All measures as plain data."""
        return {
            "labels": list(self.labels),
            "roc_auc": list(self.roc_auc.values()),
            "average_precision": list(self.average_precision.values()),
            "macro_roc_auc": self.macro_roc_auc,
            "macro_average_precision": self.macro_average_precision,
            "top": {str(k): self.top(k) for k in SHOWN if k < max(len(self.labels), 2)},
        }


def _defined(values: dict[Label, float | None]) -> int:
    """The number of values that are defined, but at least 1, as a divisor."""
    return max(sum(value is not None for value in values.values()), 1)


def _mean(values: dict[Label, float | None]) -> float | None:
    defined = [value for value in values.values() if value is not None]
    return float(np.mean(defined)) if defined else None

"""Gold labels and predictions to an `Evaluation`: the measures of the textbooks."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypedDict

import numpy as np
import numpy.typing as npt

from likely.class_places import ClassPlaces
from likely.counting.sample_weight import check_weights
from likely.errors import LabelError, LengthError, OptionError
from likely.evaluation.coverage import SHOWN, Coverage, coverage_at
from likely.evaluation.reliability import Reliability, reliability
from likely.evaluation.shift import overconfidence
from likely.evaluation.table import Averages, Table
from likely.labels import LabelIndex
from likely.options.kinds import is_finite

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from likely.evaluation.shift import Shift, ShiftDict
    from likely.evaluation.table import AveragesDict, ClassDict, TableDict
    from likely.types import Array, Label, LabelArray, Labels, Mask, Places, SampleWeight

MOST_BETA = 1e6
"""The largest beta. For a larger one F-beta would be equal to recall, to the last digit."""


class EvaluationDict(TypedDict):
    """An `Evaluation` as plain data: what `Evaluation.to_dict` returns."""

    documents: int
    accuracy: float
    beta: float
    labels: list[Label]
    confusion: list[list[int]]
    per_class: list[ClassDict]
    macro: AveragesDict
    micro: AveragesDict
    pooled: TableDict
    reliability: dict[str, float | None] | None
    coverage: list[dict[str, float | None]]
    shift: ShiftDict | None
    gold_shares: list[float]
    confidence: float | None
    warnings: list[str]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """How predictions compare with the gold labels.

    Attributes
    ----------
    labels : list
        The classes, sorted.
    gold, predicted, counts : array
        One element per pair of classes that occurs: the place in ``labels`` of the gold label, that of the
        prediction, and the number of documents. Pairs that do not occur are left out, so that many classes cost
        little.
    beta : float
        The weight of recall in F.
    reliability : Reliability or None
        How far the probabilities can be trusted, if a model made the predictions.
    coverage : list of Coverage
        The share of texts that would be answered, and the accuracy, at each threshold, if a model made the
        predictions.
    shift : Shift or None
        How far the texts are from the training data, if a model made the predictions.
    """

    labels: list[Label]
    gold: npt.NDArray[np.int64]
    predicted: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    beta: float = 1.0
    reliability: Reliability | None = None
    coverage: list[Coverage] = field(default_factory=list)
    shift: Shift | None = None

    @cached_property
    def confusion(self) -> npt.NDArray[np.int64]:
        """The confusion matrix: one row per gold class, one column per predicted class (order of ``labels``)."""
        matrix = np.zeros((len(self.labels), len(self.labels)), np.int64)
        matrix[self.gold, self.predicted] = self.counts
        return matrix

    @property
    def documents(self) -> int:
        """The number of documents."""
        return int(self.counts.sum())

    @property
    def accuracy(self) -> float:
        """The share of the documents whose prediction is the gold label."""
        return float(self.counts[self.gold == self.predicted].sum() / self.counts.sum())

    @cached_property
    def per_class(self) -> dict[Label, Table]:
        """One table per class: the class against the rest."""
        right = self._sums(self.gold, self.counts * (self.gold == self.predicted))
        predicted, gold = self._sums(self.predicted, self.counts), self._sums(self.gold, self.counts)
        return {
            label: Table(tp, p - tp, g - tp, self.documents - p - g + tp)
            for label, tp, p, g in zip(self.labels, right, predicted, gold, strict=True)
        }

    def _sums(self, classes: npt.NDArray[np.int64], counts: npt.NDArray[np.int64]) -> list[int]:
        sums = np.zeros(len(self.labels), np.int64)
        np.add.at(sums, classes, counts)
        return [int(number) for number in sums]

    @property
    def gold_shares(self) -> list[float]:
        """The share of the documents that have each gold label (order of ``labels``)."""
        return [number / self.documents for number in self._sums(self.gold, self.counts)]

    @property
    def confidence(self) -> float | None:
        """The mean probability of the predictions, which should be near the accuracy; None without probabilities."""
        return None if self.reliability is None else self.reliability.mean_confidence

    @property
    def warnings(self) -> list[str]:
        """What is wrong with the probabilities or with the texts, one sentence each."""
        measured = self.reliability
        too_sure = measured and overconfidence(measured.mean_confidence, measured.accuracy, measured.documents)
        return [each for each in (self.shift and self.shift.warning, too_sure) if each]

    @property
    def pooled(self) -> Table:
        """The sum of the tables of all classes."""
        tables = self.per_class.values()
        return Table(*(sum(getattr(table, cell) for table in tables) for cell in ("tp", "fp", "fn", "tn")))

    @property
    def micro(self) -> Averages:
        """The measures of the pooled table: every document has the same weight."""
        return Averages(self.pooled.precision, self.pooled.recall, self.pooled.f(self.beta))

    @property
    def macro(self) -> Averages:
        """The means over the classes: every class has the same weight. A mean is None if one value is undefined."""
        tables = self.per_class.values()
        return Averages(
            _mean([table.precision for table in tables]),
            _mean([table.recall for table in tables]),
            _mean([table.f(self.beta) for table in tables]),
        )

    def to_dict(self) -> EvaluationDict:
        """All measures as plain data, ready for JSON."""
        per_class: list[ClassDict] = [
            {
                "label": label,
                **table.to_dict(),
                "precision": table.precision,
                "recall": table.recall,
                "f": table.f(self.beta),
            }
            for label, table in self.per_class.items()
        ]
        return {
            "documents": self.documents,
            "accuracy": self.accuracy,
            "beta": self.beta,
            "labels": list(self.labels),
            "confusion": self.confusion.tolist(),
            "per_class": per_class,
            "macro": self.macro.to_dict(),
            "micro": self.micro.to_dict(),
            "pooled": self.pooled.to_dict(),
            "reliability": None if self.reliability is None else self.reliability.to_dict(),
            "coverage": [asdict(row) for row in self.coverage],
            "shift": None if self.shift is None else self.shift.to_dict(),
            "gold_shares": self.gold_shares,
            "confidence": self.confidence,
            "warnings": self.warnings,
        }

    def __str__(self) -> str:
        from likely.reports import evaluation_text

        return evaluation_text(self)

    def _repr_html_(self) -> str:
        from likely.reports import evaluation_html

        return evaluation_html(self)


def _mean(values: list[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return math.fsum(defined) / len(values) if values and len(defined) == len(values) else None


def evaluate(gold: Labels, predicted: Labels, *, beta: float = 1.0) -> Evaluation:
    """The evaluation of predictions against gold labels.

    Parameters
    ----------
    gold, predicted : iterable of labels
        One label per document, all of one type.
    beta : float
        The weight of recall in F, > 0.

    Examples
    --------
    >>> result = evaluate(["A", "A", "B", "B"], ["A", "A", "A", "B"])
    >>> result.accuracy, result.per_class["B"].recall
    (0.75, 0.5)
    >>> evaluate(["A", "B"], ["A", "A"]).per_class["B"].precision is None
    True
    """
    return evaluate_batches([(gold, predicted)], beta=beta)


def evaluate_batches(batches: Iterable[tuple[Labels, Labels]], *, beta: float = 1.0) -> Evaluation:
    """The result of `evaluate` for batches of gold labels and predictions; only the counts of pairs are kept.

    Examples
    --------
    >>> evaluate_batches([(["A", "B"], ["A", "A"]), (["B"], ["B"])]).accuracy
    0.6666666666666666
    """
    if not (is_finite(beta) and 0 < beta <= MOST_BETA):
        raise OptionError(f"beta={beta!r} is not allowed: beta must be a number > 0 and <= {MOST_BETA:g}")
    index = LabelIndex()
    found: Counter[int] = Counter()
    for gold, predicted in batches:
        rows, columns = index.encode(gold), index.encode(predicted)
        if len(rows) or len(columns):
            _check_lengths(len(rows), len(columns))
        pairs, counts = np.unique((rows.astype(np.uint64) << np.uint64(32)) | columns, return_counts=True)
        found.update(dict(zip(pairs.tolist(), counts.tolist(), strict=True)))
    _check_lengths(found.total(), found.total())
    order = sorted(range(len(index.labels)), key=index.labels.__getitem__)
    places = np.empty(len(order), np.int64)
    places[order] = np.arange(len(order))
    rows, columns = (np.array([pair >> 32 for pair in found]), np.array([pair & 0xFFFFFFFF for pair in found]))
    sort = np.lexsort((places[columns], places[rows]))
    labels = [index.labels[at] for at in order]
    counts = np.array(list(found.values()), np.int64)
    return Evaluation(labels, places[rows][sort], places[columns][sort], counts[sort], float(beta))


class Judge:
    """Turns probabilities into predictions, and adds to an evaluation how far the probabilities can be trusted.

    Examples
    --------
    >>> judge = Judge(np.array(["+", "-"]))
    >>> predicted = judge.predicted(np.log([[0.8, 0.2], [0.6, 0.4]]), ["+", "-"], np.array([0, 0]))
    >>> evaluation = judge.completed(evaluate(["+", "-"], predicted))
    >>> evaluation.accuracy, round(evaluation.reliability.expected_calibration_error, 3)
    (0.5, 0.4)
    """

    def __init__(self, classes: LabelArray) -> None:
        self._classes = classes
        self._places = ClassPlaces(classes.tolist())
        self._found: Reliability | None = None
        self._confidence: list[Array] = []
        self._right: list[Mask] = []

    def predicted(self, log_probabilities: Array, labels: Labels, best: Places) -> LabelArray:
        """The predicted class of each document, at the place ``best``; ``labels`` are the gold labels."""
        gold = self._places.found(labels)
        if len(gold) == len(best) and len(gold):
            more = reliability(log_probabilities, gold)
            self._found = more if self._found is None else self._found + more
            self._confidence.append(np.exp(log_probabilities[np.arange(len(best)), best]))
            self._right.append(best == gold)
        predictions: LabelArray = self._classes[best]
        return predictions

    def completed(self, evaluation: Evaluation, shift: Shift | None = None) -> Evaluation:
        """The evaluation, with ``shift``, and with ``reliability`` and ``coverage`` if there were probabilities."""
        if self._found is None:
            return evaluation
        rows = coverage_at(np.concatenate(self._confidence), np.concatenate(self._right), SHOWN)
        return replace(evaluation, reliability=self._found, coverage=rows, shift=shift)


def accuracy(gold: Labels, predicted: Labels, sample_weight: SampleWeight | None = None) -> float:
    """The share of the documents whose prediction is the gold label, weighted if weights are given.

    Examples
    --------
    >>> accuracy([1, 2, 2], [1, 2, 1], sample_weight=[1, 1, 2])
    0.5
    """
    index = LabelIndex()
    rows, columns = index.encode(gold), index.encode(predicted)
    _check_lengths(len(rows), len(columns))
    right = rows == columns
    if sample_weight is None:
        return float(right.mean())
    weights = check_weights(sample_weight, len(rows))
    if not weights.any():
        raise LengthError("every weight is 0, so there is nothing to score")
    return float((right * weights).sum() / weights.sum())


def _check_lengths(gold: int, predicted: int) -> None:
    if gold != predicted:
        raise LengthError(f"there are {gold} gold labels but {predicted} predictions: give one per document")
    if not gold:
        raise LengthError("there are no documents to evaluate")


def from_confusion(labels: Sequence[Label], confusion: npt.ArrayLike, *, beta: float = 1.0) -> Evaluation:
    """The evaluation of a confusion matrix: one row per gold class, one column per predicted class.

    Examples
    --------
    >>> from_confusion(["a", "b"], [[3, 1], [0, 4]]).accuracy
    0.875
    """
    matrix = np.asarray(confusion, dtype=np.int64)
    if matrix.shape != (len(labels), len(labels)) or (matrix < 0).any() or not matrix.any():
        raise LabelError(f"confusion must be {len(labels)} x {len(labels)} counts, which are not all 0")
    gold, predicted = np.nonzero(matrix)
    return Evaluation(list(labels), gold, predicted, matrix[gold, predicted], beta)

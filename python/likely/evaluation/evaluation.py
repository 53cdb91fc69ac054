"""Gold labels and predictions to an evaluation: what a reader would look up in a textbook, and nothing hidden."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely.counting.counts import check_weights
from likely.errors import LabelError, LengthError, OptionError
from likely.evaluation.reliability import Reliability, reliability
from likely.formulas import share
from likely.labels import LabelIndex
from likely.options.kinds import is_finite
from likely.scoring.abstain import SHOWN, Coverage, coverage_at

if TYPE_CHECKING:
    from collections.abc import Iterable

    from likely.types import Label


MOST_BETA = 1e6
"""Beyond this F-beta is recall to the last digit."""


@dataclass(frozen=True)
class Table:
    """The 2x2 table of one class against the rest, or pooled over all classes; and what follows from it.

    A value that is 0/0 is None: undefined, which is neither 0 nor 1.

    Examples
    --------
    >>> table = Table(tp=0, fp=0, fn=100, tn=999_900)
    >>> table.recall, table.precision, table.f()
    (0.0, None, 0.0)
    """

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def precision(self) -> float | None:
        """Of those predicted to be in the class, the share that is."""
        return share(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float | None:
        """Of those in the class, the share that was predicted to be."""
        return share(self.tp, self.tp + self.fn)

    @property
    def accuracy(self) -> float | None:
        """The share of right answers to the question whether a document is in the class."""
        return share(self.tp + self.tn, self.tp + self.fp + self.fn + self.tn)

    def f(self, beta: float = 1.0) -> float | None:
        """F-beta: precision and recall in one, recall counting beta times as much (van Rijsbergen 1979, ch. 7)."""
        weighted = (1 + beta**2) * self.tp
        return share(weighted, weighted + beta**2 * self.fn + self.fp)


@dataclass(frozen=True)
class Averages:
    """Precision, recall and F-beta over all classes; None where one of the classes leaves it undefined."""

    precision: float | None
    recall: float | None
    f: float | None


@dataclass(frozen=True, eq=False)
class Evaluation:
    """How predictions compare with the gold labels.

    Attributes
    ----------
    labels : list
        The classes, sorted.
    gold, predicted, counts : array
        How many documents of one class, by its place in ``labels``, were predicted to be of another: only the pairs
        that occur, so that many classes cost little.
    beta : float
        How much recall counts in F.
    reliability : Reliability or None
        What the probabilities were worth, where a model predicted.
    coverage : list of Coverage
        What answering only from a probability on would have meant, where a model predicted.
    """

    labels: list[Label]
    gold: npt.NDArray[np.int64]
    predicted: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    beta: float = 1.0
    reliability: Reliability | None = None
    coverage: list[Coverage] = field(default_factory=list)

    @cached_property
    def confusion(self) -> npt.NDArray[np.int64]:
        """How many documents of the class of the row were predicted to be of the class of the column."""
        matrix = np.zeros((len(self.labels), len(self.labels)), np.int64)
        matrix[self.gold, self.predicted] = self.counts
        return matrix

    @property
    def documents(self) -> int:
        """How many documents were compared."""
        return int(self.counts.sum())

    @property
    def accuracy(self) -> float:
        """The share of right answers."""
        return float(self.counts[self.gold == self.predicted].sum() / self.counts.sum())

    @cached_property
    def per_class(self) -> dict[Label, Table]:
        """Each class against the rest."""
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
    def pooled(self) -> Table:
        """The tables of all classes added up."""
        tables = self.per_class.values()
        return Table(*(sum(getattr(table, cell) for table in tables) for cell in ("tp", "fp", "fn", "tn")))

    @property
    def micro(self) -> Averages:
        """From the pooled table: every document counts the same."""
        return Averages(self.pooled.precision, self.pooled.recall, self.pooled.f(self.beta))

    @property
    def macro(self) -> Averages:
        """The mean over classes: every class counts the same. Undefined if it is so for one of them."""
        tables = self.per_class.values()
        return Averages(
            _mean([table.precision for table in tables]),
            _mean([table.recall for table in tables]),
            _mean([table.f(self.beta) for table in tables]),
        )

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain data."""
        per_class = [
            {"label": label, **asdict(table), "precision": table.precision, "recall": table.recall}
            | {"f": table.f(self.beta)}
            for label, table in self.per_class.items()
        ]
        return {
            "documents": self.documents,
            "accuracy": self.accuracy,
            "beta": self.beta,
            "labels": list(self.labels),
            "confusion": self.confusion.tolist(),
            "per_class": per_class,
            "macro": asdict(self.macro),
            "micro": asdict(self.micro),
            "pooled": asdict(self.pooled),
            "reliability": self.reliability and self.reliability.to_dict(),
            "coverage": [asdict(row) for row in self.coverage],
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


def evaluate(gold: Any, predicted: Any, *, beta: float = 1.0) -> Evaluation:
    """Compare predictions with gold labels.

    Parameters
    ----------
    gold, predicted : iterable of labels
        Equally many, of one kind.
    beta : float
        How much recall counts in F, > 0.

    Examples
    --------
    >>> result = evaluate(["A", "A", "B", "B"], ["A", "A", "A", "B"])
    >>> result.accuracy, result.per_class["B"].recall
    (0.75, 0.5)
    >>> evaluate(["A", "B"], ["A", "A"]).per_class["B"].precision is None
    True
    """
    return evaluate_batches([(gold, predicted)], beta=beta)


def evaluate_batches(batches: Iterable[tuple[Any, Any]], *, beta: float = 1.0) -> Evaluation:
    """As `evaluate`, of gold labels and predictions as they come; only how often each pair occurs is kept.

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
    """Turns probabilities into predictions, and remembers what they were worth.

    Examples
    --------
    >>> judge = Judge(np.array(["+", "-"]))
    >>> predicted = judge.predicted(np.log([[0.8, 0.2], [0.6, 0.4]]), ["+", "-"])
    >>> evaluation = judge.completed(evaluate(["+", "-"], predicted))
    >>> evaluation.accuracy, round(evaluation.reliability.expected_calibration_error, 3)
    (0.5, 0.4)
    """

    def __init__(self, classes: npt.NDArray[Any]) -> None:
        self._classes = classes
        self._places = {label: place for place, label in enumerate(classes.tolist())}
        self._found: Reliability | None = None
        self._confidence: list[npt.NDArray[np.float64]] = []
        self._right: list[npt.NDArray[np.bool_]] = []

    def predicted(self, log_probabilities: npt.NDArray[np.float64], gold: Any) -> npt.NDArray[Any]:
        """The most probable classes of some documents whose gold labels are these."""
        best = log_probabilities.argmax(axis=1)
        own = np.array([self._places.get(label, -1) for label in gold], np.intp)
        if len(own) == len(best) and len(own):
            more = reliability(log_probabilities, own)
            self._found = more if self._found is None else self._found + more
            self._confidence.append(np.exp(log_probabilities.max(axis=1)))
            self._right.append(best == own)
        labels: npt.NDArray[Any] = self._classes[best]
        return labels

    def completed(self, evaluation: Evaluation) -> Evaluation:
        """An evaluation with what the probabilities were worth."""
        if self._found is None:
            return evaluation
        rows = coverage_at(np.concatenate(self._confidence), np.concatenate(self._right), SHOWN)
        return replace(evaluation, reliability=self._found, coverage=rows)


def accuracy(gold: Any, predicted: Any, sample_weight: Any = None) -> float:
    """The (weighted) share of predictions that are right.

    Examples
    --------
    >>> accuracy([1, 2, 2], [1, 2, 1], sample_weight=[1, 1, 2])
    0.5
    """
    index = LabelIndex()
    gold, predicted = index.encode(gold), index.encode(predicted)
    _check_lengths(len(gold), len(predicted))
    right = gold == predicted
    if sample_weight is None:
        return float(right.mean())
    weights = check_weights(sample_weight, len(gold))
    if not weights.any():
        raise LengthError("every weight is 0, so there is nothing to score")
    return float((right * weights).sum() / weights.sum())


def _check_lengths(gold: int, predicted: int) -> None:
    if gold != predicted:
        raise LengthError(f"there are {gold} gold labels but {predicted} predictions: give one a document")
    if not gold:
        raise LengthError("there are no documents to evaluate")


def from_confusion(labels: list[Label], confusion: Any, *, beta: float = 1.0) -> Evaluation:
    """The evaluation of a confusion matrix: rows gold, columns predicted.

    Examples
    --------
    >>> from_confusion(["a", "b"], [[3, 1], [0, 4]]).accuracy
    0.875
    """
    matrix = np.asarray(confusion, dtype=np.int64)
    if matrix.shape != (len(labels), len(labels)) or (matrix < 0).any() or not matrix.any():
        raise LabelError(f"confusion must be {len(labels)} x {len(labels)} counts, not all 0")
    gold, predicted = np.nonzero(matrix)
    return Evaluation(list(labels), gold, predicted, matrix[gold, predicted], beta)

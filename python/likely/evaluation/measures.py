"""The table of one class against the rest, and those of all classes as arrays: precision, recall and F."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np
import numpy.typing as npt

from likely.arrow_data import as_list
from likely.errors import LabelError
from likely.formulas import finite_or_none, share
from likely.labels import LabelIndex
from likely.terminal import exact_percent, percent, printable

if TYPE_CHECKING:
    from likely.types import Array, Label, Labels, Plain, Predicted


Number = TypeVar("Number", float, "Array")


@dataclass(frozen=True)
class Table:
    """The 2x2 table of one class against the rest, or of all classes together, and its measures.

    A measure that would be 0/0 is None: undefined, which is neither 0 nor 1.

    Attributes
    ----------
    tp, fp, fn, tn : int
        The numbers of true positives, false positives, false negatives and true negatives.

    Examples
    --------
    >>> table = Table(tp=0, fp=0, fn=100, tn=999_900)
    >>> table.recall, table.precision, table.f1, table.support
    (0.0, None, 0.0, 100)
    """

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def support(self) -> int:
        """The number of documents in the class."""
        return self.tp + self.fn

    @property
    def predicted(self) -> int:
        """The number of documents that were predicted to be in the class."""
        return self.tp + self.fp

    @property
    def precision(self) -> float | None:
        """The share of the documents predicted to be in the class that are in it."""
        return share(self.tp, self.predicted)

    @property
    def recall(self) -> float | None:
        """The share of the documents in the class that were predicted to be in it."""
        return share(self.tp, self.support)

    @property
    def accuracy(self) -> float | None:
        """The share of the documents that were rightly predicted to be in the class or not."""
        return share(self.tp + self.tn, self.tp + self.fp + self.fn + self.tn)

    def f(self, beta: float = 1.0) -> float | None:
        """F-beta: precision and recall in one; recall has beta times the weight (van Rijsbergen 1979, ch. 7)."""
        return share(*f_fraction(self.tp, self.predicted, self.support, beta))

    @property
    def f1(self) -> float | None:
        """F-beta with beta = 1: the harmonic mean of precision and recall."""
        return self.f()

    def measured(self, beta: float) -> Plain:
        """The counts and the measures as plain data."""
        found = {name: getattr(self, name) for name in ("support", "precision", "recall")}
        return {**asdict(self), **found, "f": self.f(beta), "f1": self.f1}


def f_fraction(tp: Number, predicted: Number, support: Number, beta: float) -> tuple[Number, Number]:
    """F-beta as a fraction: (1 + beta^2) tp, and beta^2 (tp + fn) + (tp + fp).

    Examples
    --------
    >>> f_fraction(1, 2, 4, 1.0)
    (2.0, 6.0)
    """
    return (1 + beta**2) * tp, beta**2 * support + predicted


@dataclass(frozen=True, eq=False)
class Tables:
    """The tables of all classes as arrays, whose last axis is the classes. There may be axes before it.

    A measure that would be 0/0 is NaN.

    Attributes
    ----------
    tp, predicted, support : array
        The number of true positives of each class, of documents predicted to be in it, and of documents in it.
    documents : int
        The number of all documents.

    Examples
    --------
    >>> import numpy as np
    >>> tables = Tables(np.array([2.0, 0.0]), np.array([3.0, 0.0]), np.array([2.0, 1.0]), 3)
    >>> tables.precision, tables.recall, tables.f(1.0)
    (array([0.66666667,        nan]), array([1., 0.]), array([0.8, 0. ]))
    """

    tp: Array
    predicted: Array
    support: Array
    documents: int

    @classmethod
    def of(cls, gold: Numbers, predicted: Numbers, counts: Array, classes: int, documents: int) -> Tables:
        """The tables of pairs of places of classes; ``counts`` has the documents per pair in its last axis."""
        right = np.flatnonzero(gold == predicted)
        return cls(
            sums_by(gold[right], counts[..., right], classes),
            sums_by(predicted, counts, classes),
            sums_by(gold, counts, classes),
            documents,
        )

    @property
    def precision(self) -> Array:
        """The precision of each class."""
        return ratio(self.tp, self.predicted)

    @property
    def recall(self) -> Array:
        """The recall of each class."""
        return ratio(self.tp, self.support)

    def f(self, beta: float) -> Array:
        """The F-beta of each class."""
        return ratio(*f_fraction(self.tp, self.predicted, self.support, beta))

    @property
    def pooled(self) -> Tables:
        """The sum of the tables of all classes, as the only class."""
        tp, predicted, support = (
            each.sum(axis=-1, keepdims=True) for each in (self.tp, self.predicted, self.support)
        )
        return Tables(tp, predicted, support, self.documents)


def ratio(part: Array, whole: Array) -> Array:
    """Part divided by whole, element by element; NaN where the whole is 0.

    Examples
    --------
    >>> import numpy as np
    >>> ratio(np.array([1.0, 0.0]), np.array([4.0, 0.0]))
    array([0.25,  nan])
    """
    none = np.full(np.broadcast(part, whole).shape, np.nan)
    found: Array = np.divide(part, whole, out=none, where=np.asarray(whole) != 0)
    return found


@dataclass(frozen=True)
class Averages:
    """Precision, recall and F-beta over all classes, each over those classes for which it is defined.

    Attributes
    ----------
    precision, recall, f : float or None
        The averages; None if the measure is not defined for any class.
    defined_precision, defined_recall, defined_f : int
        The number of classes for which the measure is defined.
    classes : int
        The number of all classes.
    """

    precision: float | None
    recall: float | None
    f: float | None
    defined_precision: int
    defined_recall: int
    defined_f: int
    classes: int


def averages(tables: Tables, beta: float, *, weighted: bool = False) -> Averages:
    """The macro averages, or, with ``weighted``, those in which each class has its number of documents as weight.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.evaluation.measures import Tables
    >>> tables = Tables(np.array([2.0, 0.0]), np.array([3.0, 0.0]), np.array([2.0, 1.0]), 3)
    >>> found = averages(tables, 1.0)
    >>> found.recall, found.defined_recall, found.precision, found.defined_precision
    (0.5, 2, 0.6666666666666666, 1)
    """
    measures = tables.precision, tables.recall, tables.f(beta)
    weights = tables.support if weighted else None
    precision, recall, f = (finite_or_none(float(mean_of_defined(measure, weights))) for measure in measures)
    defined = [int(np.isfinite(measure).sum()) for measure in measures]
    return Averages(precision, recall, f, defined[0], defined[1], defined[2], tables.tp.shape[-1])


def mean_of_defined(values: Array, weights: Array | None = None) -> Array:
    """The (weighted) mean over the last axis of those values that are not NaN; NaN if all are.

    If all weights of the defined values are 0, their plain mean is returned, as in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> float(mean_of_defined(np.array([0.25, np.nan, 0.75])))
    0.5
    """
    defined = np.isfinite(values)
    known = np.where(defined, values, 0.0)
    plain = ratio(known.sum(axis=-1), defined.sum(axis=-1).astype(np.float64))
    if weights is None:
        return plain
    heavy = np.where(defined, weights, 0.0)
    mean = ratio((known * heavy).sum(axis=-1), heavy.sum(axis=-1))
    return np.where(np.isfinite(mean), mean, plain)


def matthews(tables: Tables) -> Array:
    """The Matthews correlation of gold labels and predictions, from -1 to 1; NaN if either are all the same.

    The form for many classes is that of Gorodkin (*Comparing two K-category assignments by a K-category correlation
    coefficient*, 2004), R_K. Documents without a prediction are one more predicted class.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.evaluation.measures import Tables
    >>> float(matthews(Tables(np.array([2.0, 2.0]), np.array([2.0, 2.0]), np.array([2.0, 2.0]), 4)))
    1.0
    """
    n = float(tables.documents)
    silent = n - tables.predicted.sum(axis=-1)
    covariance = tables.tp.sum(axis=-1) * n - (tables.predicted * tables.support).sum(axis=-1)
    of_predicted = n * n - (tables.predicted**2).sum(axis=-1) - silent**2
    of_gold = n * n - (tables.support**2).sum(axis=-1)
    return ratio(covariance, np.sqrt(of_predicted * of_gold))


def kappa(tables: Tables) -> Array:
    """Cohen's kappa: the share of agreements beyond those by chance; NaN if chance alone would always agree.

    The formula is (p_o - p_e) / (1 - p_e), with p_o the observed share of agreements and p_e the expected one (Cohen,
    *A Coefficient of Agreement for Nominal Scales*, 1960).

    Examples
    --------
    >>> import numpy as np
    >>> from likely.evaluation.measures import Tables
    >>> float(kappa(Tables(np.array([2.0, 1.0]), np.array([3.0, 1.0]), np.array([2.0, 2.0]), 4)))
    0.5
    """
    n = float(tables.documents)
    chance = (tables.predicted * tables.support).sum(axis=-1)
    return ratio(tables.tp.sum(axis=-1) * n - chance, n * n - chance)


def measures_of(tables: Tables, beta: float, whole: Tables | None = None) -> dict[str, Array]:
    """The measures that pairs decide, by the name of their interval; NaN where one is undefined.

    If the tables are those of samples, ``whole`` is that of all documents: a class that a sample lacks has there the
    measures of the whole. Else averages of samples would be over fewer classes, without the rare ones.
    """
    f, recall, right = tables.f(beta), tables.recall, tables.tp.sum(axis=-1)
    if whole is not None:
        f, recall = np.where(np.isnan(f), whole.f(beta), f), np.where(np.isnan(recall), whole.recall, recall)
    return {
        "accuracy": right / tables.documents,
        "balanced_accuracy": mean_of_defined(recall),
        "macro_f": mean_of_defined(f),
        "micro_f": tables.pooled.f(beta)[..., 0],
        "weighted_f": mean_of_defined(f, tables.support),
        "matthews": matthews(tables),
        "kappa": kappa(tables),
        "accuracy_of_answered": ratio(right, tables.predicted.sum(axis=-1)),
    }


Numbers = npt.NDArray[np.int64]


class Combinations:
    """Counts the combinations of labels that documents have: a gold label and one prediction or several.

    Examples
    --------
    >>> found = Combinations(["a", "b"])
    >>> found.add(found.numbers(["b", "c", "b"]), found.numbers(["a", None, "a"]))
    >>> found.counted()
    (array([[ 1,  0],
           [ 2, -1]]), array([2, 1]))
    """

    def __init__(self, classes: Iterable[Label] = ()) -> None:
        self.index = LabelIndex(classes)
        self._found: Counter[tuple[int, ...]] = Counter()

    def numbers(self, labels: Predicted) -> Numbers:
        """The number of each label, in the order in which they first appeared; -1 for None."""
        if isinstance(labels, Iterator):
            labels = list(labels)
        try:
            return self.index.encode(cast("Labels", labels)).astype(np.int64)
        except LabelError:
            values = as_list(labels, "labels", LabelError)
            given = np.array([value is not None for value in values], np.bool_)
            if given.all():
                raise
            numbers = np.full(len(values), -1, np.int64)
            numbers[given] = self.index.encode(cast("list[Label]", [each for each in values if each is not None]))
            return numbers

    def add(self, *columns: Numbers) -> None:
        """Count a batch: the numbers of the gold labels, and those of the predictions."""
        shape = (len(self.index.labels) + 1,) * len(columns)
        if math.prod(shape) >= 1 << 63:
            raise LabelError(f"there are {len(self.index.labels):,} classes, which are too many to compare")
        keys = np.ravel_multi_index(tuple(column + 1 for column in columns), shape)
        keys, counts = np.unique(keys, return_counts=True)
        combinations = zip(*((each - 1).tolist() for each in np.unravel_index(keys, shape)), strict=True)
        self._found.update(dict(zip(combinations, counts.tolist(), strict=True)))

    @property
    def documents(self) -> int:
        """The number of documents so far."""
        return self._found.total()

    def counted(self) -> tuple[Numbers, Numbers]:
        """The combinations, one row each with the numbers of its labels, in order; and their documents."""
        found, counts = np.array(list(self._found), np.int64), np.array(list(self._found.values()), np.int64)
        order = np.lexsort(found.T[::-1])
        return found[order], counts[order]

    def places(self, labels: list[Label]) -> Numbers:
        """The place in ``labels`` of the label of each number, or -1; so also of the number -1."""
        places = {label: place for place, label in enumerate(labels)}
        return np.array([*(places.get(label, -1) for label in self.index.labels), -1], np.int64)


def sums_by(keys: Numbers, counts: npt.NDArray[np.generic], size: int) -> Array:
    """The sums of the counts, over the last axis, of those elements that have each key; keys of -1 are left out.

    Examples
    --------
    >>> sums_by(np.array([2, -1, 0, 2]), np.array([[1, 10, 100, 1000]]), 3)
    array([[ 100.,    0., 1001.]])
    """
    sums = np.zeros((*counts.shape[:-1], size))
    order = np.argsort(keys, kind="stable")
    order = order[keys[order] >= 0]
    if len(order):
        present, starts = np.unique(keys[order], return_index=True)
        sums[..., present] = np.add.reduceat(counts[..., order], starts, axis=-1)
    return sums


FLATTERING = 0.1
"""Warn if the accuracy is at least this much above the balanced accuracy."""


def majority(labels: list[Label], tables: Tables) -> tuple[Label, float]:
    """The most frequent gold label (of equally frequent ones the first), and the share of documents that have it."""
    place = int(tables.support.argmax())
    return labels[place], float(tables.support[place] / tables.documents)


def accuracy_warning(labels: list[Label], tables: Tables) -> str | None:
    """Why accuracy says little about these predictions, as one sentence; None if it is not misleading.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.evaluation.measures import Tables
    >>> tables = Tables(np.array([90.0, 1.0]), np.array([99.0, 1.0]), np.array([90.0, 10.0]), 100)
    >>> print(accuracy_warning(["ham", "spam"], tables))
    accuracy (91.0%) is misleading: the mean recall is only 55.0%, and the recall of "spam" is 10.0%
    """
    label, share = majority(labels, tables)
    accuracy, shown = float(tables.tp.sum() / tables.documents), f'"{printable(label)}"'
    if share == 1:
        return f"all documents have the gold label {shown}, so nothing can be said about other classes"
    if accuracy <= share:
        verdict = "as good" if accuracy == share else f"better ({exact_percent(share)})"
        told = f"accuracy ({exact_percent(accuracy)}) is misleading: always answering {shown} would be {verdict}"
        return f"{told}; look at precision and recall of each class"
    recalls = tables.recall
    balanced = float(np.nanmean(recalls))
    if accuracy - balanced < FLATTERING:
        return None
    worst = int(np.nanargmin(recalls))
    return (
        f"accuracy ({percent(accuracy)}) is misleading: the mean recall is only {percent(balanced)}, "
        f'and the recall of "{printable(labels[worst])}" is {percent(float(recalls[worst]))}'
    )

"""The table of one class against the rest, and those of all classes as arrays: precision, recall and F."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict, TypeVar

import numpy as np

from likely.formulas import share

if TYPE_CHECKING:
    from likely.types import Array, Label

Number = TypeVar("Number", float, "Array")


class TableDict(TypedDict):
    """The four counts of a `Table` as plain data."""

    tp: int
    fp: int
    fn: int
    tn: int


class ClassDict(TableDict):
    """The counts and the measures of one class as plain data."""

    label: Label
    support: int
    precision: float | None
    recall: float | None
    f: float | None
    f1: float | None


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

    def to_dict(self) -> TableDict:
        """The four counts as plain data."""
        return {"tp": self.tp, "fp": self.fp, "fn": self.fn, "tn": self.tn}


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

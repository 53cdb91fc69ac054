"""The table of one class against the rest: precision, recall and F."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypedDict

from likely.formulas import share

if TYPE_CHECKING:
    from likely.types import Label


class TableDict(TypedDict):
    """The four counts of a `Table` as plain data."""

    tp: int
    fp: int
    fn: int
    tn: int


class ClassDict(TableDict):
    """The counts and the measures of one class as plain data."""

    label: Label
    precision: float | None
    recall: float | None
    f: float | None


class AveragesDict(TypedDict):
    """`Averages` as plain data."""

    precision: float | None
    recall: float | None
    f: float | None


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
    >>> table.recall, table.precision, table.f()
    (0.0, None, 0.0)
    """

    tp: int
    fp: int
    fn: int
    tn: int

    @property
    def precision(self) -> float | None:
        """The share of the documents predicted to be in the class that are in it."""
        return share(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float | None:
        """The share of the documents in the class that were predicted to be in it."""
        return share(self.tp, self.tp + self.fn)

    @property
    def accuracy(self) -> float | None:
        """The share of the documents that were rightly predicted to be in the class or not."""
        return share(self.tp + self.tn, self.tp + self.fp + self.fn + self.tn)

    def f(self, beta: float = 1.0) -> float | None:
        """F-beta: precision and recall in one; recall has beta times the weight (van Rijsbergen 1979, ch. 7)."""
        weighted = (1 + beta**2) * self.tp
        return share(weighted, weighted + beta**2 * self.fn + self.fp)

    def to_dict(self) -> TableDict:
        """The four counts as plain data."""
        return {"tp": self.tp, "fp": self.fp, "fn": self.fn, "tn": self.tn}


@dataclass(frozen=True)
class Averages:
    """Precision, recall and F-beta over all classes; each is None if it is undefined for one of the classes."""

    precision: float | None
    recall: float | None
    f: float | None

    def to_dict(self) -> AveragesDict:
        """The three numbers as plain data."""
        return {"precision": self.precision, "recall": self.recall, "f": self.f}

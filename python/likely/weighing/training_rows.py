"""`TrainingRows`: documents as a sparse matrix, from which the weights of nbsvm are learned."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely import _native
from likely.counting.counts import UNKNOWN
from likely.counting.ragged import Ragged
from likely.weighing.term_values import term_values

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.counting.rows import Rows
    from likely.types import Array, Ids, Places


@dataclass(frozen=True)
class Columns:
    """The kept terms as columns, the most frequent ones first, so that these are near each other in memory."""

    places: Ids
    """The column of each term, by id; `UNKNOWN` for a term that is not kept."""
    numbers: Places
    """The place of each column's term among all terms, sorted."""
    scales: Array
    """The scale of each column's term."""

    @classmethod
    def of(cls, ids: Ids, frequencies: Array, scales: Array) -> Columns:
        """The columns of sorted terms with these ids, document frequencies and scales (0 if a term is not kept)."""
        order = np.argsort(-frequencies, kind="stable")
        numbers = order[scales[order] > 0]
        places = np.full(int(ids.max(initial=0)) + 1, UNKNOWN, np.uint32)
        places[ids[numbers]] = np.arange(len(numbers))
        return cls(places, numbers, scales[numbers])


@dataclass(frozen=True, eq=False)
class TrainingRows(Ragged):
    """The terms of documents: one row per document, one entry per term.

    The rows are sorted by class and content, so that the result does not depend on the order of the texts.
    """

    order: Ids
    """The index of each row's document among the given documents."""
    columns: Ids
    """The column of the term, per entry."""
    occurrences: Ids
    """How often the term occurs in the document, per entry."""
    gold: Ids
    """The gold class of each document, by place."""
    weights: Array
    """The weight of each document."""
    width: int
    """The number of terms."""

    @classmethod
    def of(cls, rows: Rows, columns: Columns, gold: Ids, weights: Array) -> TrainingRows:
        """The rows of documents with these classes and weights; documents of weight 0 are left out."""
        order, table = _native.order_rows(rows.table, columns.places, gold, np.ascontiguousarray(weights))
        width = len(columns.numbers)
        return cls(table.starts, order, table.columns, table.values, gold[order], weights[order], width)

    def documents_with(self, weights: Array, label: int | None = None) -> Array:
        """The document frequency of each column's term, in all classes or in one; each document has a weight."""
        first, last = 0, len(self.gold)
        if label is not None:
            first, last = (int(at) for at in np.searchsorted(self.gold, [label, label + 1]))
        some = slice(self.starts[first], self.starts[last])
        weights = np.repeat(weights[first:last], self.lengths[first:last])
        return np.bincount(self.columns[some], weights=weights, minlength=self.width).astype(np.float64, copy=False)

    def values(self, value: str) -> npt.NDArray[np.float32]:
        """The value of each entry's term in its document, before it is scaled."""
        return term_values(self.occurrences, value).astype(np.float32)

    def unit_length(self, values: npt.NDArray[np.float32], scales: Array) -> Array:
        """What scales each document to unit length, if its terms have these values and each column this scale."""
        squares = self.sum((values * scales[self.columns]) ** 2)
        return np.divide(1.0, np.sqrt(squares), out=np.ones(len(self)), where=squares > 0)

    def part(self, some: Places, values: npt.NDArray[np.float32]) -> Part:
        """Some rows, whose entries have these values."""
        starts, entries = self.entries_of(some)
        return Part(starts, self.columns[entries], values[entries])


@dataclass(frozen=True, eq=False)
class Part(Ragged):
    """Some rows of documents with the value of each entry."""

    columns: Ids
    values: npt.NDArray[np.float32]

    def weigh(self, weights: Array) -> Array:
        """The sum of each row's values times the weights of their columns."""
        return self.sum(self.values * weights[self.columns])

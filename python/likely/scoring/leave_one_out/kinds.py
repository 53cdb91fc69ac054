"""Learned documents, one by one: the terms of each, and what is alike among them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from likely import _native
from likely.counting.counts import UNKNOWN
from likely.errors import NotLearnedError
from likely.formulas import term_frequency
from likely.scoring.leave_one_out.outside import Outside
from likely.weighing.learned import starts_of
from likely.weighing.terms import negators

if TYPE_CHECKING:
    from likely.counting.counts import Counts
    from likely.types import Array, Ids, Label, Mask, Places, Starts
    from likely.vectorize.rows import Rows


_ROUNDING = 1e-9
"""By so much damped counts may be off: they are sums of logarithms."""


@dataclass(frozen=True)
class Cells:
    """Counts, row after row: where each row starts; of each cell the class, by place, occurrences and documents."""

    starts: Starts
    classes: Ids
    counts: Array
    documents: Array

    @cached_property
    def rows(self) -> Places:
        """The row of each cell."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def take(self, rows: Ids) -> Cells:
        """The cells of some rows, which then are the first, the second and so on."""
        starts = starts_of(self.starts[rows + 1] - self.starts[rows])
        at = np.arange(starts[-1]) + np.repeat(self.starts[rows] - starts[:-1], np.diff(starts))
        return Cells(starts, self.classes[at], self.counts[at], self.documents[at])


class Kinds:
    """The terms of some counts by what is counted of them: the same holds for all of a kind, and most are rare.

    With ``only``, a mask by id, of these terms alone, as if no other had ever been counted. With ``rows`` only what
    these documents have is looked at closely, which is quicker where no others will be asked about.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> kinds = Kinds(NaiveBayes().fit(["good fun", "good plot", "bad plot"], ["+", "+", "-"])._counts)
    >>> kinds.sizes  # fun, good, plot, bad
    array([1., 1., 1., 1.])
    >>> kinds = Kinds(NaiveBayes().fit(["good fun", "bad plot"], ["+", "-"])._counts)
    >>> kinds.sizes, kinds.frequencies
    (array([2., 2.]), array([1., 1.]))
    """

    def __init__(self, counts: Counts, only: Mask | None = None, rows: Rows | None = None) -> None:
        self.only, self.is_whole = only, rows is None
        self.counts, native = counts, counts.native
        self.columns = np.array(counts.live(), dtype=np.uint32)
        self.labels: list[Label] = [counts.index.labels[number] for number in self.columns]
        self.documents = counts.totals().documents[self.columns]
        self.total = float(self.documents.sum())
        ids = native.ids()
        ids = ids if only is None else ids[only[ids]]
        marked = np.zeros(native.vocabulary_size, np.uint32)
        marked[negators(counts)] = 1
        places = np.zeros(len(counts.index.labels), np.uint32)
        places[self.columns] = np.arange(len(self.columns))
        self._outside_of = (ids, marked[ids], places)
        if rows is not None:
            there = np.zeros(native.vocabulary_size, np.bool_)
            there[rows.ids] = True
            ids = ids[there[ids]]
        self.of, first = self._grouped(ids, marked)
        self.sizes: Array = np.bincount(self.of[ids], minlength=len(first)).astype(np.float64)
        self.negate: Mask = marked[first] > 0
        starts, classes = starts_of(native.row_lengths(first)), places[native.cell_classes(first)]
        # By place, not by number: sums must not depend on which class came first.
        in_order = bool((self.columns[1:] > self.columns[:-1]).all())
        order = slice(None) if in_order else _by_row(starts, classes)
        self.cells = Cells(
            starts, classes[order], native.cells(first, False)[order], native.cells(first, True)[order]
        )
        self.frequencies: Array = self.sums(self.cells.documents)
        """In how many documents of all classes a term of each kind is."""

    def _grouped(self, ids: Ids, marked: Ids) -> tuple[Ids, Ids]:
        """The kind of each term, by id, and one term of each kind."""
        if not self.counts.analyzer.equal:
            return _native.kinds_of(self.counts.native, ids, marked[ids])
        # What is over the length of a document is seldom the same for two terms: each is a kind of its own.
        of = np.full(self.counts.native.vocabulary_size, UNKNOWN, np.uint32)
        of[ids] = np.arange(len(ids))
        return of, ids

    @cached_property
    def outside(self) -> Outside:
        """All terms by the number of documents they are in."""
        if not self.is_whole:
            return Outside.of(self.counts, *self._outside_of, len(self.columns))
        cells, width = self.cells, len(self.columns)
        return Outside.of_cells(
            cells.rows, cells.classes, cells.counts, cells.documents, self.sizes, self.negate, width
        )

    @cached_property
    def whole(self) -> Kinds:
        """The same of all terms."""
        return self if self.is_whole else Kinds(self.counts, self.only)

    def sums(self, of_cells: Array) -> Array:
        """The sums of numbers of the cells, kind by kind."""
        return np.bincount(self.cells.rows, weights=of_cells, minlength=len(self.sizes)).astype(np.float64)

    def cases(self, rows: Rows) -> Cases:
        """The terms of documents by kind and frequency."""
        starts, of, kinds, frequencies = _native.cases_of(self.of, rows.starts, rows.ids, rows.frequencies)
        return Cases(self, starts, of, kinds, frequencies)


def _by_row(starts: Starts, classes: Ids) -> Places:
    """The order of cells by row and then by class."""
    return np.lexsort((classes, np.repeat(np.arange(len(starts) - 1), np.diff(starts))))


@dataclass(frozen=True)
class Cases:
    """The terms of documents: those of a case are of one kind and occur equally often in their documents."""

    all_kinds: Kinds
    starts: Starts
    of: Ids
    kinds: Ids
    frequencies: Ids

    def __len__(self) -> int:
        """How many documents."""
        return len(self.starts) - 1

    @cached_property
    def entries(self) -> dict[str, Any]:
        """What has been worked out of each term of each document, by what it is."""
        return {}

    @cached_property
    def cells(self) -> Cells:
        """What is counted of each case."""
        return self.all_kinds.cells.take(self.kinds)

    def values(self, value: str) -> Array:
        """What a term counts before it is scaled: "count", "presence" or "damped"."""
        if value == "presence":
            return np.ones(len(self.frequencies))
        return term_frequency(self.frequencies.astype(np.float64), sublinear=value == "damped")

    def sum(self, numbers: Numbers, own: Ids, threads: int) -> Array:
        """The sums of numbers, a row a document; ``own`` is its own class, by place."""
        cells = (numbers.starts, numbers.columns, numbers.others, numbers.owns)
        return _native.sum_rows(self.starts, self.of, own, *cells, numbers.width, threads)

    def numbers(self, other: Array, own: Array | None = None) -> Numbers:
        """Numbers of the cells of each case: a column a class."""
        return Numbers(self.cells.starts, self.cells.classes, other, own, len(self.all_kinds.labels))

    def plain_numbers(self, *columns: Array) -> Numbers:
        """Columns of numbers, the same whatever the class."""
        width, size = len(columns), len(self.kinds)
        numbers = np.stack(columns, axis=1).reshape(-1)
        return Numbers(
            np.arange(size + 1) * width, np.tile(np.arange(width, dtype=np.uint32), size), numbers, None, width
        )

    def check_learned(self, own: Ids, threads: int, before: int = 0) -> None:
        """Raise ``NotLearnedError`` for a document that was not learned; so many came before."""
        cells, value = self.cells, self.all_kinds.counts.analyzer.value
        there = cells.documents - 1 > -_ROUNDING
        if not self.all_kinds.counts.analyzer.equal:
            there &= cells.counts - self.values(value)[cells.rows] > -_ROUNDING
        numbers = self.numbers(np.zeros(len(there)), there.astype(np.float64))
        found = self.sum(numbers, own, threads).sum(axis=1)
        learned = found == np.diff(self.starts)
        if not learned.all():
            row = before + int(learned.argmin())
            raise NotLearnedError(f"the text in row {row} was not learned with this label, so it cannot be left out")


@dataclass(frozen=True)
class Numbers:
    """What each case adds to some columns, and what to the column that is the document's own, if that differs."""

    starts: Starts
    columns: Ids
    others: Array
    owns: Array | None
    width: int

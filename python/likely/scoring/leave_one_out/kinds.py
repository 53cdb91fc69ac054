"""Learned documents, one by one: the terms of each, and what is alike among them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from likely import _native
from likely.counting.counts import UNKNOWN
from likely.counting.ragged import Ragged
from likely.errors import NotLearnedError
from likely.scoring.leave_one_out.outside import Outside
from likely.weighing.term_values import term_values
from likely.weighing.terms import negators

if TYPE_CHECKING:
    from likely.counting.counts import Counts
    from likely.types import Array, Ids, Mask
    from likely.vectorize.rows import Rows


_ROUNDING = 1e-9
"""By so much damped counts may be off: they are sums of logarithms."""


@dataclass(frozen=True, eq=False)
class KindCells(Ragged):
    """Counts of kinds of terms: one row per kind, one entry per class (by place) in which it occurs."""

    classes: Ids
    counts: Array
    documents: Array

    def take(self, rows: Ids) -> KindCells:
        """The cells of some rows, in that order."""
        starts, at = self.entries_of(rows)
        return KindCells(starts, self.classes[at], self.counts[at], self.documents[at])


class Kinds:
    """The terms of some counts by what is counted of them: the same holds for all of a kind, and most are rare.

    With ``only``, a mask by id, of these terms alone, as if no other had ever been counted. With ``rows`` only what
    these documents have is looked at closely, which is quicker where no others will be asked about.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> kinds = Kinds(NaiveBayes().fit(["good fun", "good plot", "bad plot"], ["+", "+", "-"]).snapshot().counts)
    >>> kinds.sizes  # fun, good, plot, bad
    array([1., 1., 1., 1.])
    >>> kinds = Kinds(NaiveBayes().fit(["good fun", "bad plot"], ["+", "-"]).snapshot().counts)
    >>> kinds.sizes, kinds.frequencies
    (array([2., 2.]), array([1., 1.]))
    """

    def __init__(self, counts: Counts, only: Mask | None = None, rows: Rows | None = None) -> None:
        self.only, self.is_whole = only, rows is None
        self.counts, native = counts, counts.native
        live = counts.live()
        self.numbers, self.labels = live.numbers, live.labels
        self.documents = counts.totals().documents[self.numbers]
        self.total = float(self.documents.sum())
        ids = native.ids()
        ids = ids if only is None else ids[only[ids]]
        marked = np.zeros(native.vocabulary_size, np.uint32)
        marked[negators(counts)] = 1
        self._outside_of = (ids, marked[ids], live.ranks)
        if rows is not None:
            there = np.zeros(native.vocabulary_size, np.bool_)
            there[rows.ids] = True
            ids = ids[there[ids]]
        self.of, first = self._grouped(ids, marked)
        self.sizes: Array = np.bincount(self.of[ids], minlength=len(first)).astype(np.float64)
        self.negate: Mask = marked[first] > 0
        cells = counts.cells(first)
        classes = live.ranks[cells.classes]
        # By place, not by number: sums must not depend on which class came first.
        in_order = bool((self.numbers[1:] > self.numbers[:-1]).all())
        order = slice(None) if in_order else np.lexsort((classes, cells.rows))
        amounts = (native.cells(first, of)[order] for of in (False, True))
        self.cells = KindCells(cells.starts, classes[order], *amounts)
        self.frequencies: Array = self.cells.sum(self.cells.documents)
        """In how many documents of all classes a term of each kind is."""

    def _grouped(self, ids: Ids, marked: Ids) -> tuple[Ids, Ids]:
        """The kind of each term, by id, and one term of each kind."""
        if not self.counts.analyzer.equal:
            return _native.group_terms(self.counts.native, ids, marked[ids])
        # What is over the length of a document is seldom the same for two terms: each is a kind of its own.
        of = np.full(self.counts.native.vocabulary_size, UNKNOWN, np.uint32)
        of[ids] = np.arange(len(ids))
        return of, ids

    @cached_property
    def outside(self) -> Outside:
        """All terms by the number of documents they are in."""
        if not self.is_whole:
            return Outside.of(self.counts, *self._outside_of, len(self.labels))
        cells, width = self.cells, len(self.labels)
        return Outside.of_cells(
            cells.rows, cells.classes, cells.counts, cells.documents, self.sizes, self.negate, width
        )

    @cached_property
    def whole(self) -> Kinds:
        """The same of all terms."""
        return self if self.is_whole else Kinds(self.counts, self.only)

    def cases(self, rows: Rows) -> Cases:
        """The terms of documents by kind and frequency."""
        table, kinds, occurrences = _native.cases_of(self.of, rows.table)
        return Cases(table.starts, table.columns, self, kinds, occurrences)


@dataclass(frozen=True, eq=False)
class Cases(Ragged):
    """The terms of documents, one row per document: terms of one kind that occur equally often are one case."""

    of: Ids
    """The case of each term of each document."""
    all_kinds: Kinds
    kinds: Ids
    """By case: the kind."""
    occurrences: Ids
    """By case: how often the term occurs in the document."""

    @cached_property
    def entries(self) -> dict[str, Any]:
        """What has been worked out of each term of each document, by what it is."""
        return {}

    @cached_property
    def cells(self) -> KindCells:
        """What is counted of each case."""
        return self.all_kinds.cells.take(self.kinds)

    def values(self, value: str) -> Array:
        """By case: what a term counts before it is scaled ("count", "presence" or "damped")."""
        return term_values(self.occurrences, value)

    def total(self, numbers: Numbers, gold: Ids, threads: int) -> Array:
        """The sums of numbers, one row per document; ``gold`` is the class of each, by place."""
        documents = _native.Ragged(self.starts, self.of, None, len(self.kinds))
        table = _native.Ragged(numbers.starts, numbers.columns, numbers.others, numbers.width)
        return _native.sum_rows(documents, gold, table, numbers.owns, threads)

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

    def check_learned(self, gold: Ids, threads: int, before: int = 0) -> None:
        """Raise ``NotLearnedError`` for a document that was not learned; so many came before."""
        cells, value = self.cells, self.all_kinds.counts.analyzer.value
        there = cells.documents - 1 > -_ROUNDING
        if not self.all_kinds.counts.analyzer.equal:
            there &= cells.counts - cells.repeat(self.values(value)) > -_ROUNDING
        numbers = self.numbers(np.zeros(len(there)), there.astype(np.float64))
        found = self.total(numbers, gold, threads).sum(axis=1)
        learned = found == self.lengths
        if not learned.all():
            row = before + int(learned.argmin())
            raise NotLearnedError(f"the text in row {row} was not learned with this label, so it cannot be left out")


@dataclass(frozen=True, eq=False)
class Numbers(Ragged):
    """What each case adds to some columns; ``owns``, if given, is what it adds to its document's own class."""

    columns: Ids
    others: Array
    owns: Array | None
    width: int

"""`Kinds`: terms with equal counts, grouped; `Cases`: the terms of documents by kind.

Most terms are rare, and many of these have the same counts. All terms of a kind have the same weights in every
leave-one-out model, which are therefore computed once per kind.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from likely import _native
from likely.core.counts import UNKNOWN, Ragged
from likely.core.terms import negator_ids, term_values
from likely.errors import NotLearnedError
from likely.scoring.leave_one_out.outside import Outside

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.core.counts import Counts
    from likely.core.rows import Rows
    from likely.types import Array, Ids, Mask, Places, Starts

T = TypeVar("T", bound=np.generic)

_ROUNDING = 1e-9
"""The tolerance for damped counts, which are sums of logarithms, and for document frequencies, which may be sums of
weights."""


@dataclass(frozen=True, eq=False)
class KindCells(Ragged):
    """Counts of kinds of terms: one row per kind, one entry per class (by place) in which it occurs."""

    classes: Ids
    counts: Array
    documents: Array
    """The document frequency, per entry."""


class Kinds:
    """The terms of some counts, grouped by their counts.

    Parameters
    ----------
    counts
        The counts.
    only
        A mask by id: these terms only, as if there were no others. Default: all terms.
    rows
        Documents: only their terms are grouped, which is faster if no other documents will be scored.
    least
        Terms in fewer documents are not looked at: they are one kind, without counts. No rules with at least this
        ``min_documents`` keep them, whatever is left out, so the scores are the same, and are found faster.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> kinds = Kinds(NaiveBayes().fit(["good fun", "good plot", "bad plot"], ["+", "+", "-"])._snapshot().counts)
    >>> kinds.sizes  # fun, good, plot, bad
    array([1., 1., 1., 1.])
    >>> kinds = Kinds(NaiveBayes().fit(["good fun", "bad plot"], ["+", "-"])._snapshot().counts)
    >>> kinds.sizes, kinds.frequencies
    (array([2., 2.]), array([1., 1.]))
    """

    def __init__(
        self, counts: Counts, only: Mask | None = None, rows: Rows | None = None, least: float | None = None
    ) -> None:
        self.only, self.is_whole, self.least = only, rows is None, least
        self.counts, native = counts, counts.native
        live = counts.live()
        self.numbers, self.labels = live.numbers, live.labels
        self.documents = counts.totals().documents[self.numbers]
        self.total = float(self.documents.sum())
        ids = native.ids()
        ids = ids if only is None else ids[only[ids]]
        rare: Ids = np.zeros(0, np.uint32)
        if least is not None:
            stay = counts.document_frequencies(ids) >= least - _ROUNDING
            ids, rare = ids[stay], ids[~stay]
        marked = np.zeros(native.vocabulary_size, np.uint32)
        marked[negator_ids(counts)] = 1
        self._outside_of = (ids, marked[ids], live.ranks)
        if rows is not None:
            there = np.zeros(native.vocabulary_size, np.bool_)
            there[rows.ids] = True
            ids = ids[there[ids]]
        self.of, self._first = self._grouped(ids, marked)
        first = self._first
        self._more = 0 if least is None else 1
        self.of[rare] = len(first)
        sizes = np.bincount(self.of[ids], minlength=len(first)).astype(np.float64)
        self.sizes: Array = self._with_rare(sizes, len(rare))
        self.negate: Mask = self._with_rare(marked[first], 0) > 0
        cells = counts.cells(first)
        classes = live.ranks[cells.classes]
        # The classes are in the order of their places, so that sums do not depend on which class was learned first.
        in_order = bool((self.numbers[1:] > self.numbers[:-1]).all())
        self._order = slice(None) if in_order else np.lexsort((classes, cells.rows))
        amounts = (native.cells(first, of)[self._order] for of in (False, True))
        starts = self._with_rare(cells.starts, int(cells.starts[-1]))
        self.cells = KindCells(starts, classes[self._order], *amounts)
        self._sums: dict[bool, Array] = {}
        self.frequencies: Array = self.sums(documents=True)
        """The document frequency of the terms of each kind."""

    def sums(self, *, documents: bool) -> Array:
        """The count of the terms of each kind in all classes, or their documents."""
        if documents not in self._sums:
            self._sums[documents] = self._with_rare(self.counts.native.class_sums(self._first, documents), 0)
        return self._sums[documents]

    def _with_rare(self, of_kinds: npt.NDArray[T], of_rare: int) -> npt.NDArray[T]:
        """Numbers of the kinds, with one more for the kind of rare terms, if there is one."""
        return np.concatenate([of_kinds, np.full(self._more, of_rare, of_kinds.dtype)])

    @cached_property
    def documents_of_others(self) -> Array:
        """For each cell, the documents that have the term in all other classes."""
        return self.counts.native.sums_of_others(self._first, True)[self._order]

    @cached_property
    def counts_of_others(self) -> Array:
        """For each cell, the count of the term in all other classes."""
        return self.counts.native.sums_of_others(self._first, False)[self._order]

    def _grouped(self, ids: Ids, marked: Ids) -> tuple[Ids, Ids]:
        """The kind of each term, by id, and one term of each kind."""
        if not self.counts.analyzer.equal:
            return _native.group_terms(self.counts.native, ids, marked[ids])
        # Counts that were divided by lengths of documents are seldom equal: each term is a kind of its own.
        of = np.full(self.counts.native.vocabulary_size, UNKNOWN, np.uint32)
        of[ids] = np.arange(len(ids))
        return of, ids

    @cached_property
    def outside(self) -> Outside:
        """All terms, grouped by document frequency."""
        return Outside.of(self.counts, *self._outside_of, len(self.labels))

    @cached_property
    def whole(self) -> Kinds:
        """The kinds of all terms, not only of those in some documents."""
        return self if self.is_whole else Kinds(self.counts, self.only, least=self.least)

    def cases(self, rows: Rows) -> Cases:
        """The terms of documents, grouped by kind and number of occurrences."""
        table, kinds, occurrences = _native.cases_of(self.of, rows.table)
        return Cases(table.starts, table.columns, self, kinds, occurrences)


@dataclass(frozen=True, eq=False)
class Cases(Ragged):
    """The terms of documents: one row per document, one entry per term.

    A case is a pair of a kind and a number of occurrences: what a term adds to a score depends on its case only.
    """

    of: Ids
    """The case of the term, per entry."""
    all_kinds: Kinds
    kinds: Ids
    """The kind of each case."""
    occurrences: Ids
    """How often a term of each case occurs in the document."""

    @cached_property
    def entries(self) -> dict[str, object]:
        """A cache for `EqualLeaveOneOut`, by the kind of value."""
        return {}

    @cached_property
    def last(self) -> list[object]:
        """A cache for `LeaveOneOut`: the last sums that do not depend on alpha, and what they were made from."""
        return []

    @cached_property
    def cells(self) -> KindCells:
        """The counts of each case: one row per case."""
        cells, (starts, at) = self.all_kinds.cells, self._entries
        return KindCells(starts, cells.classes[at], cells.counts[at], cells.documents[at])

    @cached_property
    def _entries(self) -> tuple[Starts, Places]:
        """Where the cells of each case start, and their places among the cells of all kinds."""
        return self.all_kinds.cells.entries_of(self.kinds)

    def by_cell(self, of_kinds: npt.NDArray[T]) -> npt.NDArray[T]:
        """The values of the cells of all kinds, for each cell of the cases."""
        return of_kinds[self._entries[1]]

    def values(self, value: str) -> Array:
        """The value of a term in its document, one per case, without its scale ("count", "presence" or "damped")."""
        return term_values(self.occurrences, value)

    def total(self, numbers: Numbers, gold: Ids, threads: int) -> Array:
        """The sums of numbers over the terms of each document: one row per document. ``gold``: the gold classes."""
        documents = _native.Ragged(self.starts, self.of, None, len(self.kinds))
        table = _native.Ragged(numbers.starts, numbers.columns, numbers.others, numbers.width)
        return _native.sum_rows(documents, gold, table, numbers.of_gold, threads)

    def numbers(self, others: Array, of_gold: Array | None = None) -> Numbers:
        """One number per cell of the cases, to be summed with one column per class.

        ``of_gold`` has the numbers for the gold class of a document, if they differ.
        """
        return Numbers(self.cells.starts, self.cells.classes, others, of_gold, len(self.all_kinds.labels))

    def plain_numbers(self, *columns: Array) -> Numbers:
        """Columns of numbers, one number per case, that do not depend on a class."""
        width, size = len(columns), len(self.kinds)
        numbers = np.stack(columns, axis=1).reshape(-1)
        return Numbers(
            np.arange(size + 1) * width, np.tile(np.arange(width, dtype=np.uint32), size), numbers, None, width
        )

    def check_learned(self, gold: Ids, threads: int, places: Places) -> None:
        """Raise ``NotLearnedError`` if a document was not learned; ``places`` are their indices, for the message."""
        cells, value = self.cells, self.all_kinds.counts.analyzer.value
        there = cells.documents - 1 > -_ROUNDING
        if not self.all_kinds.counts.analyzer.equal:
            there &= cells.counts - cells.repeat(self.values(value)) > -_ROUNDING
        numbers = self.numbers(np.zeros(len(there)), there.astype(np.float64))
        found = self.total(numbers, gold, threads).sum(axis=1)
        learned = found == self.lengths
        if not learned.all():
            row = int(places[learned.argmin()]) + 1
            raise NotLearnedError(f"the text in row {row} was not learned with this label, so it cannot be left out")


@dataclass(frozen=True, eq=False)
class Numbers(Ragged):
    """What the terms of each case add to the columns of a sum: one row per case, one entry per column."""

    columns: Ids
    others: Array
    """The number, per entry."""
    of_gold: Array | None
    """The number, per entry, if the column is the gold class of the document; None if it is the same."""
    width: int
    """The number of columns."""

"""Learned documents, one by one: the terms of each, and what is alike among them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.errors import NotLearnedError
from likely.formulas import Array, term_frequency
from likely.terms import negators

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.counts import Counts, Ids
    from likely.labels import Label

Places = npt.NDArray[np.intp]
Starts = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]

AT_ONCE = 1 << 13
"""So many documents are looked at at once, where they come one after the other."""

_ROUNDING = 1e-9
"""By so much damped counts may be off: they are sums of logarithms."""


@dataclass(frozen=True)
class Rows:
    """The terms of documents, ``ids[starts[d]:starts[d + 1]]`` those of document ``d``, and how often each occurs.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> counts = NaiveBayes(ngrams=(1, 2)).fit(["so so good", "bad"], ["+", "-"])._counts
    >>> rows = rows_of(counts, ["so so good", "bad"])
    >>> rows.starts, rows.frequencies
    (array([0, 4, 5]), array([2, 1, 1, 1, 1], dtype=uint32))
    >>> single_words(counts)[rows.ids]
    array([ True,  True, False, False,  True])
    >>> rows.only(single_words(counts)).starts
    array([0, 2, 3])
    """

    starts: Starts
    ids: Ids
    frequencies: Ids

    def __len__(self) -> int:
        """How many documents."""
        return len(self.starts) - 1

    def only(self, mask: Mask) -> Rows:
        """The same documents with only those terms that a mask by id has."""
        kept = mask[self.ids]
        return Rows(_starts(kept.astype(np.int64))[self.starts], self.ids[kept], self.frequencies[kept])


def rows_of(counts: Counts, texts: Any, threads: int = 1) -> Rows:
    """The terms of all these texts that are counted."""
    parts = each_rows(counts, texts, threads, AT_ONCE, lambda rows: rows)
    if not parts:
        return Rows(np.zeros(1, np.int64), np.zeros(0, np.uint32), np.zeros(0, np.uint32))
    sizes = np.cumsum([0, *(len(part.ids) for part in parts[:-1])])
    starts = [part.starts[1:] + size for part, size in zip(parts, sizes, strict=True)]
    return Rows(
        np.concatenate([np.zeros(1, np.int64), *starts]),
        np.concatenate([part.ids for part in parts]),
        np.concatenate([part.frequencies for part in parts]),
    )


def each_rows(counts: Counts, texts: Any, threads: int, at_once: int, reduce: Callable[[Rows], Any]) -> list[Any]:
    """What ``reduce`` made of the terms of so many texts after the other."""
    analyzer = counts.analyzer
    texts = analyzer.texts(texts)
    return _native.rows_of(
        counts.native, analyzer.native, texts, threads, at_once, lambda *parts: reduce(Rows(*parts))
    )


def single_words(counts: Counts) -> Mask:
    """By id: whether a term is a single word."""
    words: Mask = counts.native.words_in(np.arange(counts.native.vocabulary_size, dtype=np.uint32)) == 1
    return words


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
        starts = _starts(self.starts[rows + 1] - self.starts[rows])
        at = np.arange(starts[-1]) + np.repeat(self.starts[rows] - starts[:-1], np.diff(starts))
        return Cells(starts, self.classes[at], self.counts[at], self.documents[at])


def _starts(lengths: npt.NDArray[np.int64]) -> Starts:
    """Where rows of such lengths start, and one more for the end."""
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts


class Kinds:
    """The terms of some counts by what is counted of them: the same holds for all of a kind, and most are rare.

    With ``only``, a mask by id, of these terms alone, as if no other had ever been counted.

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

    def __init__(self, counts: Counts, only: Mask | None = None) -> None:
        self.counts, native = counts, counts.native
        self.columns = np.array(counts.live(), dtype=np.uint32)
        self.labels: list[Label] = [counts.index.labels[number] for number in self.columns]
        self.documents = counts.totals().documents[self.columns]
        self.total = float(self.documents.sum())
        ids = native.ids()
        ids = ids if only is None else ids[only[ids]]
        marked = np.zeros(native.vocabulary_size, np.uint32)
        marked[negators(counts)] = 1
        self.of, first = _native.kinds_of(native, ids, marked[ids])
        self.sizes: Array = np.bincount(self.of[ids], minlength=len(first)).astype(np.float64)
        self.negate: Mask = marked[first] > 0
        places = np.zeros(len(counts.index.labels), np.uint32)
        places[self.columns] = np.arange(len(self.columns))
        starts, classes = _starts(native.row_lengths(first)), places[native.cell_classes(first)]
        # By place, not by number: sums must not depend on which class came first.
        order = np.lexsort((classes, np.repeat(np.arange(len(first)), np.diff(starts))))
        self.cells = Cells(
            starts, classes[order], native.cells(first, False)[order], native.cells(first, True)[order]
        )
        self.frequencies: Array = self.sums(self.cells.documents)
        """In how many documents of all classes a term of each kind is."""

    def sums(self, of_cells: Array) -> Array:
        """The sums of numbers of the cells, kind by kind."""
        return np.bincount(self.cells.rows, weights=of_cells, minlength=len(self.sizes)).astype(np.float64)

    def cases(self, rows: Rows) -> Cases:
        """The terms of documents by kind and frequency."""
        starts, of, kinds, frequencies = _native.cases_of(self.of, rows.starts, rows.ids, rows.frequencies)
        return Cases(self, starts, of, kinds, frequencies)


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

"""`TermRows`: the terms of documents, by id, and how often each occurs in its document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from likely import _native
from likely.core.counts import Ragged, starts_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.core.counts import Counts
    from likely.types import Ids, Mask, Starts, Texts

T = TypeVar("T")

AT_ONCE = 1 << 13
"""The number of documents that are processed at a time."""


@dataclass(frozen=True, eq=False)
class TermRows(Ragged):
    """The terms of documents: one row per document, one entry per distinct term.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> counts = NaiveBayes(ngrams=(1, 2)).fit(["so so good", "bad"], ["+", "-"])._snapshot().counts
    >>> rows = rows_of(counts, ["so so good", "bad"])
    >>> rows.starts, rows.occurrences
    (array([0, 4, 5]), array([2, 1, 1, 1, 1], dtype=uint32))
    >>> single_words(counts)[rows.ids]
    array([ True,  True, False, False,  True])
    >>> rows.only(single_words(counts)).starts
    array([0, 2, 3])
    """

    ids: Ids
    """The id of the term, per entry."""
    occurrences: Ids
    """How often the term occurs in the document, per entry."""

    @classmethod
    def of(cls, table: _native.Ragged) -> TermRows:
        """The rows of a table of the kernel."""
        return cls(table.starts, table.columns, table.values)

    @property
    def table(self) -> _native.Ragged:
        """The rows as a table of the kernel."""
        return _native.Ragged(self.starts, self.ids, self.occurrences)

    def only(self, mask: Mask) -> TermRows:
        """The same documents with fewer terms: those for which ``mask`` is true (one element per id)."""
        kept = mask[self.ids]
        return TermRows(starts_of(kept.astype(np.int64))[self.starts], self.ids[kept], self.occurrences[kept])

    @classmethod
    def joined(cls, parts: list[TermRows]) -> TermRows:
        """The rows of all parts, one after another."""
        if len(parts) == 1:
            return parts[0]
        lengths: list[Starts] = [part.lengths for part in parts]
        return cls(
            starts_of(np.concatenate([*lengths, np.zeros(0, np.int64)])),
            np.concatenate([*(part.ids for part in parts), np.zeros(0, np.uint32)]),
            np.concatenate([*(part.occurrences for part in parts), np.zeros(0, np.uint32)]),
        )

    def of_documents(self, stay: Mask) -> TermRows:
        """The rows of the documents for which ``stay`` is true (one element per document)."""
        kept = self.repeat(stay)
        return TermRows(starts_of(self.lengths[stay]), self.ids[kept], self.occurrences[kept])


def rows_of(counts: Counts, texts: Texts, threads: int = 1) -> TermRows:
    """The terms of texts: one row per text. Terms that do not occur in the counts are left out."""
    return TermRows.joined(each_rows(counts, texts, threads, AT_ONCE, lambda rows: rows))


def each_rows(counts: Counts, texts: Texts, threads: int, at_once: int, reduce: Callable[[TermRows], T]) -> list[T]:
    """The results of ``reduce``, one per batch of at most ``at_once`` texts."""
    analyzer = counts.analyzer
    texts = analyzer.texts(texts)
    return _native.rows_of(
        counts.native, analyzer.native, texts, threads, at_once, lambda table: reduce(TermRows.of(table))
    )


def single_words(counts: Counts) -> Mask:
    """Whether each term is a single word: one element per id."""
    words: Mask = counts.native.words_in(np.arange(counts.native.vocabulary_size, dtype=np.uint32)) == 1
    return words

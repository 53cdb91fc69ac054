"""Documents as rows of numbers: the terms of each by number, to learn from all of them at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.counting.counts import UNKNOWN
from likely.formulas import term_frequency
from likely.weighing.learned import starts_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.counting.counts import Counts
    from likely.types import Array, Ids, Mask, Starts

AT_ONCE = 1 << 13
"""So many documents are looked at at once, where they come one after the other."""


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
        return Rows(starts_of(kept.astype(np.int64))[self.starts], self.ids[kept], self.frequencies[kept])

    @classmethod
    def joined(cls, parts: list[Rows]) -> Rows:
        """The rows of all parts, one after another."""
        lengths = [np.diff(part.starts) for part in parts]
        return cls(
            starts_of(np.concatenate([*lengths, np.zeros(0, np.int64)])),
            np.concatenate([*(part.ids for part in parts), np.zeros(0, np.uint32)]),
            np.concatenate([*(part.frequencies for part in parts), np.zeros(0, np.uint32)]),
        )

    def of_documents(self, stay: Mask) -> Rows:
        """The rows of some documents."""
        lengths = np.diff(self.starts)
        terms = np.repeat(stay, lengths)
        return Rows(starts_of(lengths[stay]), self.ids[terms], self.frequencies[terms])


def rows_of(counts: Counts, texts: Any, threads: int = 1) -> Rows:
    """The terms of all these texts that are counted."""
    return Rows.joined(each_rows(counts, texts, threads, AT_ONCE, lambda rows: rows))


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
class Columns:
    """The terms that count, the most frequent first: that is where memory is near."""

    places: Ids
    """By id: the number of the term, `UNKNOWN` for one that does not count."""
    numbers: npt.NDArray[np.intp]
    """The place of each among all terms, sorted."""
    scales: Array
    """What an occurrence of each counts for."""

    @classmethod
    def of(cls, ids: Ids, frequencies: Array, scales: Array) -> Columns:
        """Those of sorted terms: their ids, in how many documents each is, what each counts, 0 for nothing."""
        order = np.argsort(-frequencies, kind="stable")
        numbers = order[scales[order] > 0]
        places = np.full(int(ids.max(initial=0)) + 1, UNKNOWN, np.uint32)
        places[ids[numbers]] = np.arange(len(numbers))
        return cls(places, numbers, scales[numbers])


@dataclass(frozen=True)
class Documents:
    """Documents as the numbers of their terms, in an order that does not depend on how they came: by class first."""

    order: npt.NDArray[np.uint32]
    """Which of the given documents each is."""
    starts: npt.NDArray[np.int64]
    columns: npt.NDArray[np.uint32]
    """The terms of each document by number, and how often each occurs in it."""
    frequencies: npt.NDArray[np.uint32]
    own: npt.NDArray[np.uint32]
    """The class of each document, and what it weighs."""
    weights: Array
    width: int
    """How many terms there are."""

    @classmethod
    def of(cls, rows: Rows, columns: Columns, own: npt.NDArray[np.uint32], weights: Array) -> Documents:
        """Documents with the classes ``own`` and these weights; those of weight 0 are left out."""
        order, starts, numbers, frequencies = _native.order_rows(
            rows.starts, rows.ids, rows.frequencies, columns.places, own, np.ascontiguousarray(weights)
        )
        return cls(order, starts, numbers, frequencies, own[order], weights[order], len(columns.numbers))

    def documents_with(self, label: int | None = None) -> Array:
        """In how many documents each term is; of one class, or of all."""
        first, last = 0, len(self.own)
        if label is not None:
            first, last = (int(at) for at in np.searchsorted(self.own, [label, label + 1]))
        some = slice(self.starts[first], self.starts[last])
        weights = np.repeat(self.weights[first:last], np.diff(self.starts[first : last + 1]))
        return np.bincount(self.columns[some], weights=weights, minlength=self.width).astype(np.float64)

    def values(self, value: str, scales: Array, *, normalized: bool) -> npt.NDArray[np.float32]:
        """What each term counts in its document, v_t of the linear form.

        ``value`` is "count", "presence" or "damped", ``scales`` what an occurrence of each term counts for;
        ``normalized`` documents have length 1.
        """
        values = np.ones(len(self.columns))
        if value != "presence":
            values = term_frequency(self.frequencies.astype(np.float64), sublinear=value == "damped")
        values *= scales[self.columns]
        if normalized:
            rows = self.rows()
            lengths = np.sqrt(np.bincount(rows, weights=values**2, minlength=len(self.own)))
            values /= lengths[rows]
        return values.astype(np.float32)

    def rows(self) -> npt.NDArray[np.intp]:
        """The document of each term."""
        return np.repeat(np.arange(len(self.own)), np.diff(self.starts))

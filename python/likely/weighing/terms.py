"""Which terms count, and how much each: what is decided when counts are weighed, never when they are counted."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.counting.counts import UNKNOWN, Cells
from likely.formulas import inverse_document_frequency
from likely.options.kinds import is_whole

if TYPE_CHECKING:
    from likely.counting.counts import Counts
    from likely.types import Array, Ids
    from likely.weighing.rules import Rules

AUTO_SHARE = 0.5
"""Terms in more than this share of the documents are stop words if those are 'auto'."""

RARE, TIMES = 2.0, 100.0
"""A word in so few documents may be the misspelling of one that is so many times as frequent.

On IMDB's reviews one in twenty words that are so folded is a word of its own; with 50 times nearly as many more are.
"""


@dataclass(frozen=True, eq=False)
class TermCells(Cells):
    """Counts of terms, n_tc: one row per term, one entry per class (by number) in which it occurs."""

    values: Array

    @cached_property
    def sums(self) -> Array:
        """n_t: the sum of each term's counts over all classes."""
        return self.sum(self.values)


@dataclass(frozen=True)
class Terms:
    """The terms that count: their counts, and by their ids what each occurrence counts for.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes(min_documents=2).fit(["good fun", "good plot", "bad plot"], [1, 1, 0])
    >>> snapshot = model.snapshot()
    >>> terms = choose_terms(snapshot.counts, snapshot.rules)
    >>> terms.size, terms.native.spell(terms.sorted_ids())
    (2, ['good', 'plot'])
    """

    counts: Counts
    rules: Rules
    size: int
    """How many terms count: V."""
    scales: Array | None = None
    """By id: what an occurrence counts for, 0 for a term that does not count; None for 1 each."""
    folds: list[tuple[int, int]] = field(default_factory=list)
    """Words that are counted as others."""
    spelling: _native.Spelling | None = None
    """The index of the words that are known, if spelling is corrected."""

    @property
    def native(self) -> _native.Counts:
        """The kernel's counts."""
        return self.counts.native

    @property
    def value(self) -> str:
        """What a term counts in a document before it is scaled."""
        analyzer = self.counts.analyzer
        return "presence" if self.rules.presence and not analyzer.is_scaled else analyzer.value

    @property
    def normalized(self) -> bool:
        """Whether documents have length 1."""
        return self.counts.analyzer.lengths is not None or (self.rules.learned and self.rules.norm == "l2")

    @property
    def documents_count(self) -> bool:
        """Whether the documents with a term are its count."""
        return self.rules.presence and not self.counts.analyzer.is_scaled

    def ids(self) -> Ids:
        """The ids of the terms that count, in no particular order."""
        ids = self.native.ids()
        return ids if self.scales is None else ids[self.scales[ids] > 0]

    def sorted_ids(self) -> Ids:
        """The ids of the terms that count, sorted by term."""
        ids = self.counts.sorted_ids()
        return ids if self.scales is None else ids[self.scales[ids] > 0]

    def find(self, terms: list[str]) -> Ids:
        """The ids of terms, `UNKNOWN` for those that do not count."""
        ids = self.counts.find(terms)
        return np.where(self.are_kept(ids), ids, UNKNOWN).astype(np.uint32)

    def are_kept(self, ids: Ids) -> npt.NDArray[np.bool_]:
        """Which ids are of terms that count."""
        known: npt.NDArray[np.bool_] = ids != UNKNOWN
        if self.scales is not None:
            known[known] = self.scales[ids[known]] > 0
        return known

    def scales_of(self, ids: Ids) -> Array | None:
        """What an occurrence of some terms counts for, None for 1 each."""
        return None if self.scales is None else self.scales[ids]

    def _in_counts(self, ids: Ids) -> Array | None:
        """What the counts of some terms are to be multiplied with."""
        # Where documents have length 1, what terms weigh is in the counts already.
        return None if self.counts.analyzer.lengths is not None else self.scales_of(ids)

    def cells(self, ids: Ids) -> TermCells:
        """n_tc of some terms in the classes in which they occur: one row per term."""
        cells = self.counts.cells(ids)
        values = self.native.cells(ids, self.documents_count)
        scales = self._in_counts(ids)
        return TermCells(cells.starts, cells.classes, values if scales is None else values * cells.repeat(scales))

    def rows(self, ids: Ids, numbers: Ids) -> Array:
        """n_tc as a dense matrix: one row per term, one column per class number given."""
        rows = self.counts.rows(ids, numbers, documents=self.documents_count)
        scales = self._in_counts(ids)
        return rows if scales is None else rows * scales[:, None]

    def class_tokens(self) -> Array:
        """N_c: the sum of the counts of each class, by its number."""
        if self.scales is None:
            totals = self.counts.totals()
            return totals.presences if self.documents_count else totals.tokens
        cells = self.cells(self.sorted_ids())  # sorted, so that the sums do not depend on the order of the texts
        size = len(self.counts.index.labels)
        return np.bincount(cells.classes, weights=cells.values, minlength=size).astype(np.float64)

    def known_words(self) -> tuple[Ids, Array]:
        """The ids of the kept single words, and the number of documents that have each."""
        ids = self.sorted_ids()
        ids = ids[self.native.words_in(ids) == 1]
        return ids, self.counts.document_frequencies(ids)


def choose_terms(counts: Counts, rules: Rules) -> Terms:
    """The terms that count by the rules; where all do, this costs nothing."""
    if rules.count_every_term and counts.analyzer.lengths is None:
        return Terms(counts, rules, counts.native.terms)
    spelled = _fold(counts, rules) if rules.spelling else _Spelled(counts)
    counts = spelled.counts
    ids = counts.sorted_ids()
    total = float(counts.totals().documents.sum())
    negates = negate(counts, ids) if rules.auto_stop_words else np.zeros(len(ids), np.bool_)
    of_ids = scales_of_frequencies(rules, counts.document_frequencies(ids), total, negates, counts.analyzer.lengths)
    of_ids[np.isin(ids, spelled.lost)] = 0.0
    if rules.max_terms is not None:
        of_ids = _most_frequent(counts, ids, of_ids, rules.max_terms)
    scales: Array = np.zeros(counts.native.vocabulary_size)
    scales[ids] = of_ids
    terms = Terms(counts, rules, int(np.count_nonzero(scales)), scales, spelled.folds, spelled.index)
    if not rules.spelling or rules.keep_every_term:
        return terms
    # What does not count must not be what a word is read as.
    return replace(terms, spelling=_native.Spelling.of_counts(counts.native, *terms.known_words()))


@dataclass(frozen=True)
class _Spelled:
    """Counts in which rare words are counted as those they misspell, and how that was done."""

    counts: Counts
    folds: list[tuple[int, int]] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    """N-grams of such words that no text can have any more, because it is read in other words."""
    index: _native.Spelling | None = None


def _fold(counts: Counts, rules: Rules) -> _Spelled:
    words = Terms(counts, rules, counts.native.terms).known_words()
    index = _native.Spelling.of_counts(counts.native, *words)
    folds = index.folds(RARE, TIMES)
    of_phrases, lost = counts.native.folds_of_phrases(folds)
    return _Spelled(counts.folded(folds + of_phrases), folds, lost, index)


def scales_of_frequencies(
    rules: Rules, frequencies: Array, total: float, negates: npt.NDArray[np.bool_], idf: str | None = None
) -> Array:
    """What an occurrence of terms in so many documents counts for; 0 for those too rare or too frequent to count.

    ``idf`` is the kind of it, if terms are weighed by it though the rules do not say so.
    """
    # A document may weigh less than 1: one document is any.
    any_will_do = is_whole(rules.min_documents) and rules.min_documents == 1
    stay = (frequencies > 0) if any_will_do else (frequencies >= _bound(rules.min_documents, total) - _ROUNDING)
    stay &= frequencies <= _bound(rules.max_documents, total) + _ROUNDING
    if rules.auto_stop_words:
        stay &= (frequencies <= AUTO_SHARE * total) | negates
    scales = np.zeros(len(frequencies))
    smooth = int((idf or rules.idf) == "smooth")
    if not (rules.tfidf or idf):
        scales[stay] = 1.0
    elif stay.any():
        some = np.minimum(frequencies[stay], total)  # folded words may stand beside what they misspell
        scales[stay] = inverse_document_frequency(some, total, smooth=smooth, lift=smooth)
    return scales


def _most_frequent(counts: Counts, ids: Ids, scales: Array, most: int) -> Array:
    """The scales of so many terms, the most frequent, of terms that are sorted; 0 for the others."""
    occurrences = counts.cells(ids).sum(counts.native.cells(ids, False))
    # Stable, and the terms are sorted: of equally frequent ones the first in the alphabet.
    order = np.argsort(np.where(scales > 0, -occurrences, np.inf), kind="stable")
    scales = scales.copy()
    scales[order[most:]] = 0.0
    return scales


def _bound(bound: float, total: float) -> float:
    """A number of documents, of a number or a share."""
    return float(bound) if is_whole(bound) else bound * total


_ROUNDING = 1e-9
"""By so much a share of documents may be off: 0.07 of 100 is a little more than 7."""


def negate(counts: Counts, ids: Ids) -> npt.NDArray[np.bool_]:
    """Which terms are negators, as a text may have them: they are no stop words."""
    return np.isin(ids, negators(counts))


def negators(counts: Counts) -> Ids:
    """The ids of the negators among the terms, as a text may have them."""
    from likely.analysis.stop_words import kept_negators

    written = {word.replace("'", mark) for word in kept_negators() for mark in ("'", "\u2019")}
    written |= {each for word in written for each in (word.capitalize(), word.upper())}
    found = counts.find(sorted({counts.analyzer.native.normalized(word) for word in written}))
    known: Ids = found[found != UNKNOWN]
    return known

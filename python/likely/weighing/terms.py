"""Which terms count, and how much each: what is decided when counts are weighed, never when they are counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.counting.counts import UNKNOWN
from likely.formulas import inverse_document_frequency
from likely.options.kinds import is_whole
from likely.weighing.variants import LEARNED, OF_DOCUMENTS

if TYPE_CHECKING:
    from likely.counting.counts import Counts
    from likely.types import Array, Ids, Label

AUTO_SHARE = 0.5
"""Terms in more than this share of the documents are stop words if those are 'auto'."""

RARE, TIMES = 2.0, 100.0
"""A word in so few documents may be the misspelling of one that is so many times as frequent.

On IMDB's reviews one in twenty words that are so folded is a word of its own; with 50 times nearly as many more are.
"""


_AS_THEY_ARE = ("variant", "weighting", "idf", "min_documents", "max_documents", "max_terms", "norm", "loss")


@dataclass(frozen=True)
class Rules:
    """What turns counts into weights: the options that can change without counting anew."""

    variant: str
    alpha: float
    prior: str | Mapping[Label, float]
    weighting: str = "counts"
    idf: str = "plain"
    min_documents: float = 1
    max_documents: float = 1.0
    max_terms: int | None = None
    auto_stop_words: bool = False
    spelling: bool = False
    norm: str = "none"
    loss: str = "hinge"
    cost: float = 1.0
    interpolation: float = 1.0

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Rules:
        """The rules of all options."""
        prior = dict(values["prior"]) if isinstance(values["prior"], Mapping) else values["prior"]
        return cls(
            alpha=float(values["alpha"]),
            prior=prior,
            auto_stop_words=isinstance(values["stop_words"], str) and values["stop_words"] == "auto",
            spelling=values["spelling"] == "on",
            cost=float(values["cost"]),
            interpolation=float(values["interpolation"]),
            **{name: values[name] for name in _AS_THEY_ARE},
        )

    @property
    def presence(self) -> bool:
        """Whether a term counts once a document."""
        return self.variant in OF_DOCUMENTS or (self.learned and not self.tfidf)

    @property
    def learned(self) -> bool:
        """Whether weights are learned from all documents at once, and do not follow from their counts."""
        return self.variant == LEARNED

    @property
    def tfidf(self) -> bool:
        """Whether terms in few documents count more."""
        return self.weighting == "tfidf"

    @property
    def count_every_term(self) -> bool:
        """Whether every term counts as it was counted, so that one can be weighed without a look at the others."""
        return self.keep_every_term and not (self.tfidf or self.spelling)

    @property
    def keep_every_term(self) -> bool:
        """Whether no term is too rare or too frequent."""
        bounds = (self.min_documents, self.max_documents, self.max_terms, self.auto_stop_words)
        return bounds == (1, 1.0, None, False) and is_whole(self.min_documents) and not is_whole(self.max_documents)


@dataclass(frozen=True)
class Terms:
    """The terms that count: their counts, and by their ids what each occurrence counts for.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes(min_documents=2).fit(["good fun", "good plot", "bad plot"], [1, 1, 0])
    >>> terms = model._weigh().classes.terms
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
        return np.where(self.are_counted(ids), ids, UNKNOWN).astype(np.uint32)

    def are_counted(self, ids: Ids) -> npt.NDArray[np.bool_]:
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

    def cells(self, ids: Ids) -> Array:
        """n_tc of the classes in which some terms occur, row after row."""
        cells = self.native.cells(ids, self.documents_count)
        scales = self._in_counts(ids)
        return cells if scales is None else cells * np.repeat(scales, self.native.row_lengths(ids))

    def rows(self, ids: Ids, columns: npt.NDArray[np.uint32]) -> Array:
        """n_tc as a dense matrix: one row an id, one column each of the class numbers given."""
        rows = self.counts.rows(ids, columns, documents=self.documents_count)
        scales = self._in_counts(ids)
        return rows if scales is None else rows * scales[:, None]

    def sums(self, ids: Ids) -> Array:
        """n_t: what the counts of some terms sum to over all classes."""
        rows = np.repeat(np.arange(len(ids)), self.native.row_lengths(ids))
        return np.bincount(rows, weights=self.cells(ids), minlength=len(ids)).astype(np.float64)

    def class_tokens(self) -> Array:
        """N_c: what the counts of each class sum to, by its number."""
        if self.scales is None:
            totals = self.counts.totals()
            return totals.presences if self.documents_count else totals.tokens
        ids = self.sorted_ids()  # sorted, so that the sums do not depend on the order in which terms came
        classes, cells = self.native.cell_classes(ids), self.cells(ids)
        return np.bincount(classes, weights=cells, minlength=len(self.counts.index.labels)).astype(np.float64)

    def known_words(self) -> tuple[Ids, Array]:
        """The ids of the single words that count, and in how many documents each is."""
        ids = self.sorted_ids()
        ids = ids[self.native.words_in(ids) == 1]
        return ids, document_frequencies(self.counts, ids)


def choose_terms(counts: Counts, rules: Rules) -> Terms:
    """The terms that count by the rules; where all do, this costs nothing."""
    if rules.count_every_term and counts.analyzer.lengths is None:
        return Terms(counts, rules, counts.native.terms)
    spelled = _fold(counts, rules) if rules.spelling else _Spelled(counts)
    counts = spelled.counts
    ids = counts.sorted_ids()
    total = float(counts.totals().documents.sum())
    negates = negate(counts, ids) if rules.auto_stop_words else np.zeros(len(ids), np.bool_)
    of_ids = scales_of_frequencies(rules, document_frequencies(counts, ids), total, negates, counts.analyzer.lengths)
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
    rows = np.repeat(np.arange(len(ids)), counts.native.row_lengths(ids))
    occurrences = np.bincount(rows, weights=counts.native.cells(ids, False), minlength=len(ids))
    # Stable, and the terms are sorted: of equally frequent ones the first in the alphabet.
    order = np.argsort(np.where(scales > 0, -occurrences, np.inf), kind="stable")
    scales = scales.copy()
    scales[order[most:]] = 0.0
    return scales


def document_frequencies(counts: Counts, ids: Ids) -> Array:
    """In how many documents of all classes some terms are."""
    lengths = counts.native.row_lengths(ids)
    rows = np.repeat(np.arange(len(ids)), lengths)
    return np.bincount(rows, weights=counts.native.cells(ids, True), minlength=len(ids)).astype(np.float64)


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

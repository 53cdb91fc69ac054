"""`Terms`: the kept terms and their scales (idf). Both follow from counts, so they can change later."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.counting.counts import UNKNOWN
from likely.formulas import sums_of_others
from likely.weighing.class_weights import class_factors
from likely.weighing.kept_terms import KeptTerms
from likely.weighing.scales import negate, scales_of_frequencies, within_bounds
from likely.weighing.term_cells import TermCells

if TYPE_CHECKING:
    from likely.counting.counts import Counts
    from likely.types import Array, Ids
    from likely.weighing.rules import Rules

RARE, TIMES = 2.0, 100.0
"""A word in at most `RARE` documents may be a misspelling of a word that is at least `TIMES` as frequent.

On the reviews of IMDB, one in twenty words that this rule corrects is not a misspelling; with `TIMES` = 50, nearly
twice as many are not.
"""

_EXACT = 2.0**53
"""Sums of whole numbers below this one are exact."""


@dataclass(frozen=True)
class Terms:
    """The kept terms, with their counts and scales.

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
    """V: the number of kept terms."""
    kept: KeptTerms | None = None
    """The kept terms with their scales; None if all terms are kept, and all scales are 1."""
    folds: list[tuple[int, int]] = field(default_factory=list)
    """Misspelled words and the words that replace them: pairs of ids."""
    spelling: _native.Spelling | None = None
    """The index of the known words, if spelling is corrected."""
    factors: Array | None = None
    """The weight of each class, by class number, which multiplies its counts; None if all weights are 1."""

    @property
    def unweighted(self) -> Terms:
        """The same terms with the counts as they were learned, whatever the weights of the classes."""
        return replace(self, factors=None)

    @property
    def native(self) -> _native.Counts:
        """The counts in the kernel."""
        return self.counts.native

    @property
    def value(self) -> str:
        """The kind of value that a term has in a document (`likely.formulas.Value`)."""
        analyzer = self.counts.analyzer
        return "presence" if self.rules.presence and not analyzer.is_scaled else analyzer.value

    @property
    def normalized(self) -> bool:
        """Whether documents have unit length."""
        return self.counts.analyzer.lengths is not None or (self.rules.learned and self.rules.norm == "l2")

    @property
    def documents_count(self) -> bool:
        """Whether n_tc is the number of documents that have the term, instead of its occurrences."""
        return self.rules.presence and not self.counts.analyzer.is_scaled

    @property
    def scales(self) -> Array | None:
        """The factor of each term, by id: its idf or 1, and 0 for a term that is not kept. None if all are 1."""
        return None if self.kept is None else self.kept.by_id

    def ids(self) -> Ids:
        """The ids of the kept terms, in no particular order."""
        return self.native.ids() if self.kept is None else self.kept.known

    def sorted_ids(self) -> Ids:
        """The ids of the kept terms, sorted by term."""
        return self.counts.sorted_ids() if self.kept is None else self.kept.known

    def find(self, terms: list[str]) -> Ids:
        """The id of each term; `UNKNOWN` for a term that is not kept."""
        ids = self.counts.find(terms)
        return np.where(self.are_kept(ids), ids, UNKNOWN).astype(np.uint32)

    def are_kept(self, ids: Ids) -> npt.NDArray[np.bool_]:
        """Whether each id is that of a kept term."""
        known: npt.NDArray[np.bool_] = ids != UNKNOWN
        if self.scales is not None:
            known[known] = self.scales[ids[known]] > 0
        return known

    def scales_of(self, ids: Ids) -> Array | None:
        """The scales of the terms with these ids; None if all of them are 1, which makes the weights far simpler."""
        found = None if self.scales is None else self.scales[ids]
        return None if found is None or bool((found == 1.0).all()) else found

    def in_counts(self, ids: Ids) -> Array | None:
        """The factors for the counts of the terms with these ids; None if all are 1."""
        # The counts of documents of unit length already contain the scales.
        return None if self.counts.analyzer.lengths is not None else self.scales_of(ids)

    def cells(self, ids: Ids) -> TermCells:
        """n_tc of the terms with these ids in the classes in which they occur: one row per term."""
        cells = self.counts.cells(ids)
        return TermCells(cells.starts, cells.classes, self, ids)

    def rows(self, ids: Ids, numbers: Ids) -> Array:
        """n_tc as a matrix: one row per id, one column per class number given."""
        rows = self.counts.rows(ids, numbers, documents=self.documents_count)
        rows = rows if self.factors is None else rows * self.factors[numbers]
        scales = self.in_counts(ids)
        return rows if scales is None else rows * scales[:, None]

    def rows_of_others(self, ids: Ids, numbers: Ids) -> Array:
        """n_t - n_tc as a matrix: one row per id, one column per class number given."""
        if self.factors is not None:  # in the order of the labels: the sums are then always the same
            live = self.counts.live()
            return sums_of_others(self.rows(ids, live.numbers))[:, live.ranks[numbers]]
        rows = self.counts.rows_of_others(ids, numbers, documents=self.documents_count)
        scales = self.in_counts(ids)
        return rows if scales is None else rows * scales[:, None]

    def class_tokens(self) -> Array:
        """N_c: the sum of the counts of each class: one element per class number."""
        totals = self.counts.totals()
        tokens = totals.presences if self.documents_count else totals.tokens
        if self.scales is None:
            return tokens if self.factors is None else tokens * self.factors
        if self.factors is None and self._counts_everything() and tokens.max(initial=0.0) < _EXACT:
            return tokens  # the sums below would be exact, too
        cells = self.cells(self.sorted_ids())  # sorted, so that the sums do not depend on the order of the texts
        size = len(self.counts.index.labels)
        return np.bincount(cells.classes, weights=cells.values, minlength=size).astype(np.float64)

    def _counts_everything(self) -> bool:
        """Whether every term is kept as it was counted, and all counts are whole numbers."""
        return self.size == self.native.terms and self.native.whole and self.scales_of(self.sorted_ids()) is None

    def known_words(self) -> tuple[Ids, Array]:
        """The ids of the kept single words, and their document frequencies."""
        ids = self.sorted_ids()
        ids = ids[self.native.words_in(ids) == 1]
        return ids, self.counts.document_frequencies(ids)


def choose_terms(counts: Counts, rules: Rules) -> Terms:
    """The terms that the rules keep. If they keep all terms unchanged, nothing is computed."""
    if rules.count_every_term and counts.analyzer.lengths is None:
        return Terms(counts, rules, counts.native.terms, factors=_class_factors(counts, rules))
    spelled = _fold(counts, rules) if rules.spelling else _Spelled(counts)
    counts = spelled.counts
    ids = counts.sorted_ids()
    total = math.fsum(counts.totals().documents.tolist())  # the same in any order
    negates = negate(counts, ids) if rules.auto_stop_words else np.zeros(len(ids), np.bool_)
    frequencies = counts.document_frequencies(ids)
    stay = within_bounds(rules, frequencies, total, negates)
    scales = scales_of_frequencies(rules, frequencies, total, negates, counts.analyzer.lengths)
    scales[np.isin(ids, spelled.lost)] = 0.0
    if rules.max_terms is not None:
        scales = _most_frequent(counts, ids, scales, rules.max_terms)
    kept = KeptTerms(ids[stay], frequencies[stay], scales[stay], counts.native.vocabulary_size)
    terms = Terms(counts, rules, len(kept.known), kept, spelled.folds, spelled.index, _class_factors(counts, rules))
    if not rules.spelling or rules.keep_every_term:
        return terms
    # A misspelled word is replaced by a kept term only.
    return replace(terms, spelling=_native.Spelling.of_counts(counts.native, *terms.known_words()))


def follow_terms(terms: Terms, changed: Ids) -> Terms:
    """The kept terms after the counts of some terms have changed; see `Rules.keep_by_frequency`."""
    counts, kept = terms.counts, terms.kept
    if kept is None:
        return choose_terms(counts, terms.rules)
    kept = kept.followed(counts, terms.rules, changed)
    return replace(terms, size=len(kept.known), kept=kept, factors=_class_factors(counts, terms.rules))


def _class_factors(counts: Counts, rules: Rules) -> Array | None:
    """The weight of each class, by class number; None if the rules give all classes the weight 1."""
    if rules.class_weight is None:
        return None
    factors = np.ones(len(counts.index.labels))
    factors[counts.live().numbers] = class_weights(counts, rules)
    return factors


def class_weights(counts: Counts, rules: Rules) -> Array:
    """The weight of each class, sorted by label."""
    live = counts.live()
    return class_factors(counts.totals().documents[live.numbers], live.labels, rules.class_weight)


@dataclass(frozen=True)
class _Spelled:
    """Counts in which rare misspelled words are replaced by the words that they misspell."""

    counts: Counts
    folds: list[tuple[int, int]] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    """The n-grams with misspelled words. No text has them any more, because its words are corrected first."""
    index: _native.Spelling | None = None


def _fold(counts: Counts, rules: Rules) -> _Spelled:
    words = Terms(counts, rules, counts.native.terms).known_words()
    index = _native.Spelling.of_counts(counts.native, *words)
    folds = index.folds(RARE, TIMES)
    of_phrases, lost = counts.native.folds_of_phrases(folds)
    return _Spelled(counts.folded(folds + of_phrases), folds, lost, index)


def _most_frequent(counts: Counts, ids: Ids, scales: Array, most: int) -> Array:
    """The scales, with 0 for all terms but the ``most`` most frequent ones. The ids must be sorted by term."""
    occurrences = counts.native.class_sums(ids, False)
    # The sort is stable, so of equally frequent terms the alphabetically first ones are kept.
    order = np.argsort(np.where(scales > 0, -occurrences, np.inf), kind="stable")
    scales = scales.copy()
    scales[order[most:]] = 0.0
    return scales

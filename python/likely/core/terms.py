"""`Terms`: the terms that a model keeps, their scales (idf), the weights of classes, and the counts of terms."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.core.counts import UNKNOWN, Cells, Counts, Ragged
from likely.errors import OptionError
from likely.formulas import inverse_document_frequency, sums_of_others, term_frequency
from likely.options.kinds import is_whole

if TYPE_CHECKING:
    from likely.core.rules import Rules
    from likely.types import Array, ClassWeight, Ids, Label, Mask, Places


AUTO_SHARE = 0.5
"""With ``stop_words='auto'``, terms that occur in more than this share of the documents are stop words."""
_ROUNDING = 1e-9
"""The tolerance for a share of documents: in floating point, 0.07 of 100 is a little more than 7."""
_RELATIVE = 1e-13
"""The tolerance for the number of all documents."""


def within_bounds(rules: Rules, frequencies: Array, total: float | Array, negates: Mask) -> Mask:
    """Whether each term is neither too rare nor too frequent; the arguments are those of `scales_of_frequencies`."""
    # The weight of a document may be less than 1, so "in one document" means any frequency above 0.
    any_will_do = is_whole(rules.min_documents) and rules.min_documents == 1
    stay: Mask = (frequencies > 0) if any_will_do else (frequencies >= _bound(rules.min_documents, total) - _ROUNDING)
    stay &= frequencies <= _bound(rules.max_documents, total) + _ROUNDING
    if rules.auto_stop_words:
        stay &= (frequencies <= AUTO_SHARE * total + _ROUNDING) | negates
    return stay


def scales_of_frequencies(
    rules: Rules, frequencies: Array, total: float | Array, negates: Mask, idf: str | None = None
) -> Array:
    """The scale of each term, from its document frequency; 0 for a term that is too rare or too frequent.

    Parameters
    ----------
    rules
        The rules.
    frequencies
        The document frequency of each term.
    total
        The number of all documents, which may differ from term to term.
    negates
        Whether each term is a negator, which is never an automatic stop word.
    idf
        The kind of idf ("plain" or "smooth"), if terms are scaled by it although the rules do not say so.
    """
    stay = within_bounds(rules, frequencies, total, negates)
    scales = np.zeros(len(frequencies))
    smooth = int((idf or rules.idf) == "smooth")
    if not (rules.tfidf or idf):
        scales[stay] = 1.0
    elif stay.any():
        # A document with both a word and its misspelling is in both frequencies: their sum may exceed the total.
        of_all = np.broadcast_to(total, frequencies.shape)[stay]
        some = np.minimum(frequencies[stay], of_all)
        # Sums of weights have rounding errors; the plain idf of a term that is in all documents must be 0.
        some = np.where(of_all - some <= _RELATIVE * of_all, of_all, some)
        scales[stay] = inverse_document_frequency(some, of_all, smooth=smooth, lift=smooth)
    return scales


def _bound(bound: float, total: float | Array) -> float | Array:
    """A number of documents, from a whole number or a share of the total."""
    return float(bound) if is_whole(bound) else bound * total


def negate(counts: Counts, ids: Ids) -> Mask:
    """Whether each term is a negator: negators are never automatic stop words."""
    return np.isin(ids, negator_ids(counts))


def negator_ids(counts: Counts) -> Ids:
    """The ids of the negators among the terms."""
    found = counts.find(counts.analyzer.kept_negators)
    known: Ids = found[found != UNKNOWN]
    return known


@dataclass(frozen=True, eq=False)
class KeptTerms:
    """Terms that are neither too rare nor too frequent, sorted by term.

    Attributes
    ----------
    ids : array
        The id of each term.
    frequencies : array
        The document frequency of each term.
    scales : array
        The idf of each term, or 1. The plain idf of a term that is in all documents is 0: such a term is not known.
    vocabulary_size : int
        The number of ids.
    """

    ids: Ids
    frequencies: Array
    scales: Array
    vocabulary_size: int

    @cached_property
    def known(self) -> Ids:
        """The ids of the terms whose scale is above 0, sorted by term."""
        return self.ids[self.scales > 0]

    @cached_property
    def by_id(self) -> Array:
        """The scale of each term, by id; 0 for a term that is not kept."""
        scales = np.zeros(self.vocabulary_size)
        scales[self.ids] = self.scales
        return scales

    def followed(self, counts: Counts, rules: Rules, changed: Ids) -> KeptTerms:
        """The kept terms after the counts of the terms with these ids have changed.

        Only these terms are looked at, so each must be kept or not by its own document frequency alone
        (`Rules.keep_by_frequency`).
        """
        total = math.fsum(counts.totals().documents.tolist())
        before = np.isin(self.ids, changed)
        new = np.setdiff1d(changed, self.ids[before])
        frequencies = self.frequencies.copy()
        frequencies[before] = counts.document_frequencies(self.ids[before])
        of_new = counts.document_frequencies(new)
        stay, enter = _kept(rules, frequencies, total), _kept(rules, of_new, total)
        ids, frequencies = self.ids[stay], frequencies[stay]
        entering = counts.sorted_by_term(new[enter])
        places = _places(counts, ids, entering)
        ids = np.insert(ids, places, entering)
        frequencies = np.insert(frequencies, places, counts.document_frequencies(entering))
        scales = scales_of_frequencies(rules, frequencies, total, np.zeros(len(ids), np.bool_))
        return KeptTerms(ids, frequencies, scales, counts.native.vocabulary_size)


def _kept(rules: Rules, frequencies: Array, total: float) -> Mask:
    return within_bounds(rules, frequencies, total, np.zeros(len(frequencies), np.bool_))


def _places(counts: Counts, ids: Ids, entering: Ids) -> list[int]:
    """The place of each entering term among the others, which are sorted by term too."""

    def spelled(number: np.uint32) -> str:
        return counts.native.spell(np.array([number], np.uint32))[0]

    return [bisect_left(ids, term, key=spelled) for term in counts.native.spell(entering)]


@dataclass(frozen=True, eq=False)
class TermCells(Cells):
    """Counts of terms, n_tc: one row per term, one entry per class (by number) in which it occurs.

    If classes have weights, every count is multiplied by the weight of its class.
    """

    terms: Terms
    ids: Ids

    def _scaled(self, numbers: Array, *, of_rows: bool = False) -> Array:
        scales = self.terms.in_counts(self.ids)
        return numbers if scales is None else numbers * (scales if of_rows else self.repeat(scales))

    @cached_property
    def values(self) -> Array:
        """n_tc, per entry."""
        values, factors = self.terms.native.cells(self.ids, self.terms.documents_count), self.terms.factors
        return self._scaled(values if factors is None else values * factors[self.classes])

    @cached_property
    def sums(self) -> Array:
        """n_t: the sum of each term's counts over all classes, in whatever order the classes were learned."""
        if self.terms.factors is not None:
            return self.sum(self.values[self._by_label])
        return self._scaled(self.terms.native.class_sums(self.ids, self.terms.documents_count), of_rows=True)

    @cached_property
    def of_others(self) -> Array:
        """n_t - n_tc, per entry: the sum of the term's counts over all other classes."""
        if self.terms.factors is not None:
            others = np.empty_like(self.values)
            others[self._by_label] = sums_of_other_entries(self, self.values[self._by_label])
            return others
        return self._scaled(self.terms.native.sums_of_others(self.ids, self.terms.documents_count))

    @cached_property
    def _by_label(self) -> Places:
        """The entries of each row in the order of the labels: sums of weighted counts are then always the same."""
        return np.lexsort((self.terms.counts.live().ranks[self.classes], self.rows))


def sums_of_other_entries(table: Ragged, entries: Array) -> Array:
    """For each entry, the sum of all others in its row; no difference of large numbers is taken.

    This is `likely.formulas.sums_of_others` for rows of different lengths: what comes before the entry, from the
    left, and what comes after it, from the right. It takes one step per place in the longest row.

    Examples
    --------
    >>> from likely.core.counts import Ragged, starts_of
    >>> table = Ragged(starts_of(np.array([3, 0, 1])))
    >>> sums_of_other_entries(table, np.array([1.0, 2.0, 5.0, 7.0]))
    array([7., 6., 3., 0.])
    """
    before, after = np.zeros(len(entries)), np.zeros(len(entries))
    longest_first = np.argsort(-table.lengths, kind="stable")
    numbers = np.searchsorted(-table.lengths[longest_first], -np.arange(table.lengths.max(initial=0)))
    for step, number in enumerate(numbers[1:].tolist(), start=1):
        rows = longest_first[:number]
        right, left = table.starts[rows] + step, table.starts[rows + 1] - 1 - step
        before[right] = before[right - 1] + entries[right - 1]
        after[left] = after[left + 1] + entries[left + 1]
    return before + after


def class_factors(documents: Array, labels: Sequence[Label], class_weight: ClassWeight) -> Array:
    """The factor omega_c of the counts of each class, from the numbers of documents: the shape of ``documents``.

    A mapping gives the factor of the classes that it names; that of all others is 1. With ``"balanced"`` it is
    N / (K N_c), with N_c the documents of the class, N those of all classes, and K the number of classes that have
    documents: all classes then weigh the same (King and Zeng, *Logistic Regression in Rare Events Data*, 2001,
    section 4.1; scikit-learn, ``compute_class_weight``). With ``"sqrt_balanced"`` it is the square root of that
    (CatBoost, ``auto_class_weights``). The factor of a class without documents is 1.

    Examples
    --------
    >>> import numpy as np
    >>> class_factors(np.array([90.0, 10.0]), ["ham", "spam"], {"spam": 5})
    array([1., 5.])
    >>> class_factors(np.array([[90.0, 10.0], [90.0, 0.0]]), ["ham", "spam"], "balanced")
    array([[0.55555556, 5.        ],
           [1.        , 1.        ]])
    """
    factors = np.ones(documents.shape)
    if isinstance(class_weight, Mapping):
        check_class_weight(labels, class_weight)
        given = cast("Mapping[Label, float]", class_weight)
        factors[...] = [given.get(label, 1.0) for label in labels]
    elif class_weight is not None:
        there = documents > 0
        each = documents.sum(axis=-1, keepdims=True) / np.maximum(there.sum(axis=-1, keepdims=True), 1)
        np.divide(each, documents, out=factors, where=there)
    return np.sqrt(factors) if class_weight == "sqrt_balanced" else factors


def check_class_weight(labels: Sequence[Label], class_weight: ClassWeight) -> None:
    """Raise ``OptionError`` if a mapping of class weights names a class that is not among the labels."""
    if isinstance(class_weight, Mapping):
        known = set(labels)
        unknown = [label for label in class_weight if label not in known]
        if unknown:
            raise OptionError(
                f"class_weight names the class {unknown[0]!r}, which the model does not have: name only its classes"
            )


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
    >>> snapshot = model._snapshot()
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
        return "presence" if self.documents_count else self.counts.analyzer.value

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
        is_as_counted = self.factors is None and self.size == self.native.terms and self.native.whole
        if is_as_counted and self.scales_of(self.sorted_ids()) is None and tokens.max(initial=0.0) < _EXACT:
            return tokens  # every term is kept as it was counted, so the sums below would be exact, too
        cells = self.cells(self.sorted_ids())  # sorted, so that the sums do not depend on the order of the texts
        size = len(self.counts.index.labels)
        return np.bincount(cells.classes, weights=cells.values, minlength=size).astype(np.float64)

    def known_words(self) -> tuple[Ids, Array]:
        """The ids of the kept single words, and their document frequencies."""
        ids = self.sorted_ids()
        ids = ids[self.native.words_in(ids) == 1]
        return ids, self.counts.document_frequencies(ids)


def choose_terms(counts: Counts, rules: Rules) -> Terms:
    """The terms that the rules keep. If they keep all terms unchanged, nothing is computed."""
    if rules.count_every_term and counts.analyzer.lengths is None:
        return Terms(counts, rules, counts.native.terms, factors=_class_factors(counts, rules))
    counts, folds, lost, index = _fold(counts, rules) if rules.spelling else (counts, [], [], None)
    ids = counts.sorted_ids()
    total = math.fsum(counts.totals().documents.tolist())  # the same in any order
    negates = negate(counts, ids) if rules.auto_stop_words else np.zeros(len(ids), np.bool_)
    frequencies = counts.document_frequencies(ids)
    stay = within_bounds(rules, frequencies, total, negates)
    scales = scales_of_frequencies(rules, frequencies, total, negates, counts.analyzer.lengths)
    scales[np.isin(ids, lost)] = 0.0
    if rules.max_terms is not None:
        scales = _most_frequent(counts, ids, scales, rules.max_terms)
    kept = KeptTerms(ids[stay], frequencies[stay], scales[stay], counts.native.vocabulary_size)
    terms = Terms(counts, rules, len(kept.known), kept, folds, index, _class_factors(counts, rules))
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


def _fold(counts: Counts, rules: Rules) -> tuple[Counts, list[tuple[int, int]], list[int], _native.Spelling]:
    """The counts in which rare misspelled words are replaced by the words that they misspell, and these pairs.

    Then come the n-grams with misspelled words, which no text has any more, because its words are corrected first,
    and the words that texts are corrected with.
    """
    words = Terms(counts, rules, counts.native.terms).known_words()
    index = _native.Spelling.of_counts(counts.native, *words)
    folds = index.folds(RARE, TIMES)
    of_phrases, lost = counts.native.folds_of_phrases(folds)
    return counts.folded(folds + of_phrases), folds, lost, index


def _most_frequent(counts: Counts, ids: Ids, scales: Array, most: int) -> Array:
    """The scales, with 0 for all terms but the ``most`` most frequent ones. The ids must be sorted by term."""
    occurrences = counts.native.class_sums(ids, False)
    # The sort is stable, so of equally frequent terms the alphabetically first ones are kept.
    order = np.argsort(np.where(scales > 0, -occurrences, np.inf), kind="stable")
    scales = scales.copy()
    scales[order[most:]] = 0.0
    return scales


def term_values(occurrences: npt.NDArray[np.generic], value: str) -> Array:
    """The value of each term, from how often it occurs in its document.

    Examples
    --------
    >>> occurrences = np.array([1, 3])
    >>> [term_values(occurrences, value) for value in ("count", "presence", "damped")]
    [array([1., 3.]), array([1., 1.]), array([1.        , 2.09861229])]
    """
    if value == "presence":
        return np.ones(len(occurrences))
    return term_frequency(occurrences.astype(np.float64), sublinear=value == "damped")

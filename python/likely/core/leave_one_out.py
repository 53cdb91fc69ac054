"""The exact leave-one-out scores of learned documents: each from a model without the document.

All copies of a document are left out with it, and all documents of its group, if groups are given. The counts are
subtracted from the counts of all, so no model is trained again. To test several rules on the same documents, make one
`LearnedDocuments` and ask it for the scores with each set of rules.

Without a document, its terms have a smaller document frequency, and there are fewer documents in all. The terms that
are taken out get the counts and the scale that they have then ("after"). All other terms keep their counts, and their
scale changes only with the number of all documents ("before"). So the sums over all terms are those of a model with
that many documents fewer ("outside"), plus a change per term that is taken out.

The definitions are in `Reduced`, `Left` and `Without`. They are used for two kinds of batches: documents that are
left out together with others (`Together`), with one row per term of each; and documents that are left out alone
(`Alone`), with one row per case: terms with equal counts (a kind) that occur equally often add the same to a score.
"""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from likely import _native
from likely.core.counts import Counts, Ragged, TermRows, starts_of
from likely.core.removals import Kinds, Removals, Removed, Units, exact_sums, shares_of, units_of
from likely.core.terms import class_factors, scales_of_frequencies, term_values
from likely.core.variants import Bernoulli, Complement, Totals, Variant, one_over
from likely.errors import NotLearnedError, OptionError
from likely.formulas import log_prior, sums_of_others
from likely.options.kinds import is_whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy.typing as npt

    from likely.core.rules import Rules
    from likely.types import Array, Ids, Mask, Places, Starts


T = TypeVar("T", bound=np.generic)

AT_ONCE, LEAST = 1 << 12, 1 << 9
"""The largest number of documents that one thread scores at a time; from the second number on, they are scored in at
least two batches."""
SCORES = 1 << 20
"""About the largest number of scores that are computed at a time. With many classes, that is a small batch."""
MOST_DENSE = 1 << 26
"""At most this many pairs of a kind and a class are looked up in an array; more are found by binary search."""
_ROUNDING = 1e-9
"""The tolerance for a difference that should be 0, of numbers from 1 on; of smaller ones it is this share."""


def _is_left(left: Array, whole: Array) -> Mask:
    """Whether a difference is more than rounding error, from the number that something was taken from."""
    return left > _ROUNDING * np.minimum(whole, 1.0)


def check_exact(counts: Counts, rules: Rules) -> None:
    """Raise ``OptionError`` or ``NotAdditiveError`` if counts without a document are no subtraction."""
    counts.check_whole("leave out documents")
    if rules.class_weight is not None and rules.form.normalized:
        raise OptionError(
            f"leave_one_out is not defined with class_weight and variant={rules.variant!r}: the weights of all terms "
            "would change with every document"
        )
    reasons = {
        "norm='l2'": counts.analyzer.lengths is not None,
        "spelling='on'": rules.spelling,
        f"max_terms={rules.max_terms}": rules.max_terms is not None,
    }
    for reason, there in reasons.items():
        if there:
            raise OptionError(
                f"leave_one_out is not defined with {reason}: which terms are kept depends on all documents"
            )


@dataclass(frozen=True)
class LeftOut:
    """The leave-one-out scores and lengths of documents."""

    joint: Array
    """The scores, log P(c) + the sum over the terms: one row per document, one column per class."""
    length: Array
    """The sum of the values of those terms that are known without the document: one per document."""
    times: Array | None = None
    """The weight of each document; None if each weighs 1."""

    unknown: Array | None = None
    """How many terms of each document are not known without it, as often as they occur; None if not counted."""
    tokens: Array | None = None
    """The number of all its terms, counted likewise."""

    def of(self, some: Mask | slice) -> LeftOut:
        """The scores of some of the documents."""
        more = (None if each is None else each[some] for each in (self.times, self.unknown, self.tokens))
        return LeftOut(self.joint[some], self.length[some], *more)

    @property
    def unknown_share(self) -> float | None:
        """The share of the terms of all documents that is not known without each; None if it was not counted."""
        if self.unknown is None or self.tokens is None or not (self.weights * self.tokens).any():
            return None
        return float((self.weights * self.unknown).sum() / (self.weights * self.tokens).sum())

    @property
    def weights(self) -> Array:
        """The weight of each document."""
        return np.ones(len(self.joint)) if self.times is None else self.times


def weighed_as(left: LeftOut, worth: Sequence[float]) -> LeftOut:
    """The scores with other weights of the documents; those of weight 0 keep it.

    Examples
    --------
    >>> left = LeftOut(np.zeros((2, 2)), np.ones(2), np.array([3.0, 0.0]))
    >>> weighed_as(left, [1.0, 1.0]).weights
    array([1., 0.])
    """
    return replace(left, times=np.where(left.weights > 0, np.asarray(worth, np.float64), 0.0))


class Leaving:
    """The counts and the rules from which documents are scored that are left out."""

    def __init__(self, kinds: Kinds, rules: Rules) -> None:
        check_exact(kinds.counts, rules)
        self.kinds, self.rules, self.variant = kinds, rules, rules.form
        self._take(presence=rules.presence and not kinds.counts.analyzer.is_scaled)
        self.value = "presence" if self.presence else kinds.counts.analyzer.value
        bounds = (rules.min_documents, rules.max_documents)
        self._follows_total = (
            rules.tfidf or rules.auto_stop_words or not all(is_whole(bound) or bound == 1.0 for bound in bounds)
        )
        """Whether the scale of a term also depends on the number of all documents."""
        self._histograms: dict[float, list[tuple[Array, Array]]] = {}
        self._normalizers: dict[float, tuple[float, Array]] = {}

    def _take(self, *, presence: bool) -> None:
        self.presence = presence
        self.counts = self.kinds.cells.documents if presence else self.kinds.cells.counts
        self.sums = self.kinds.sums(documents=presence)

    def counting(self) -> Leaving:
        """The same with how often terms occur, also for variants that look at presence only."""
        other = copy(self)
        other.value = self.kinds.counts.analyzer.value
        other._take(presence=False)
        return other

    @property
    def of_others(self) -> Array:
        """For each cell of the kinds, the count of the term in all other classes."""
        return self.kinds.of_others(documents=self.presence)

    def scales(self, frequencies: Array, negate: Mask, total: float | Array) -> Array:
        """The scales of terms with these document frequencies, of so many documents; 0 if they are not kept."""
        return np.where(frequencies > 0, scales_of_frequencies(self.rules, frequencies, total, negate), 0.0)

    @cached_property
    def alone(self) -> tuple[Array, Array]:
        """The scale of each kind of term without a document that lacks it, and without one that has it."""
        kinds, total = self.kinds, np.array([self.kinds.total - 1])
        before = self.scales(kinds.frequencies, kinds.negate, self.total(total))
        return before, self.scales(kinds.frequencies - 1, kinds.negate, total)

    def total(self, without: Array) -> Array:
        """The number of documents that scales are computed with for terms that are not taken out."""
        # A term in all documents is always taken out, so without idf and shares any total will do for the others.
        return without if self._follows_total else np.full(len(without), self.kinds.total)

    def outside(self, totals: Array) -> tuple[Array, Array, Array, Array]:
        """The sums over all terms with fewer documents in all: one row per number of documents.

        The number of kept terms V; N_c, with one column per class; and for complement_normalized the weights beyond
        the base in classes that lack the terms, and beyond that those of the terms that each class has.
        """
        outside, width = self.kinds.outside, len(self.kinds.labels)
        counts = outside.documents if self.presence else outside.counts
        terms, tokens = np.zeros(len(totals)), np.zeros((len(totals), width))
        rests, beyond = np.zeros(len(totals)), np.zeros((len(totals), width))
        for row, total in enumerate(totals.tolist()):
            scales = self.scales(outside.frequencies, outside.negate, total)
            terms[row], tokens[row] = outside.sizes[scales > 0].sum(), (scales[:, None] * counts).sum(axis=0)
            if self.variant.normalized:
                rests[row], beyond[row] = self._normalizer(total)
        return terms, tokens, rests, beyond

    def _normalizer(self, total: float) -> tuple[float, Array]:
        """The sums of the weights of all terms beyond the base: in classes that lack them, and beyond that."""
        if total not in self._normalizers:
            whole = self if self.kinds.is_whole else Leaving(self.kinds.whole, self.rules)
            variant = cast("Complement", self.variant)
            kinds, cells = whole.kinds, whole.kinds.cells
            scales = self.scales(kinds.frequencies, kinds.negate, total)
            times, of_terms = np.where(scales > 0, kinds.sizes, 0.0), scales * whole.sums
            rests = np.sort(times * rest_of(variant, of_terms))
            excess = variant.excess(of_terms[cells.rows], scales[cells.rows] * whole.of_others)
            beyond = exact_sums(cells.classes, excess * times[cells.rows], len(kinds.labels))
            self._normalizers[total] = float(rests.sum()), beyond
        return self._normalizers[total]

    def histogram(self, total: float) -> list[tuple[Array, Array]]:
        """Per class: the distinct document frequencies of the kept terms, and how many terms have each."""
        if total not in self._histograms:
            kinds = self.kinds.whole
            cells, width = kinds.cells, len(kinds.labels)
            times = np.where(self.scales(kinds.frequencies, kinds.negate, total) > 0, kinds.sizes, 0.0)
            numbers, inverse = np.unique(cells.documents, return_inverse=True)
            size = len(numbers)
            table = exact_sums(cells.classes * size + inverse, times[cells.rows], width * size).reshape(width, size)
            self._histograms[total] = [(numbers[row > 0], row[row > 0]) for row in table]
        return self._histograms[total]

    def log_prior(self, documents: Array) -> Array:
        """Log P(c) from the numbers of documents: one row per model, one column per class."""
        prior = self.rules.prior
        with np.errstate(divide="ignore", invalid="ignore"):  # there may be no documents left
            if self.variant.normalized or prior == "uniform":
                found = -np.log((documents > 0).sum(axis=1, keepdims=True))
            elif prior == "fitted":
                found = np.log(documents / documents.sum(axis=1, keepdims=True))
            else:
                found = log_prior(self.kinds.documents, self.kinds.labels, prior)
        return np.broadcast_to(found, documents.shape)


def rest_of(variant: Variant, of_terms: Array) -> Array:
    """The weight of each term beyond the base in classes that lack it."""
    rest = variant.rest(np.maximum(of_terms, 0.0))
    return np.zeros(len(of_terms)) if rest is None else rest


@dataclass(frozen=True, eq=False)
class Reduced:
    """Terms that are taken out: one row per term, with one cell per class in which it occurs. Alpha is not used."""

    leaving: Leaving
    kinds: Ids
    """The kind of each row's term."""
    cells: Ragged
    at: Places
    """The place of each cell among those of all kinds."""
    gone: float | Array
    """The weight of the documents with the term that are taken out, per row."""
    taken: Array
    """What is taken out of the count of the term, per row."""
    before: Array
    """The scale of the term if it was not taken out, per row."""
    after: Array
    """The scale of the term without what is taken out, per row."""

    @cached_property
    def counts(self) -> Array:
        """The count of each cell with what is taken out."""
        return self.leaving.counts[self.at]

    @cached_property
    def documents(self) -> Array:
        """The document frequency of each cell with what is taken out."""
        return self.leaving.kinds.cells.documents[self.at]

    @property
    def sums(self) -> Array:
        """The count of each row's term in all classes with what is taken out."""
        return self.leaving.sums[self.kinds]

    @cached_property
    def scales(self) -> Array:
        """The scale after, per cell."""
        return self.cells.repeat(self.after)

    @property
    def scales_before(self) -> Array:
        """The scale before, per cell."""
        return self.cells.repeat(self.before)


@dataclass(frozen=True, eq=False)
class Left:
    """What is left of the cells of terms, and the weights that follow from it."""

    rows: Reduced
    taken: Callable[[], float | Array]
    """What is taken out of the count of each cell."""
    gone: float | Array
    """The weight of the documents that are taken out of each cell."""
    class_documents: Callable[[], Array]
    """The documents of each cell's class without those that are taken out, times the weight of the class."""
    factors: Array | None = None
    """The weight of each cell's class; None if all are 1."""

    @property
    def learned(self) -> Array:
        """The weight of the documents that are taken out of each cell; 0 if more is taken out than was learned."""
        rows = self.rows
        short: Mask = rows.documents - self.gone < -_ROUNDING
        if not rows.leaving.kinds.counts.analyzer.equal:
            short |= rows.counts - self.taken() < -_ROUNDING * np.maximum(rows.counts, 1.0)
        return np.where(short, 0.0, self.gone)

    @property
    def unweighted(self) -> Array:
        """The count of each cell, whatever the weight of its class."""
        rows = self.rows
        if isinstance(self.gone, float) and not self.gone:
            return rows.counts
        # If no document with the term is left, the count is 0; a difference would leave a rounding error.
        some = _is_left(rows.documents - self.gone, rows.documents)
        return np.where(some, np.maximum(rows.counts - self.taken(), 0.0), 0.0)

    @cached_property
    def counts(self) -> Array:
        """The count of each cell."""
        return self._weighted(self.unweighted)

    def _weighted(self, of_cells: Array) -> Array:
        return of_cells if self.factors is None else of_cells * self.factors

    @property
    def tokens(self) -> Array:
        """The change of the tokens of each cell's class, whatever its weight."""
        left = self.counts if self.factors is None else self.unweighted
        return self.rows.scales * left - self.rows.scales_before * self.rows.counts

    @cached_property
    def of_terms(self) -> Array:
        """The count of each row's term in all classes, times its scale."""
        rows = self.rows
        left = np.maximum(rows.sums - rows.taken, 0.0) if self.factors is None else rows.cells.sum(self.counts)
        return rows.after * left

    @cached_property
    def of_others(self) -> Array:
        """The count of each cell's term in all other classes, times its scale."""
        rows = self.rows
        documents = rows.leaving.kinds.of_others(documents=True)[rows.at]
        gone = rows.cells.repeat(rows.gone) if isinstance(rows.gone, np.ndarray) else rows.gone
        some = _is_left(documents - (gone - self.gone), documents)
        if self.factors is None:
            others = rows.leaving.of_others[rows.at] - (rows.cells.repeat(rows.taken) - self.taken())
        else:
            others = rows.cells.repeat(rows.cells.sum(self.counts)) - self.counts
        return rows.scales * np.where(some, np.maximum(others, 0.0), 0.0)

    def beyond(self, variant: Variant) -> Array:
        """The weight of each cell beyond the base (and the rest)."""
        if variant.is_complement:
            return self.excess(variant)
        if variant.is_local:
            counts = self.rows.scales * self.counts
            some, deltas = counts > 0, np.zeros(len(counts))
            deltas[some] = variant.delta(counts[some], counts[some], Totals(counts, counts, counts, 0))
            return deltas
        documents = np.maximum(self.class_documents(), self.counts)
        return variant.delta(self.counts, self.counts, Totals(documents, documents, documents, 0))

    def excess(self, variant: Variant) -> Array:
        """For complement variants: the weight of each cell beyond that of a class that lacks the term."""
        return cast("Complement", variant).excess(self.rows.cells.repeat(self.of_terms), self.of_others)

    def excess_change(self, variant: Variant) -> Array:
        """The difference that the removal makes to `excess`."""
        rows, excess = self.rows, cast("Complement", variant).excess
        before = excess(
            rows.cells.repeat(rows.before * rows.sums), rows.scales_before * rows.leaving.of_others[rows.at]
        )
        return self.excess(variant) - before

    def rests(self, variant: Variant) -> Array:
        """For complement variants: the weight of each row's term beyond the base in classes that lack it."""
        return np.where(self.rows.after > 0, rest_of(variant, self.of_terms), 0.0)

    def rests_change(self, variant: Variant) -> Array:
        """The difference that the removal makes to `rests`."""
        rows = self.rows
        return self.rests(variant) - np.where(rows.before > 0, rest_of(variant, rows.before * rows.sums), 0.0)

    def lack_change(self, variant: Variant) -> Array:
        """For bernoulli: the difference that each cell makes to the sum of log(1 - p) over all terms."""
        rows, lack, documents = self.rows, cast("Bernoulli", variant).lack, self.class_documents()
        after = (rows.scales > 0) * lack(self.counts, documents)
        return after - (rows.scales_before > 0) * lack(self._weighted(rows.counts), documents)


class Without:
    """The counts without the removals of a batch, as far as they do not depend on alpha; and the scores.

    A removal is what is taken out at a time, for one document or several. Sums are over the terms of a removal, or
    over those of each document: as they are ("ones"), or times the value ("values") or number ("occurrences") of each
    term in the document.
    """

    def __init__(self, leaving: Leaving, batch: Together | Alone) -> None:
        kinds, self.batch = leaving.kinds, batch
        self.total = np.maximum(kinds.total - batch.taken.sum(axis=1), 0.0)
        left = kinds.documents - batch.taken
        left = np.where(_is_left(left, kinds.documents), left, 0.0)
        self.there = left > 0
        """Whether each class has documents without the removal: one row per removal, one column per class."""
        weight = leaving.rules.class_weight
        self.factors = None if weight is None else class_factors(left, kinds.labels, weight)
        """The weights of the classes without the removal; None if all are 1."""
        self.documents = left if self.factors is None else left * self.factors
        self.lefts = batch.lefts(leaving, self)
        self.rows = self.lefts[0].rows
        kept = (self.rows.after > 0).astype(np.float64)
        self.length, self.kept, self.unknown, change = batch.sums(
            self.rows,
            ("values", self.rows.after),
            ("ones", kept),
            ("occurrences", 1.0 - kept),
            ("removal", kept - (self.rows.before > 0)),
        )
        terms, outside, *_ = self._outside(leaving)
        tokens = outside
        if not leaving.variant.counts_absence:
            tokens = tokens + self._by_class(lambda left: left.tokens)
            tokens = np.where(_is_left(tokens, outside), tokens, 0.0)
        tokens = tokens if self.factors is None else tokens * self.factors
        self.totals = Totals(tokens, self.documents, sums_of_others(tokens), (terms + change)[:, None])

    def _by_class(self, of: Callable[[Left], Array], over: str = "removal") -> Array:
        return self.batch.by_class(self.lefts, of, over)

    def _outside(self, leaving: Leaving) -> tuple[Array, ...]:
        totals, inverse = np.unique(leaving.total(self.total), return_inverse=True)
        return tuple(sums[inverse] for sums in leaving.outside(totals))

    def check_learned(self) -> None:
        """Raise ``NotLearnedError`` if one of the documents was not learned."""
        found = self._by_class(lambda left: left.learned).sum(axis=1)
        (wanted,) = self.batch.sums(self.rows, ("removal", self.rows.gone + np.zeros(len(self.rows.kinds))))
        lacks = np.abs(found - wanted) > _ROUNDING * np.maximum(wanted, 1.0)
        if lacks.any():
            row = self.batch.first_row(int(lacks.argmax())) + 1
            raise NotLearnedError(
                f"the text in row {row} was not learned with this label and weight, so it cannot be left out"
            )

    def scores(self, leaving: Leaving) -> LeftOut:
        """The scores of the documents with these rules, of which only alpha may be another one than before."""
        variant, of = leaving.variant, self.batch.of
        base = np.nan_to_num(variant.base(self.totals), nan=0.0, posinf=0.0, neginf=0.0)
        joint = self.length[:, None] * base[of]
        joint += self._beyond(variant)
        if variant.normalized:
            joint *= self._factors(leaving, base)[of]
        if variant.counts_absence:
            joint += self._lacking(leaving)[of]
        if variant.alpha == 0:  # a class that lacks a kept term of the document is impossible
            has = self._by_class(lambda left: ((left.rows.scales > 0) & (left.counts > 0)).astype(np.float64), "ones")
            joint[has < self.kept[:, None]] = -np.inf
        joint += leaving.log_prior(self.documents)[of]
        joint[~self.there[of]] = -np.inf
        return LeftOut(joint, self.length, unknown=self.unknown)

    def _beyond(self, variant: Variant) -> Array:
        """The sums of the weights beyond the base: one row per document, one column per class."""
        if variant.is_complement and isinstance(self.batch, Alone) and self.rows is not self.lefts[-1].rows:
            return self.batch.sum_complement(self.lefts[-1].rows, variant)
        beyond = self._by_class(lambda left: left.rows.scales * left.beyond(variant), "values")
        if variant.is_complement:
            (rests,) = self.batch.sums(self.rows, ("values", self.rows.after * self.lefts[0].rests(variant)))
            beyond += rests[:, None]
        return beyond

    def _factors(self, leaving: Leaving, base: Array) -> Array:
        """For complement_normalized: one over the sum of the weights: one row per removal, one column per class."""
        variant, (*_, outside, beyond) = leaving.variant, self._outside(leaving)
        (rests,) = self.batch.sums(self.rows, ("removal", self.lefts[0].rests_change(variant)))
        excess = self._by_class(lambda left: left.excess_change(variant))
        terms = np.asarray(self.totals.size)
        return one_over(terms * base + (outside + rests)[:, None] + beyond + excess)

    def _lacking(self, leaving: Leaving) -> Array:
        """For bernoulli: the sum of log(1 - p) over all terms: one row per removal, one column per class."""
        variant, documents = cast("Bernoulli", leaving.variant), self.documents
        alpha = variant.alpha
        lacking: Array = np.asarray(self.totals.size) * (np.log(documents + alpha) - np.log(documents + 2 * alpha))
        lacking += self._by_class(lambda left: left.lack_change(variant))
        factors = np.ones_like(documents) if self.factors is None else self.factors
        totals = leaving.total(self.total)
        for total in np.unique(totals).tolist():
            models = np.flatnonzero(totals == total)
            for place, (counts, times) in enumerate(leaving.histogram(total)):
                pairs, inverse = np.unique(
                    documents[models, place] + 1j * factors[models, place], return_inverse=True
                )
                lack = [(times * variant.lack(counts * pair.imag, pair.real)).sum() for pair in pairs]
                lacking[models, place] += np.array(lack)[inverse]
        return lacking


class Together:
    """A batch of documents that are left out together with others."""

    def __init__(self, removed: Removed) -> None:
        self.removed, self.taken, self.of = removed, removed.taken, removed.of

    def lefts(self, leaving: Leaving, without: Without) -> tuple[Left, ...]:
        """The terms of the removals."""
        removed, kinds = self.removed, leaving.kinds
        frequencies, negate = kinds.frequencies[removed.kinds], kinds.negate[removed.kinds]
        left = frequencies - removed.gone
        left = np.where(_is_left(left, frequencies), left, 0.0)
        before = leaving.scales(frequencies, negate, leaving.total(without.total)[removed.owner])
        after = leaving.scales(left, negate, without.total[removed.owner])
        of_row = removed.gone if leaving.presence else removed.counts_gone
        cells = removed.cells, removed.at
        rows = Reduced(leaving, removed.kinds, *cells, removed.gone, of_row, before, after)
        taken = removed.taken_documents if leaving.presence else removed.taken_counts
        place = removed.cells.repeat(removed.owner), removed.classes
        factors = None if without.factors is None else without.factors[place]
        documents = without.documents
        return (Left(rows, lambda: taken, removed.taken_documents, lambda: documents[place], factors),)

    def sums(self, rows: Reduced, *columns: tuple[str, Array]) -> list[Array]:
        """Sums of numbers of rows, with what they are sums over."""
        return [self._sum(over, numbers) for over, numbers in columns]

    def _sum(self, over: str, numbers: Array) -> Array:
        removed = self.removed
        if over == "removal":
            return np.bincount(removed.owner, numbers, len(self.taken)).astype(np.float64)
        numbers = numbers[removed.entries]
        return removed.texts.sum(numbers if over == "ones" else numbers * getattr(removed, over))

    def by_class(self, lefts: tuple[Left, ...], of: Callable[[Left], Array], over: str = "removal") -> Array:
        """Sums of numbers of cells: one column per class."""
        removed, numbers, width = self.removed, of(lefts[0]), self.taken.shape[1]
        owners, classes, size = removed.cells.repeat(removed.owner), removed.classes, len(self.taken)
        if over != "removal":
            starts, cells = removed.cells.entries_of(removed.entries)
            table = Ragged(starts)
            owners, classes, size = table.repeat(removed.texts.rows), classes[cells], len(removed.texts)
            numbers = numbers[cells] if over == "ones" else numbers[cells] * table.repeat(removed.values)
        sums = np.bincount(owners * width + classes, numbers, size * width)
        return sums.reshape(size, width).astype(np.float64)

    def first_row(self, removal: int) -> int:
        """The first row of the documents of a removal, from 0."""
        return int(self.removed.first[self.of == removal].min())


class Alone:
    """A batch of documents that are left out alone: one row per case, a pair of a kind and a number of occurrences.

    What a term adds to a score depends on its case, and on whether the class is the gold class of the document.
    """

    def __init__(self, kinds: Kinds, rows: TermRows, gold: Ids, places: Places) -> None:
        self.all_kinds, self.gold, self.places = kinds, gold, places
        table, self.kinds, self.occurrences = _native.cases_of(kinds.of, rows.table)
        self.terms, self.cases = Ragged(table.starts), table.columns
        starts, self.at = kinds.cells.entries_of(self.kinds)
        self.cells, self.classes = Ragged(starts), kinds.cells.classes[self.at]
        self.of, self.threads = slice(None), 1
        self._shares: dict[str, tuple[Array, Array]] = {}
        self.known: tuple[object, Without] | None = None
        """What does not depend on alpha, and what it was made from: it is kept for the next alpha."""

    @property
    def taken(self) -> Array:
        """The weight of the documents that are taken out: one row per removal, one column per class."""
        taken = np.zeros((len(self.gold), len(self.all_kinds.labels)))
        taken[np.arange(len(self.gold)), self.gold] = 1.0
        return taken

    def lefts(self, leaving: Leaving, without: Without) -> tuple[Left, ...]:
        """What is left in classes other than the gold class, and in the gold class."""
        before, after = (scales[self.kinds] for scales in leaving.alone)
        self._values = term_values(self.occurrences, leaving.value)
        documents = leaving.kinds.documents
        rows = Reduced(leaving, self.kinds, self.cells, self.at, 1.0, self._values, before, after)
        others = Left(rows, lambda: 0.0, 0.0, lambda: documents[self.classes])
        if leaving.kinds.counts.analyzer.equal:
            return others, self._gold_left(leaving)
        return others, Left(rows, lambda: self.cells.repeat(rows.taken), 1.0, lambda: documents[self.classes] - 1)

    def _gold_left(self, leaving: Leaving) -> Left:
        """With ``document_weight='equal'``, what is taken out of the gold class depends on the document.

        There is one row per term of a document, with one cell.
        """
        if leaving.value not in self._shares:
            values = self._values[self.cases]
            self._shares[leaving.value] = values, shares_of(values, self.terms, equal=True)
        values, shares = self._shares[leaving.value]
        there, at = self._gold_cells
        kinds = self.kinds[self.cases]
        before, after = (scales[kinds] for scales in leaving.alone)
        cells = Ragged(starts_of(there.astype(np.int64)))
        rows = Reduced(leaving, kinds, cells, at, 1.0, shares, before, after)
        documents = leaving.kinds.documents - 1
        return Left(rows, lambda: shares[there], 1.0, lambda: documents[self.gold][self.terms.rows[there]])

    def sum_complement(self, rows: Reduced, variant: Variant) -> Array:
        """The sums of the weights beyond the base if they depend on the document in all classes (`_gold_left`)."""
        leaving, cells, values = rows.leaving, self.all_kinds.cells, self._shares[rows.leaving.value][0]
        times, taken = values * rows.after, rows.taken * rows.after
        tops = -rest_of(variant, rows.after * rows.sums - taken)
        rests = self.terms.sum(np.where(times > 0, -times * tops, 0.0))
        documents = _native.Ragged(self.terms.starts, rows.kinds, None, len(cells))
        of_others = leaving.alone[1][cells.rows] * leaving.of_others
        table = _native.Ragged(cells.starts, cells.classes, of_others, len(self.all_kinds.labels))
        logs = _native.LogEntries(taken, tops, times, variant.alpha)
        single = (
            self.all_kinds.of_others(documents=True) <= 1
        )  # without that document nothing is left in other classes
        return _native.sum_logs(documents, self.gold, table, single, logs, self.threads) + rests[:, None]

    @cached_property
    def _gold_cells(self) -> tuple[Mask, Places]:
        """Whether each term of each document occurs in the gold class, and the places of these cells."""
        cells, width = self.all_kinds.cells, len(self.all_kinds.labels)
        keys = cells.rows * width + cells.classes  # sorted
        wanted = self.kinds[self.cases].astype(np.int64) * width + self.gold[self.terms.rows]
        if not len(keys):
            return np.zeros(len(wanted), np.bool_), np.zeros(0, np.intp)
        size = len(cells) * width
        if size <= MOST_DENSE:
            places = np.full(size, len(keys), np.int64)
            places[keys] = np.arange(len(keys))
            at = places[wanted]
        else:
            at = np.searchsorted(keys, wanted)
        at = np.minimum(at, len(keys) - 1)
        there = keys[at] == wanted
        return there, at[there]

    def _total(self, starts: Starts, columns: Ids, others: Array, of_gold: Array | None, width: int) -> Array:
        """The sums over the terms of each document of numbers of cases, which are other ones in the gold class."""
        documents = _native.Ragged(self.terms.starts, self.cases, None, len(self.kinds))
        table = _native.Ragged(starts, columns, others, width)
        return _native.sum_rows(documents, self.gold, table, of_gold, self.threads)

    def sums(self, rows: Reduced, *columns: tuple[str, Array]) -> list[Array]:
        """Sums of numbers of rows, with what they are sums over."""
        factors = {"values": rows.taken, "occurrences": self.occurrences.astype(np.float64)}
        numbers = [of if over not in factors else of * factors[over] for over, of in columns]
        width, size = len(columns), len(self.kinds)
        places = np.tile(np.arange(width, dtype=np.uint32), size)
        found = self._total(np.arange(size + 1) * width, places, np.stack(numbers, axis=1).reshape(-1), None, width)
        return list(found.T)

    def by_class(self, lefts: tuple[Left, ...], of: Callable[[Left], Array], over: str = "removal") -> Array:
        """Sums of numbers of cells: one column per class."""
        others, gold, width = lefts[0], lefts[1], len(self.all_kinds.labels)
        of_others, of_gold = of(others), of(gold)
        values = others.rows.taken
        if over == "values":
            of_others = of_others * self.cells.repeat(values)
        if others.rows is gold.rows:
            of_gold = of_gold * self.cells.repeat(values) if over == "values" else of_gold
            return self._total(self.cells.starts, self.classes, of_others, of_gold, width)
        found = self._total(self.cells.starts, self.classes, of_others, np.zeros(len(of_others)), width)
        entries = gold.rows.cells.rows
        of_gold = of_gold * values[self.cases[entries]] if over == "values" else of_gold
        found[np.arange(len(found)), self.gold] = np.bincount(self.terms.rows[entries], of_gold, len(found))
        return found

    def first_row(self, removal: int) -> int:
        """The first row of the documents of a removal, from 0."""
        return int(self.places[removal])


class LearnedDocuments:
    """Learned documents. What does not depend on the rules is computed once.

    Parameters
    ----------
    counts
        The counts of the documents, and of all others.
    rows
        The terms of the documents.
    gold
        Their gold classes, by place.
    times
        The weight of each document; None if each weighs 1.
    groups
        The number of each document's group; None if each is a group of its own.
    only
        A mask by id: these terms only, as if there were no others. Default: all terms.
    judged
        The number of documents, the first ones, that are scored. The others are only left out with their groups.
    most_cells
        Documents that belong to a group and have copies in others take long. If they need more cells than this
        together, the last of them are not scored, and their weight in the result is 0.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.core.counts import rows_of
    >>> texts, labels = ["good fun", "good plot", "bad plot", "bad plot"], ["+", "+", "-", "-"]
    >>> snapshot = NaiveBayes().fit(texts, labels)._snapshot()
    >>> documents = LearnedDocuments(snapshot.counts, rows_of(snapshot.counts, texts), np.array([0, 0, 1, 1]))
    >>> others = NaiveBayes().fit(texts[:2], labels[:2])  # without both copies of the last text
    >>> scores = documents.left_out(snapshot.rules).joint[3]
    >>> bool(np.isclose(scores[0], others.predict_joint_log_proba(texts[3:])[0, 0])), scores[1]
    (True, np.float64(-inf))
    """

    def __init__(
        self,
        counts: Counts,
        rows: TermRows,
        gold: Places,
        times: Array | None = None,
        groups: npt.NDArray[np.integer] | None = None,
        only: Mask | None = None,
        judged: int | None = None,
        most_cells: int | None = None,
    ) -> None:
        self._counts, self._only = counts, only
        self._least: float | None = None
        self.rows = rows if only is None else rows.only(only)
        self.gold: Ids = gold.astype(np.uint32)
        self.times = np.ones(len(gold)) if times is None else times
        self._groups = groups
        self._known_units: dict[bool, Units] = {}
        self._known_removals: dict[tuple[str, bool], Removals] = {}
        self.judged = len(gold) if judged is None else judged
        self._most_cells = most_cells

    @cached_property
    def kinds(self) -> Kinds:
        """The terms of the documents, grouped by their counts."""
        return Kinds(self._counts, self._only, self.rows, self._least)

    def keeping(self, least: float) -> LearnedDocuments:
        """The same documents, for rules with at least this ``min_documents``, with which it is faster."""
        other = copy(self)
        other._least, other._known_removals = least, {}
        for name in ("kinds", "_alone"):
            other.__dict__.pop(name, None)
        return other

    def units(self, *, apart: bool) -> Units:
        """The documents that are left out together; if not ``apart``, all of them."""
        if apart not in self._known_units:
            width = len(self._counts.live().labels)
            self._known_units[apart] = units_of(self.rows, self.gold, self.times, self._groups, width, apart=apart)
        return self._known_units[apart]

    def terms(self, rules: Rules) -> int:
        """The number of terms that the rules keep, from the counts of all documents."""
        outside = self.kinds.outside
        scales = scales_of_frequencies(rules, outside.frequencies, self.kinds.total, outside.negate)
        return int(outside.sizes[scales > 0].sum())

    @property
    def lookups(self) -> float:
        """The average number of distinct terms of a document."""
        return len(self.rows.ids) / max(len(self.rows), 1)

    @cached_property
    def _alone(self) -> list[Alone]:
        """The documents that are left out alone, in batches."""
        return list(self._batches())

    def _batches(self) -> Iterator[Alone]:
        places = np.flatnonzero(self.units(apart=True).alone[: self.judged])
        at_once = min(AT_ONCE, SCORES // max(len(self.kinds.labels), 1) + 1)
        batches = max(math.ceil(len(places) / at_once), 2 if len(places) >= LEAST else 1)
        for some in np.array_split(places, batches) if len(places) else ():
            stay = np.zeros(len(self.rows), np.bool_)
            stay[some] = True
            rows = self.rows if stay.all() else self.rows.of_documents(stay)
            yield Alone(self.kinds, rows, self.gold[some], some)

    @cached_property
    def _tokens(self) -> Array:
        """The number of occurrences of all terms of each document that is scored."""
        return self.rows.sum(self.rows.occurrences.astype(np.float64))[: self.judged]

    def left_out(self, rules: Rules, threads: int = 1, *, check: bool = False) -> LeftOut:
        """The scores of the documents with these rules; ``check`` raises if one of them was not learned."""
        joint, length = np.zeros((self.judged, len(self.kinds.labels))), np.zeros(self.judged)
        unknown, times = np.zeros(self.judged), None if (self.times == 1).all() else self.times[: self.judged]
        # The weights of classes may depend on their numbers of documents, which are others for each document.
        apart, leaving = rules.class_weight is None, Leaving(self.kinds, rules)
        for places, found in self._scored_alone(leaving, threads, check=check) if apart else ():
            joint[places], length[places], unknown[places] = found.joint, found.length, np.asarray(found.unknown)
        units = self.units(apart=apart)
        if len(units):
            some = units.of[: self.judged]
            if (leaving.value, apart) not in self._known_removals:
                arguments = (leaving.value, self.judged, self._most_cells)
                self._known_removals[leaving.value, apart] = Removals(self.kinds, self.rows, units, *arguments)
            removals = self._known_removals[leaving.value, apart]
            for batch in removals.batches():
                without = Without(leaving, Together(batch))
                if check:
                    without.check_learned()
                found = without.scores(leaving)
                place = np.full(len(units), -1)
                place[batch.units] = np.arange(len(batch.units))
                rows = np.flatnonzero((some >= 0) & (place[some] >= 0))
                of = place[some[rows]]
                joint[rows], length[rows] = found.joint[of], found.length[of]
                unknown[rows] = np.asarray(found.unknown)[of]
            if removals.skipped.any():
                times = np.where((some >= 0) & removals.skipped[some], 0.0, self.times[: self.judged])
        return LeftOut(joint, length, times, unknown, self._tokens)

    def _scored_alone(self, leaving: Leaving, threads: int, *, check: bool) -> Iterator[tuple[Places, LeftOut]]:
        """The documents that are left out alone, in batches, and their scores."""
        _ = leaving.alone, self.kinds.outside

        def scores(batch: Alone) -> tuple[Places, LeftOut]:
            batch.threads = inner
            if check:
                Without(leaving.counting(), batch).check_learned()
            made_from = (leaving.kinds, leaving.presence, replace(leaving.rules, alpha=1.0))
            if batch.known is None or batch.known[0] != made_from:
                batch.known = made_from, Without(leaving, batch)
            return batch.places, batch.known[1].scores(leaving)

        inner = threads if len(self._alone) == 1 else 1
        if inner == threads:
            yield from map(scores, self._alone)
            return
        with ThreadPoolExecutor(threads) as pool:
            yield from pool.map(scores, self._alone)

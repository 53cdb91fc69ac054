"""`LeaveOneOut`: the scores of documents from the counts of all other documents.

Without a document, its terms have a document frequency that is smaller by 1, and the number of all documents is
smaller by 1. So the new scale of a term depends on the term only ("after"). All other terms keep their document
frequency, with one document fewer in all ("before", or "outside" for sums over all terms). The counts change only in
the gold class of the document. So every score is a sum over the terms of the document; each summand depends on the
term, on how often it occurs in the document, and on whether the class is the gold class.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Self, cast

import numpy as np

from likely.core.terms import scales_of_frequencies
from likely.core.variants import Totals, one_over
from likely.formulas import log_prior, sums_of_others
from likely.scoring.leave_one_out.left_out import LeftOut, check_exact
from likely.scoring.leave_one_out.outside import exact_sums

if TYPE_CHECKING:
    from likely.core.counts import Counts
    from likely.core.rules import Rules
    from likely.core.variants import Bernoulli, Complement, Variant
    from likely.scoring.leave_one_out.kinds import Cases, KindCells, Kinds
    from likely.types import Array, Ids, Mask

_ROUNDING = 1e-9
"""The tolerance for a difference that should be 0."""


@dataclass(frozen=True)
class Counted:
    """The counts of cases with and without a document: one row per case, one cell per class."""

    cells: KindCells
    counts: Array
    """The count, per cell."""
    left: Array
    """The count in the gold class without the document, per cell."""
    of_terms: Array
    """The count in all classes, per row."""
    of_others: Array
    """The count in all other classes, per cell (only for complement variants)."""
    left_of_others: Array
    """The same without the document, if it is in one of the other classes."""
    values: Array
    """The value of the term in the document, per row, without its scale."""
    before: Array
    """The scale of the term in a model without a document that lacks it, per row."""
    after: Array
    """The scale of the term in a model without a document that has it, per row."""
    documents: Array
    """The number of documents of the class, per cell."""

    def by_cell(self, of_rows: Array) -> Array:
        """One number per row, repeated for each cell of the row."""
        return self.cells.repeat(of_rows)


@dataclass(frozen=True)
class Summed:
    """The sums of documents that do not depend on alpha: one row per document."""

    counted: Counted
    sums: Array
    """The length, the change of V, the number of kept terms, and the occurrences of unknown terms."""
    totals: Totals
    unknown: Array


class LeaveOneOut:
    """Scores documents with these rules from the counts of all other documents.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.scoring.leave_one_out import Kinds, rows_of
    >>> texts, labels = ["good fun", "good plot", "bad plot"], ["+", "+", "-"]
    >>> snapshot = NaiveBayes().fit(texts, labels)._snapshot()
    >>> kinds = Kinds(snapshot.counts)
    >>> cases = kinds.cases(rows_of(snapshot.counts, texts))
    >>> left_out = LeaveOneOut(kinds, snapshot.rules).scores(cases, np.array([0, 0, 1], np.uint32))
    >>> others = NaiveBayes().fit(texts[1:], labels[1:])
    >>> bool(np.allclose(left_out.joint[0], others.predict_joint_log_proba(texts[:1])[0]))
    True
    >>> left_out.length  # fun and bad are in no other document
    array([1., 2., 1.])
    """

    def __init__(self, kinds: Kinds, rules: Rules, total: float | None = None) -> None:
        check_exact(kinds.counts, rules)
        self.kinds, self.rules = kinds, rules
        self.total = kinds.total - 1 if total is None else total
        """The number of all documents without those that are left out."""
        self.variant = rules.form
        analyzer = kinds.counts.analyzer
        self.presence = rules.presence and not analyzer.is_scaled
        self.value = value_of(kinds.counts, rules)
        self.counts = kinds.cells.documents if self.presence else kinds.cells.counts
        self.sums = kinds.sums(documents=self.presence)

    def prepared(self) -> Self:
        """The same, after what all documents share was computed, so that several threads can score."""
        _ = (self.before, self.after, self.outside)
        if self.variant.is_complement:
            _ = (self.of_others, self.single)
        return self

    @cached_property
    def before(self) -> Array:
        """The scale of each kind of term in a model without a document that lacks it."""
        return self.scales(self.kinds.frequencies, self.kinds.negate)

    @cached_property
    def after(self) -> Array:
        """The scale of each kind of term in a model without a document that has it."""
        return self.scales(self.kinds.frequencies - 1, self.kinds.negate)

    @property
    def of_others(self) -> Array:
        """For each cell of the kinds, the count of the term in all other classes."""
        return self.kinds.documents_of_others if self.presence else self.kinds.counts_of_others

    @cached_property
    def single(self) -> Mask:
        """For each cell of the kinds: whether all other classes together have the term in a single document.

        Without that document their count is 0; a difference would leave a rounding error.
        """
        return self.kinds.documents_of_others <= 1

    @property
    def _bernoulli(self) -> Bernoulli:
        return cast("Bernoulli", self.variant)

    @property
    def _complement(self) -> Complement:
        return cast("Complement", self.variant)

    def scales(self, frequencies: Array, negate: Mask, total: Array | None = None) -> Array:
        """The scales of terms with these document frequencies; 0 if not kept. ``total`` has one number per term."""
        scales = scales_of_frequencies(self.rules, frequencies, self.total if total is None else total, negate)
        return np.where(frequencies > 0, scales, 0.0)

    @cached_property
    def outside(self) -> Sums:
        """The sums over all terms, with fewer documents in all."""
        if self.variant.counts_absence or self.variant.normalized:
            return (
                self._outside_by_term
                if self.kinds.is_whole
                else LeaveOneOut(self.kinds.whole, self.rules, self.total).outside
            )
        outside = self.kinds.outside
        scales = self.scales(outside.frequencies, outside.negate)
        counts = outside.documents if self.presence else outside.counts
        return Sums(float(outside.sizes[scales > 0].sum()), (scales[:, None] * counts).sum(axis=0))

    @property
    def _outside_by_term(self) -> Sums:
        kinds, cells, variant = self.kinds, self.kinds.cells, self.variant
        counting = np.where(self.before > 0, kinds.sizes, 0.0)
        width = len(kinds.labels)

        def by_class(of_cells: Array) -> Array:
            return exact_sums(cells.classes, of_cells * counting[cells.rows], width)

        scales, documents = self.before[cells.rows], kinds.documents[cells.classes]
        terms, tokens = float(counting.sum()), by_class(self.counts * scales)
        if variant.counts_absence:
            others, gold = (by_class(self._bernoulli.lack(self.counts, each)) for each in (documents, documents - 1))
            return Sums(terms, tokens, beyond=others, beyond_gold=gold)
        sums = self.sums[cells.rows]
        excess = by_class(self._complement.excess(scales * sums, scales * self.of_others))
        rests = np.sort(counting * rest_of(variant, self.before * self.sums))
        return Sums(terms, tokens, float(rests.sum()), excess)

    def _counted(self, cases: Cases) -> Counted:
        kinds, cells = cases.kinds, cases.cells
        values = cases.values(self.value)
        counts = cells.documents if self.presence else cells.counts
        left = np.where(cells.documents > 1, np.maximum(counts - values[cells.rows], 0.0), 0.0)
        return Counted(
            cells=cells,
            counts=counts,
            left=left,
            of_terms=self.sums[kinds],
            **self._counted_elsewhere(cases, values[cells.rows]),
            values=values,
            before=self.before[kinds],
            after=self.after[kinds],
            documents=self.kinds.documents[cells.classes],
        )

    def _counted_elsewhere(self, cases: Cases, taken: Array) -> dict[str, Array]:
        """The counts in all other classes, with and without the document, which only complement variants use."""
        if not self.variant.is_complement:
            return {"of_others": taken, "left_of_others": taken}
        of_others = cases.by_cell(self.of_others)
        left = np.where(cases.by_cell(self.single), 0.0, np.maximum(of_others - taken, 0.0))
        return {"of_others": of_others, "left_of_others": left}

    def scores(self, cases: Cases, gold: Ids, threads: int = 1) -> LeftOut:
        """The scores of documents with the gold classes ``gold`` (by place), each from a model without it."""

        def sum_cells(others: Array, of_gold: Array | None = None) -> Array:
            return cases.total(cases.numbers(others, of_gold), gold, threads)

        summed = self._summed(cases, gold, threads)
        counted, totals, sums = summed.counted, summed.totals, summed.sums
        length, documents, terms = sums[:, :1], totals.documents, np.asarray(totals.size)
        rests = self._rests(cases, counted, gold, threads)
        base = np.nan_to_num(self.variant.base(totals), nan=0.0, posinf=0.0, neginf=0.0)
        joint = length * base + self._sum_beyond(cases, counted, gold, rests, threads)
        if self.variant.normalized:
            excess = self.outside.beyond + sum_cells(*self._excess_changes(counted))
            joint *= one_over(terms * base + self.outside.rests + rests[:, 1:2] + excess)
        if self.variant.counts_absence:
            joint += self._lacking(documents, terms, gold)
        if self.variant.alpha == 0:  # a class that lacks a kept term of the document is impossible
            counting = (counted.by_cell(counted.after) > 0).astype(np.float64)
            joint[sum_cells(counting, counting * (counted.left > 0)) < sums[:, 2:3]] = -np.inf
        joint += self.log_prior(documents)
        joint[documents <= 0] = -np.inf
        return LeftOut(joint, length[:, 0], unknown=summed.unknown)

    def _summed(self, cases: Cases, gold: Ids, threads: int) -> Summed:
        """What does not depend on alpha. It is kept with the cases, for the next alpha."""
        made_from = (self.kinds, self.total, replace(self.rules, alpha=1.0), gold.tobytes())
        if not cases.last or cases.last[0] != made_from:
            cases.last[:] = [made_from, self._sum(cases, gold, threads)]
        return cast("Summed", cases.last[1])

    def _sum(self, cases: Cases, gold: Ids, threads: int) -> Summed:
        size, mine = len(gold), np.arange(len(gold))
        counted = self._counted(cases)
        sums = self._plain_sums(cases, counted, gold, threads)
        documents = np.tile(self.kinds.documents, (size, 1))
        documents[mine, gold] -= 1
        tokens = self.outside.tokens
        if not self.variant.counts_absence:
            scales = counted.by_cell(counted.after - counted.before)
            tokens = tokens + cases.total(cases.numbers(counted.counts * scales), gold, threads)
            tokens[mine, gold] -= self._taken(cases, sums[:, 0])
            tokens[tokens <= _ROUNDING] = 0.0
        totals = Totals(tokens, documents, sums_of_others(tokens), self.outside.terms + sums[:, 1:2])
        return Summed(counted, sums, totals, sums[:, 3])

    def _taken(self, cases: Cases, length: Array) -> Array:
        """The number of tokens that the gold class loses with each document."""
        return length

    def _sum_beyond(self, cases: Cases, counted: Counted, gold: Ids, rests: Array, threads: int) -> Array:
        """The sum of the weights beyond the base: one row per document, one column per class."""
        beyond = cases.total(cases.numbers(*self._beyond(counted)), gold, threads)
        return beyond + rests[:, :1] if self.variant.is_complement else beyond

    def _plain_sums(self, cases: Cases, counted: Counted, gold: Ids, threads: int) -> Array:
        """Sums that do not depend on the class: length, change of V, kept terms, occurrences of unknown terms."""
        before, after = counted.before, counted.after
        kept = (after > 0).astype(np.float64)
        unknown = (1.0 - kept) * cases.occurrences
        columns = (counted.values * after, kept - (before > 0), kept, unknown)
        return cases.total(cases.plain_numbers(*columns), gold, threads)

    def _rests(self, cases: Cases, counted: Counted, gold: Ids, threads: int) -> Array:
        """The sums of the rests of complements: of the terms of the document, and how they change in all."""
        if not self.variant.is_complement:
            return np.zeros((len(gold), 0))
        before, after, values = counted.before, counted.after, counted.values
        rest = np.where(after > 0, rest_of(self.variant, after * (counted.of_terms - values)), 0.0)
        columns = [values * after * rest]
        if self.variant.normalized:
            columns.append(rest - np.where(before > 0, rest_of(self.variant, before * counted.of_terms), 0.0))
        return cases.total(cases.plain_numbers(*columns), gold, threads)

    def _beyond(self, counted: Counted) -> tuple[Array, Array]:
        """The weights beyond the base (for bernoulli also the change of ``lacking``): in other classes, in gold."""
        variant, after = self.variant, counted.by_cell(counted.after)
        weights = after * counted.by_cell(counted.values)
        if variant.is_complement:
            other, gold = self._excess(counted, after)
        elif variant.is_local:
            other, gold = (deltas_of(variant, counts * after) for counts in (counted.counts, counted.left))
        else:
            return self._beyond_and_lacking(counted, weights)
        return weights * other, weights * gold

    def _excess(self, counted: Counted, after: Array) -> tuple[Array, Array]:
        without = after * counted.by_cell(counted.of_terms - counted.values)
        excess = self._complement.excess
        return excess(without, after * counted.left_of_others), excess(without, after * counted.of_others)

    def _excess_changes(self, counted: Counted) -> tuple[Array, Array]:
        """The change of the sum of a class's weights, which is its factor: in other classes, in the gold class."""
        before, sums = counted.by_cell(counted.before), counted.by_cell(counted.of_terms)
        outside = self._complement.excess(before * sums, before * counted.of_others)
        other, gold = self._excess(counted, counted.by_cell(counted.after))
        return other - outside, gold - outside

    def _beyond_and_lacking(self, counted: Counted, weights: Array) -> tuple[Array, Array]:
        variant = self.variant
        counts, documents = counted.counts, counted.documents
        count_before, count_after = (counted.by_cell(each) > 0 for each in (counted.before, counted.after))

        def beyond(counts: Array, of_class: Array, outside: Array) -> Array:
            of_class = np.maximum(of_class, counts)
            deltas = variant.delta(counts, counts, Totals(of_class, of_class, of_class, 0))
            lack = count_after * self._bernoulli.lack(counts, of_class) - count_before * outside
            return weights * deltas + lack

        other = beyond(counts, documents, self._bernoulli.lack(counts, documents))
        return other, beyond(counted.left, documents - 1, self._bernoulli.lack(counts, documents - 1))

    def _lacking(self, documents: Array, terms: Array, gold: Ids) -> Array:
        """The sum of log(1 - p) over all terms, without the change that the terms of the document make."""
        alpha, mine = self.variant.alpha, np.arange(len(gold))
        lacking: Array = terms * (np.log(documents + alpha) - np.log(documents + 2 * alpha))
        lacking += self.outside.beyond
        lacking[mine, gold] += (np.asarray(self.outside.beyond_gold) - self.outside.beyond)[gold]
        return lacking

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


@dataclass(frozen=True, slots=True)
class Sums:
    """Sums over all terms."""

    terms: float | Array
    """V: the number of kept terms."""
    tokens: Array
    """N_c, per class."""
    rests: float | Array = 0.0
    """The weights beyond the base in classes that lack the terms."""
    beyond: Array | float = 0.0
    """The weights beyond the rest (for bernoulli log(1 - p)) of the terms that the class has, per class."""
    beyond_gold: Array | float = 0.0
    """The same for a class with one document fewer."""


def value_of(counts: Counts, rules: Rules) -> str:
    """The kind of value that a term has in a document ("count", "presence" or "damped")."""
    return "presence" if rules.presence and not counts.analyzer.is_scaled else counts.analyzer.value


def rest_of(variant: Variant, of_terms: Array) -> Array:
    """The weight of each term beyond the base in classes that lack it."""
    rest = variant.rest(np.maximum(of_terms, 0.0))
    return np.zeros(len(of_terms)) if rest is None else rest


def deltas_of(variant: Variant, counts: Array) -> Array:
    """The weight of each term beyond the base; 0 for a term that does not occur."""
    some = counts > 0
    deltas = np.zeros(len(counts))
    deltas[some] = variant.delta(counts[some], counts[some], Totals(counts, counts, counts, 0))
    return deltas

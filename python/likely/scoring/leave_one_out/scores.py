"""The scores of documents from the counts of all others, as sums of what their terms then weigh.

Whichever document is left out, a term of it is in one document less of one less in all, so that what it counts for
depends on the term alone; and all other terms count what they do with one document less in all ("outside"). In the
classes that are not the document's own the counts stay as they are. So everything is a sum over the terms of a
document, of numbers that depend on the term, on how often the document has it and on whether the class is its own.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from likely.errors import OptionError
from likely.formulas import log_prior
from likely.scoring.leave_one_out.outside import exact_sums
from likely.weighing.terms import scales_of_frequencies
from likely.weighing.variants import Totals, Variant, one_over

if TYPE_CHECKING:
    from likely.counting.counts import Counts
    from likely.scoring.leave_one_out.kinds import Cases, Cells, Kinds
    from likely.types import Array, Ids, Mask
    from likely.weighing.terms import Rules

_ROUNDING = 1e-9
"""What is left of a sum of logarithms from which all were taken away is not always 0."""


def check_exact(counts: Counts, rules: Rules) -> None:
    """Raise ``OptionError`` where one document less changes what no subtraction can."""
    reasons = {
        "norm='l2'": counts.analyzer.lengths is not None,
        "spelling='on'": rules.spelling,
        f"max_terms={rules.max_terms}": rules.max_terms is not None,
    }
    for reason, there in reasons.items():
        if there:
            raise OptionError(
                f"leave_one_out is not defined with {reason}: which terms count depends on all documents"
            )


@dataclass(frozen=True)
class LeftOut:
    """What a model without it says of each document."""

    joint: Array
    """Log P(c) + the sum over its terms, a row a document, a column a class."""
    length: Array
    """What its terms count in all, those that are known without it."""


@dataclass(frozen=True)
class Counted:
    """Cells of terms as they are with and without a document that has so much of each term."""

    cells: Cells
    counts: Array
    left: Array
    """The counts of the document's own class without it."""
    of_terms: Array
    """By row: what a term counts in all classes."""
    values: Array
    """By row: what it counts in the document, before it is scaled."""
    before: Array
    """By row: what an occurrence counts for, outside."""
    after: Array
    """By row: the same without the document."""
    documents: Array
    """By cell: the documents of the class."""

    def by_cell(self, of_rows: Array) -> Array:
        """Numbers of rows, cell by cell."""
        numbers: Array = of_rows[self.cells.rows]
        return numbers


class LeaveOneOut:
    """What documents score by some rules from the counts of all others.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.scoring.leave_one_out import Kinds, rows_of
    >>> texts, labels = ["good fun", "good plot", "bad plot"], ["+", "+", "-"]
    >>> model = NaiveBayes().fit(texts, labels)
    >>> kinds = Kinds(model._counts)
    >>> cases = kinds.cases(rows_of(model._counts, texts))
    >>> left_out = LeaveOneOut(kinds, model._rules(None)).scores(cases, np.array([0, 0, 1], np.uint32))
    >>> others = NaiveBayes().fit(texts[1:], labels[1:])
    >>> bool(np.allclose(left_out.joint[0], others.predict_joint_log_proba(texts[:1])[0]))
    True
    >>> left_out.length  # fun and bad are in no other document
    array([1., 2., 1.])
    """

    def __init__(self, kinds: Kinds, rules: Rules) -> None:
        check_exact(kinds.counts, rules)
        self.kinds, self.rules = kinds, rules
        self.variant = Variant(rules.variant, rules.alpha)
        analyzer = kinds.counts.analyzer
        self.presence = rules.presence and not analyzer.is_scaled
        self.value = "presence" if self.presence else analyzer.value
        self.before = self._scales(kinds.frequencies, kinds.negate)
        self.after = self._scales(kinds.frequencies - 1, kinds.negate)
        self.counts = kinds.cells.documents if self.presence else kinds.cells.counts
        self.sums = kinds.sums(self.counts)

    def _scales(self, frequencies: Array, negate: Mask) -> Array:
        """What terms in so many documents count with one document less in all; 0 for those that do not count."""
        scales = scales_of_frequencies(self.rules, frequencies, self.kinds.total - 1, negate)
        return np.where(frequencies > 0, scales, 0.0)

    @cached_property
    def _outside(self) -> _Sums:
        """The sums over all terms, outside."""
        if self.variant.name == "bernoulli" or self.variant.normalized:
            return self._outside_by_term if self.kinds.is_whole else type(self)(self.kinds.whole, self.rules)._outside
        outside = self.kinds.outside
        scales = self._scales(outside.frequencies, outside.negate)
        counts = outside.documents if self.presence else outside.counts
        return _Sums(float(outside.sizes[scales > 0].sum()), (scales[:, None] * counts).sum(axis=0))

    @property
    def _outside_by_term(self) -> _Sums:
        kinds, cells, variant = self.kinds, self.kinds.cells, self.variant
        counting = np.where(self.before > 0, kinds.sizes, 0.0)
        width = len(kinds.labels)

        def by_class(of_cells: Array) -> Array:
            return exact_sums(cells.classes, of_cells * counting[cells.rows], width)

        scales, documents = self.before[cells.rows], kinds.documents[cells.classes]
        terms, tokens = float(counting.sum()), by_class(self.counts * scales)
        if variant.name == "bernoulli":
            with_own, without = (by_class(variant.lack(self.counts, each)) for each in (documents, documents - 1))
            return _Sums(terms, tokens, beyond=with_own, beyond_own=without)
        sums = self.sums[cells.rows]
        excess = by_class(variant.excess(scales * sums, scales * (sums - self.counts)))
        rests = np.sort(counting * rest_of(variant, self.before * self.sums))
        return _Sums(terms, tokens, float(rests.sum()), excess)

    def _counted(self, cases: Cases) -> Counted:
        kinds, cells = cases.kinds, cases.cells
        values = cases.values(self.value)
        counts = cells.documents if self.presence else cells.counts
        left = np.where(cells.documents > 1, np.maximum(counts - values[cells.rows], 0.0), 0.0)
        of_classes = self.kinds.documents[cells.classes]
        return Counted(
            cells, counts, left, self.sums[kinds], values, self.before[kinds], self.after[kinds], of_classes
        )

    def scores(self, cases: Cases, own: Ids, threads: int = 1) -> LeftOut:
        """The scores of documents of the classes ``own``, by place, each from a model without it."""
        size, mine = len(own), np.arange(len(own))
        counted = self._counted(cases)

        def sum_cells(others: Array, owns: Array | None = None) -> Array:
            return cases.sum(cases.numbers(others, owns), own, threads)

        sums, rests = self._plain_sums(cases, counted, own, threads)
        length, terms = sums[:, :1], self._outside.terms + sums[:, 1:2]
        documents = np.tile(self.kinds.documents, (size, 1))
        documents[mine, own] -= 1
        tokens = self._outside.tokens
        if self.variant.name != "bernoulli":
            scales = counted.by_cell(counted.after - counted.before)
            tokens = tokens + sum_cells(counted.counts * scales)
            tokens[mine, own] -= self._taken(cases, length[:, 0])
            tokens[tokens <= _ROUNDING] = 0.0
        totals = Totals(tokens, documents, tokens.sum(axis=-1, keepdims=True), terms)
        base = np.nan_to_num(self.variant.base(totals), nan=0.0, posinf=0.0, neginf=0.0)
        joint = length * base + self._sum_beyond(cases, counted, own, rests, threads)
        if self.variant.normalized:
            excess = self._outside.beyond + sum_cells(*self._excess_changes(counted))
            joint *= one_over(terms * base + self._outside.rests + rests[:, 1:2] + excess)
        if self.variant.name == "bernoulli":
            joint += self._lacking(documents, terms, own)
        if self.variant.alpha == 0:  # a class that lacks a term that counts is impossible
            counting = (counted.by_cell(counted.after) > 0).astype(np.float64)
            joint[sum_cells(counting, counting * (counted.left > 0)) < sums[:, 2:3]] = -np.inf
        joint += self._log_prior(documents)
        joint[documents <= 0] = -np.inf
        return LeftOut(joint, length[:, 0])

    def _taken(self, cases: Cases, length: Array) -> Array:
        """What the own class loses with each document."""
        return length

    def _sum_beyond(self, cases: Cases, counted: Counted, own: Ids, rests: Array, threads: int) -> Array:
        """What the terms of each document weigh beyond the base."""
        beyond = cases.sum(cases.numbers(*self._beyond(counted)), own, threads)
        return beyond + rests[:, :1] if self.variant.is_complement else beyond

    def _plain_sums(self, cases: Cases, counted: Counted, own: Ids, threads: int) -> tuple[Array, Array]:
        """Sums that are the same for all classes: length, change of V, terms that count; and for complements more."""
        before, after, values = counted.before, counted.after, counted.values
        columns = [values * after, (after > 0).astype(np.float64) - (before > 0), (after > 0).astype(np.float64)]
        if self.variant.is_complement:
            rest = np.where(after > 0, rest_of(self.variant, after * (counted.of_terms - values)), 0.0)
            columns.append(values * after * rest)
            if self.variant.normalized:
                columns.append(rest - np.where(before > 0, rest_of(self.variant, before * counted.of_terms), 0.0))
        sums = cases.sum(cases.plain_numbers(*columns), own, threads)
        return sums[:, :3], sums[:, 3:]

    def _beyond(self, counted: Counted) -> tuple[Array, Array]:
        """What terms weigh beyond the base, and what a class lacks of them: in other classes, in the own."""
        variant, after = self.variant, counted.by_cell(counted.after)
        weights = after * counted.by_cell(counted.values)
        if variant.is_complement:
            other, own = self._excess(counted, after)
        elif variant.is_local:
            other, own = (deltas_of(variant, counts * after) for counts in (counted.counts, counted.left))
        else:
            return self._beyond_and_lacking(counted, weights)
        return weights * other, weights * own

    def _excess(self, counted: Counted, after: Array) -> tuple[Array, Array]:
        sums = counted.by_cell(counted.of_terms)
        without = sums - counted.by_cell(counted.values)
        # Where only the own class has a term, it cannot be another's.
        others = np.maximum(without - counted.counts, 0.0)
        excess = self.variant.excess
        return excess(after * without, after * others), excess(after * without, after * (sums - counted.counts))

    def _excess_changes(self, counted: Counted) -> tuple[Array, Array]:
        """By how much what a class has of the terms changes, of all that its weights sum to."""
        before, sums = counted.by_cell(counted.before), counted.by_cell(counted.of_terms)
        outside = self.variant.excess(before * sums, before * (sums - counted.counts))
        other, own = self._excess(counted, counted.by_cell(counted.after))
        return other - outside, own - outside

    def _beyond_and_lacking(self, counted: Counted, weights: Array) -> tuple[Array, Array]:
        variant = self.variant
        counts, documents = counted.counts, counted.documents
        count_before, count_after = (counted.by_cell(each) > 0 for each in (counted.before, counted.after))

        def beyond(counts: Array, of_class: Array, outside: Array) -> Array:
            of_class = np.maximum(of_class, counts)
            deltas = variant.delta(counts, counts, Totals(of_class, of_class, 0.0, 0))
            lack = count_after * variant.lack(counts, of_class) - count_before * outside
            return weights * deltas + lack

        other = beyond(counts, documents, variant.lack(counts, documents))
        return other, beyond(counted.left, documents - 1, variant.lack(counts, documents - 1))

    def _lacking(self, documents: Array, terms: Array, own: Ids) -> Array:
        """What the terms count that a document lacks, but for those of its own, which are summed."""
        alpha, mine = self.variant.alpha, np.arange(len(own))
        lacking: Array = terms * (np.log(documents + alpha) - np.log(documents + 2 * alpha))
        lacking += self._outside.beyond
        lacking[mine, own] += (np.asarray(self._outside.beyond_own) - self._outside.beyond)[own]
        return lacking

    def _log_prior(self, documents: Array) -> Array:
        prior = self.rules.prior
        if self.variant.normalized or prior == "uniform":
            return np.broadcast_to(-np.log((documents > 0).sum(axis=1, keepdims=True)), documents.shape)
        if prior != "fitted":
            return log_prior(self.kinds.documents, self.kinds.labels, prior)
        with np.errstate(divide="ignore"):
            fitted: Array = np.log(documents / documents.sum(axis=1, keepdims=True))
        return fitted


@dataclass(frozen=True)
class _Sums:
    """Sums over all terms: how many count, N_c, and what the variant needs besides."""

    terms: float
    tokens: Array
    rests: float = 0.0
    """What the terms weigh in classes that lack them, beyond the base."""
    beyond: Array | float = 0.0
    """By class: what the terms it has weigh beyond that."""
    beyond_own: Array | float = 0.0
    """The same for a class with one document less."""


def rest_of(variant: Variant, of_terms: Array) -> Array:
    """What terms weigh in classes that lack them, beyond the base."""
    rest = variant.rest(np.maximum(of_terms, 0.0))
    return np.zeros(len(of_terms)) if rest is None else rest


def deltas_of(variant: Variant, counts: Array) -> Array:
    """What terms weigh beyond the base, 0 for those that do not occur."""
    some = counts > 0
    deltas = np.zeros(len(counts))
    deltas[some] = variant.delta(counts[some], counts[some], Totals(counts, counts, 0.0, 0))
    return deltas

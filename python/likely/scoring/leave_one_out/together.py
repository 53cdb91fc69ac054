"""`Together`: the scores of documents from models without their copies and without their group.

The terms of a removal (`Removals`) get the counts and the scale that they have without it. All other terms keep
their counts; their scale changes only with the number of all documents. So the sums over all terms are those of a
model with that many documents fewer ("outside"), plus a change per term of the removal.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np

from likely.core.terms import class_factors
from likely.core.variants import Totals, one_over
from likely.errors import NotLearnedError
from likely.formulas import sums_of_others
from likely.options.kinds import is_whole
from likely.scoring.leave_one_out.left_out import LeftOut
from likely.scoring.leave_one_out.outside import exact_sums
from likely.scoring.leave_one_out.removals import AT_ONCE
from likely.scoring.leave_one_out.scores import LeaveOneOut, Sums, deltas_of, rest_of

if TYPE_CHECKING:
    from likely.core.rules import Rules
    from likely.core.variants import Bernoulli, Complement
    from likely.scoring.leave_one_out.kinds import Kinds
    from likely.scoring.leave_one_out.removals import Batch, Removals
    from likely.types import Array, Mask

_ROUNDING = 1e-9
"""The tolerance for a difference that should be 0, of numbers from 1 on; of smaller ones it is this share."""


def _is_left(left: Array, whole: Array) -> Mask:
    """Whether a difference is more than rounding error, from the number that something was taken from."""
    some: Mask = left > _ROUNDING * np.minimum(whole, 1.0)
    return some


class Together:
    """Scores units with these rules from the counts without their removals."""

    def __init__(self, kinds: Kinds, rules: Rules) -> None:
        self.kinds, self.rules, self.variant = kinds, rules, rules.form
        self.alone = LeaveOneOut(kinds, rules)
        self._outsides: dict[float, Sums] = {}
        bounds = (rules.min_documents, rules.max_documents)
        self._follows_total = rules.tfidf or rules.auto_stop_words or not all(map(_is_fixed, bounds))
        """Whether the scale of a term also depends on the number of all documents."""

    def scores(self, removals: Removals, *, check: bool = False) -> LeftOut:
        """The scores of all units, each from a model without its removal; ``check`` as for `Documents.left_out`."""
        size, width = len(removals.units), len(self.kinds.labels)
        joint, length, unknown = np.zeros((size, width)), np.zeros(size), np.zeros(size)
        for batch in removals.batches():
            without = _Without(self, batch)
            if check:
                without.check_learned()
            joint[batch.units], length[batch.units], unknown[batch.units] = without.scores()
        return LeftOut(joint, length, unknown=unknown)

    def total(self, without: Array) -> Array:
        """The number of documents that scales are computed with for terms outside of a removal."""
        # A term in all documents is in every removal, so without idf and shares any total will do outside.
        return without if self._follows_total else np.full(len(without), self.kinds.total)

    def outside(self, totals: Array) -> Sums:
        """The sums over all terms for these numbers of documents: one row per number."""
        if not (self.variant.counts_absence or self.variant.normalized):
            return self._plain_sums(totals)
        rows = []
        for total in totals.tolist():
            if total not in self._outsides:
                self._outsides[total] = LeaveOneOut(self.kinds, self.rules, total).outside
            rows.append(self._outsides[total])
        return type(rows[0])(*(np.array([getattr(row, name) for row in rows]) for name in rows[0].__slots__))

    def _plain_sums(self, totals: Array) -> Sums:
        """The same for variants without sums of logarithms over all terms, for all numbers at once."""
        outside, alone = self.kinds.outside, self.alone
        counts = outside.documents if alone.presence else outside.counts
        size, terms, tokens = len(outside.frequencies), [], []
        for some in np.array_split(totals, len(totals) * size // AT_ONCE + 1):
            frequencies, negate = np.tile(outside.frequencies, len(some)), np.tile(outside.negate, len(some))
            scales = alone.scales(frequencies, negate, np.repeat(some, size)).reshape(len(some), size)
            terms.append((scales > 0) @ outside.sizes)
            tokens.append(scales @ counts)
        return Sums(np.concatenate(terms), np.concatenate(tokens), *np.zeros((3, len(totals))))


def _is_fixed(bound: float) -> bool:
    """Whether a bound of document frequencies is a number of documents; 1.0 is the share of all, which all reach."""
    return is_whole(bound) or bound == 1.0


class _Without:
    """The counts without the removals of a batch, and the scores that follow from them."""

    def __init__(self, together: Together, batch: Batch) -> None:
        self.together, self.batch, kinds = together, batch, together.kinds
        self.variant = together.variant
        self.width = len(kinds.labels)
        self.total = np.maximum(kinds.total - batch.taken.sum(axis=1), 0.0)
        left = kinds.documents - batch.taken
        left = np.where(_is_left(left, kinds.documents), left, 0.0)
        self.there = left > 0
        """Whether each class has documents without the removal: one row per removal, one column per class."""
        weight = together.rules.class_weight
        self.factors = None if weight is None else class_factors(left, kinds.labels, weight)
        """The weights of the classes without the removal; None if all are 1."""
        self.documents = left if self.factors is None else left * self.factors

    def check_learned(self) -> None:
        """Raise ``NotLearnedError`` if one of the documents was not learned."""
        batch = self.batch
        table, (_, documents) = batch.cells[0], batch.taken_cells
        short = self._documents_of_cells - documents < -_ROUNDING
        if not batch.kinds.counts.analyzer.equal:
            known = self._counts
            short |= known - self._taken < -_ROUNDING * np.maximum(known, 1.0)
        # A class that lacks the term has no cell, so what was to be taken out of it was not.
        taken = table.sum(documents)
        lacks = (table.sum(short) > 0) | (np.abs(taken - batch.frequencies) > _ROUNDING * np.maximum(taken, 1.0))
        if lacks.any():
            removal = int(batch.entries.rows[int(lacks.argmax())])
            units = batch.units[batch.of_units == removal]
            row = batch.all.units.first_row(units) + 1
            raise NotLearnedError(
                f"the text in row {row} was not learned with this label and weight, so it cannot be left out"
            )

    @property
    def _bernoulli(self) -> Bernoulli:
        return cast("Bernoulli", self.variant)

    @property
    def _complement(self) -> Complement:
        return cast("Complement", self.variant)

    @cached_property
    def _documents_of_cells(self) -> Array:
        return self.batch.kinds.cells.documents[self.batch.cells[1]]

    @cached_property
    def _counts(self) -> Array:
        """The count of each cell with the removal."""
        counts: Array = self.together.alone.counts[self.batch.cells[1]]
        return counts

    @cached_property
    def _taken(self) -> Array:
        """What is taken out of each cell's count."""
        counts, documents = self.batch.taken_cells
        return documents if self.together.alone.presence else counts

    @cached_property
    def _left(self) -> Array:
        """The count of each cell without the removal, times the weight of its class."""
        return self._unweighted if self.factors is None else self._unweighted * self._of_class(self.factors)

    @cached_property
    def _unweighted(self) -> Array:
        """The count of each cell without the removal."""
        # If no document with the term is left, the count is 0; a difference would leave a rounding error.
        documents = self._documents_of_cells
        some = _is_left(documents - self.batch.taken_cells[1], documents)
        return np.where(some, np.maximum(self._counts - self._taken, 0.0), 0.0)

    @cached_property
    def _scales(self) -> tuple[Array, Array]:
        """The scale of each entry's term with the removal, and without it."""
        kinds, batch, rules = self.together.kinds, self.batch, self.together.alone
        frequencies, negate = kinds.frequencies[batch.of_kinds], kinds.negate[batch.of_kinds]
        total = batch.entries.repeat(self.total)
        left = frequencies - batch.frequencies
        left = np.where(_is_left(left, frequencies), left, 0.0)
        before = rules.scales(frequencies, negate, batch.entries.repeat(self.together.total(self.total)))
        return before, rules.scales(left, negate, total)

    @property
    def _before(self) -> Array:
        return self._scales[0]

    @property
    def _after(self) -> Array:
        return self._scales[1]

    def _by_cell(self, of_entries: Array) -> Array:
        return self.batch.cells[0].repeat(of_entries)

    def _by_class(self, of_cells: Array) -> Array:
        """The sums of numbers of cells: one row per removal, one column per class."""
        size = len(self.batch)
        places = self.batch.owners * self.width + self.batch.classes
        sums = np.bincount(places, weights=of_cells, minlength=size * self.width)
        return sums.reshape(size, self.width).astype(np.float64)

    @cached_property
    def _outside(self) -> Sums:
        totals, inverse = np.unique(self.together.total(self.total), return_inverse=True)
        sums = self.together.outside(totals)
        return type(sums)(*(getattr(sums, name)[inverse] for name in sums.__slots__))

    @cached_property
    def _terms(self) -> Array:
        """V: the number of kept terms, per removal."""
        more = (self._after > 0).astype(np.float64) - (self._before > 0)
        terms: Array = self._outside.terms + self.batch.entries.sum(more)
        return terms[:, None]

    @cached_property
    def _tokens(self) -> Array:
        """N_c: one row per removal, one column per class."""
        change = self._by_cell(self._after) * self._unweighted - self._by_cell(self._before) * self._counts
        tokens: Array = self._outside.tokens + self._by_class(change)
        tokens = np.where(_is_left(tokens, self._outside.tokens), tokens, 0.0)
        return tokens if self.factors is None else tokens * self.factors

    @cached_property
    def _of_terms(self) -> Array:
        """The count of each entry's term in all classes, without the removal."""
        if self.factors is not None:
            return np.where(self._after > 0, self.batch.cells[0].sum(self._left), 0.0)
        taken = self.batch.cells[0].sum(self._taken)
        left = np.maximum(self.together.alone.sums[self.batch.of_kinds] - taken, 0.0)
        return np.where(self._after > 0, left, 0.0)

    @cached_property
    def _of_others(self) -> Array:
        """The count of each cell's term in all other classes, without the removal."""
        batch, alone = self.batch, self.together.alone
        table, at = batch.cells
        taken = self._by_cell(table.sum(self._taken)) - self._taken
        gone = self._by_cell(table.sum(batch.taken_cells[1])) - batch.taken_cells[1]
        documents = self.together.kinds.documents_of_others[at]
        some = _is_left(documents - gone, documents)
        others = alone.of_others[at] - taken
        if self.factors is not None:
            others = self._by_cell(table.sum(self._left)) - self._left
        return np.where(some, np.maximum(others, 0.0), 0.0)

    @cached_property
    def _excess(self) -> Array:
        """For complement variants: the weight of each cell beyond that of a class that lacks the term."""
        after = self._by_cell(self._after)
        return self._complement.excess(after * self._by_cell(self._of_terms), after * self._of_others)

    @cached_property
    def _rests(self) -> Array:
        """For complement variants: the weight of each entry's term beyond the base in classes that lack it."""
        return np.where(self._after > 0, rest_of(self.variant, self._after * self._of_terms), 0.0)

    @cached_property
    def _beyond(self) -> Array:
        """The weight of each cell beyond the base (and the rest)."""
        if self.variant.is_complement:
            return self._excess
        counts = self._by_cell(self._after) * self._left
        if self.variant.is_local:
            return deltas_of(self.variant, counts)
        documents = np.maximum(self._of_class(self.documents), self._left)
        return self.variant.delta(self._left, self._left, Totals(documents, documents, documents, 0))

    def _of_class(self, by_class: Array) -> Array:
        """Numbers by removal and class, for each cell."""
        numbers: Array = by_class[self.batch.owners, self.batch.classes]
        return numbers

    @cached_property
    def _lacking(self) -> Array:
        """For bernoulli: the sum of log(1 - p) over all terms: one row per removal, one column per class."""
        alpha, documents = self.variant.alpha, self.documents
        lacking = self._terms * (np.log(documents + alpha) - np.log(documents + 2 * alpha))
        lacking += self._lacking_outside
        of_class, lack = self._of_class(documents), self._bernoulli.lack
        after = (self._by_cell(self._after) > 0) * lack(self._left, of_class)
        weighted = self._counts if self.factors is None else self._counts * self._of_class(self.factors)
        before = (self._by_cell(self._before) > 0) * lack(weighted, of_class)
        result: Array = lacking + self._by_class(after - before)
        return result

    @cached_property
    def _lacking_outside(self) -> Array:
        """For bernoulli: log(1 - p) of all terms with the removal, beyond that of terms that a class lacks."""
        found = np.zeros_like(self.documents)
        totals = self.together.total(self.total)
        for total in np.unique(totals).tolist():
            rows = np.flatnonzero(totals == total)
            for place, (counts, times) in enumerate(self._histogram(total)):
                factors = np.ones(len(rows)) if self.factors is None else self.factors[rows, place]
                pairs = np.stack([self.documents[rows, place], factors], axis=1)
                pairs, inverse = np.unique(pairs, axis=0, return_inverse=True)
                lack = (self._bernoulli.lack(counts * factor, number) for number, factor in pairs)
                found[rows, place] = np.array([float((times * each).sum()) for each in lack])[inverse.reshape(-1)]
        return found

    def _histogram(self, total: float) -> list[tuple[Array, Array]]:
        """Per class: the distinct document frequencies of the kept terms, and how many terms have each."""
        whole = self.together.kinds.whole
        scales = self.together.alone.scales(whole.frequencies, whole.negate, np.full(len(whole.frequencies), total))
        cells, times = whole.cells, np.where(scales > 0, whole.sizes, 0.0)
        numbers, inverse = np.unique(cells.documents, return_inverse=True)
        size = len(numbers)
        table = exact_sums(cells.classes * size + inverse, times[cells.rows], self.width * size)
        table = table.reshape(self.width, size)
        return [(numbers[row > 0], row[row > 0]) for row in table]

    @cached_property
    def _factors(self) -> Array:
        """For complement_normalized: one over the sum of the weights: one row per removal, one column per class."""
        before, at = self._by_cell(self._before), self.batch.cells[1]
        sums = self.together.alone.sums[self.batch.of_kinds]
        others = self.together.alone.of_others[at]
        excess = self._excess - self._complement.excess(before * self._by_cell(sums), before * others)
        rests = self._rests - np.where(self._before > 0, rest_of(self.variant, self._before * sums), 0.0)
        everywhere = self._outside.rests + self.batch.entries.sum(rests)
        whole: Array = self._terms * self._base + everywhere[:, None] + self._outside.beyond + self._by_class(excess)
        return one_over(whole)

    @cached_property
    def _base(self) -> Array:
        totals = Totals(self._tokens, self.documents, sums_of_others(self._tokens), self._terms)
        return np.nan_to_num(self.variant.base(totals), nan=0.0, posinf=0.0, neginf=0.0)

    def scores(self) -> tuple[Array, Array, Array]:
        """The scores and the lengths of the units, and how many of their terms are not known."""
        batch, of = self.batch, self.batch.of_units
        texts, entries, values, occurrences = batch.of_text()
        times = values * self._after[entries]
        length = texts.sum(times)
        starts, cells = batch.cells[0].entries_of(entries)
        rows, classes = np.repeat(texts.rows, np.diff(starts)), batch.classes[cells]

        def by_class(of_cells: Array) -> Array:
            size = len(of)
            sums = np.bincount(rows * self.width + classes, weights=of_cells, minlength=size * self.width)
            return sums.reshape(size, self.width).astype(np.float64)

        joint = length[:, None] * self._base[of] + by_class(np.repeat(times, np.diff(starts)) * self._beyond[cells])
        if self.variant.is_complement:
            joint += texts.sum(times * self._rests[entries])[:, None]
        if self.variant.normalized:
            joint *= self._factors[of]
        if self.variant.counts_absence:
            joint += self._lacking[of]
        if self.variant.alpha == 0:  # a class that lacks a kept term of the document is impossible
            kept = self._after[entries] > 0
            has: Mask = np.repeat(kept, np.diff(starts)) & (self._left[cells] > 0)
            joint[by_class(has.astype(np.float64)) < texts.sum(kept)[:, None]] = -np.inf
        joint += self.together.alone.log_prior(self.documents)[of]
        joint[~self.there[of]] = -np.inf
        return joint, length, texts.sum(np.where(self._after[entries] > 0, 0.0, occurrences))

"""`TermCells`: the counts of terms in the classes that have them, with their sums over all other classes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from likely.counting.counts import Cells

if TYPE_CHECKING:
    from likely.counting.ragged import Ragged
    from likely.types import Array, Ids, Places
    from likely.weighing.terms import Terms


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
    >>> from likely.counting.ragged import Ragged
    >>> table = Ragged.of_lengths(np.array([3, 0, 1]))
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
    sums: Array = before + after
    return sums

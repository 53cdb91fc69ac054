"""Leave-one-out scores with ``document_weight='equal'``: what is subtracted depends on the length of the document.

The weights in the other classes do not change, if a weight depends on the counts of one class only. In the gold class
of the document, and for complement variants, the logarithms are computed for each term of each document.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from likely import _native
from likely.scoring.leave_one_out.scores import Counted, LeaveOneOut, deltas_of, rest_of

if TYPE_CHECKING:
    from likely.core.rules import Rules
    from likely.scoring.leave_one_out.kinds import Cases, Kinds
    from likely.types import Array, Ids, Places


def left_out_by(kinds: Kinds, rules: Rules) -> LeaveOneOut:
    """The `LeaveOneOut` for these rules and for the way in which the documents were counted."""
    return EqualLeaveOneOut(kinds, rules) if kinds.counts.analyzer.equal else LeaveOneOut(kinds, rules)


MOST_DENSE = 1 << 26
"""At most this many pairs of a kind and a class are looked up in an array; more are found by binary search."""


@dataclass(frozen=True)
class Entries:
    """All terms of all documents: one entry per term of a document."""

    cases: Cases
    values: Array
    """The value of the term in the document, per entry, without its scale."""
    _left: list[tuple[Ids, Array]] = field(default_factory=list)
    """The last argument and result of `left`, which is called several times with the same classes."""

    @cached_property
    def documents(self) -> Places:
        """The document of each entry."""
        return self.cases.rows

    @cached_property
    def kinds(self) -> Ids:
        """The kind of each entry's term."""
        return self.cases.kinds[self.cases.of]

    @cached_property
    def shares(self) -> Array:
        """The number that each entry added to the counts: its value, divided by the length of the document."""
        lengths = np.sqrt(self.sum(self.values**2))
        return self.values / lengths[self.documents]

    def sum(self, numbers: Array) -> Array:
        """The sum of numbers (one per entry) of each document."""
        return self.cases.sum(numbers)

    def left(self, gold: Ids) -> Array:
        """The count of each entry's term in the gold class of its document, without the document."""
        if not self._left or self._left[0][0] is not gold:
            self._left[:] = [(gold, self._left_of(gold))]
        return self._left[0][1]

    def _left_of(self, gold: Ids) -> Array:
        cells, width = self.cases.all_kinds.cells, len(self.cases.all_kinds.labels)
        keys = cells.rows * width + cells.classes  # sorted
        if not len(keys):
            return np.zeros(len(self.kinds))
        wanted = self.kinds.astype(np.int64) * width + gold[self.documents]
        size = (len(cells.starts) - 1) * width
        if size <= MOST_DENSE:
            places = np.full(size, len(keys), np.int64)
            places[keys] = np.arange(len(keys))
            at = places[wanted]
        else:
            at = np.searchsorted(keys, wanted)
        at = np.minimum(at, len(keys) - 1)
        # If only this document has the term, the count without it is 0; a difference would leave a rounding error.
        others = (keys[at] == wanted) & (cells.documents[at] > 1)
        return np.where(others, np.maximum(cells.counts[at] - self.shares, 0.0), 0.0)


class EqualLeaveOneOut(LeaveOneOut):
    """As `LeaveOneOut`, for counts with ``document_weight='equal'``.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> texts, labels = ["good good fun", "good plot", "bad plot"], ["+", "+", "-"]
    >>> options = {"document_weight": "equal"}
    >>> left_out = NaiveBayes(**options).fit(texts, labels).leave_one_out(texts, labels)
    >>> others = NaiveBayes(**options).fit(texts[1:], labels[1:])
    >>> bool(np.allclose(left_out[0], others.predict_joint_log_proba(texts[:1])[0]))
    True
    """

    def _entries(self, cases: Cases) -> Entries:
        # The entries depend only on the kind of value, so all rules with the same kind share them.
        entries = cases.entries.get(self.value)
        if not isinstance(entries, Entries):
            entries = cases.entries[self.value] = Entries(cases, cases.values(self.value)[cases.of])
        return entries

    def _counted(self, cases: Cases) -> Counted:
        counted = super()._counted(cases)
        # Here ``left`` shows only whether a count is above 0 without the document: the count depends on the document.
        return replace(counted, left=np.where(counted.cells.documents > 1, counted.counts, 0.0))

    def _taken(self, cases: Cases, length: Array) -> Array:
        entries = self._entries(cases)
        return entries.sum(entries.shares * self.after[entries.kinds])

    def _sum_beyond(self, cases: Cases, counted: Counted, gold: Ids, rests: Array, threads: int) -> Array:
        entries = self._entries(cases)
        after = self.after[entries.kinds]
        times = entries.values * after
        if self.variant.is_complement:
            return self._sum_complement(entries, gold, times, threads)
        times_of_cells = counted.by_cell(counted.after) * counted.by_cell(counted.values)
        others = times_of_cells * deltas_of(self.variant, counted.counts * counted.by_cell(counted.after))
        beyond = cases.total(cases.numbers(others, np.zeros(len(others))), gold, threads)
        left = entries.left(gold)
        beyond[np.arange(len(gold)), gold] = entries.sum(times * deltas_of(self.variant, left * after))
        return beyond

    def _sum_complement(self, entries: Entries, gold: Ids, times: Array, threads: int) -> Array:
        cases, kinds, alpha = entries.cases, self.kinds, self.variant.alpha
        cells = kinds.cells
        of_others = self.after[cells.rows] * self.of_others
        taken = entries.shares * self.after[entries.kinds]
        tops = -rest_of(self.variant, (self.after * self.sums)[entries.kinds] - taken)
        rests = entries.sum(np.where(times > 0, -times * tops, 0.0))
        documents = _native.Ragged(cases.starts, entries.kinds, None, len(cells))
        table = _native.Ragged(cells.starts, cells.classes, of_others, len(kinds.labels))
        logs = _native.LogEntries(taken, tops, times, alpha)
        beyond = _native.sum_logs(documents, gold, table, self.single, logs, threads)
        return beyond + rests[:, None]

"""Leaving out documents that all count the same: what goes with one depends on its length, so not on its terms alone.

For the classes that are not the document's own this changes nothing where a term is weighed by its own class; for the
own class, and where a class is known by all the others, the logarithms are worked out entry by entry.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from likely import _native
from likely.scoring.leave_one_out.scores import Counted, LeaveOneOut, deltas_of, rest_of

if TYPE_CHECKING:
    from likely.scoring.leave_one_out.kinds import Cases, Kinds
    from likely.types import Array, Ids, Places
    from likely.weighing.terms import Rules


def left_out_by(kinds: Kinds, rules: Rules) -> LeaveOneOut:
    """What leaves documents out by some rules, as they were counted."""
    return EqualLeaveOneOut(kinds, rules) if kinds.counts.analyzer.equal else LeaveOneOut(kinds, rules)


MOST_DENSE = 1 << 26
"""So many pairs of a kind and a class are looked up in a table; more are searched for."""


@dataclass(frozen=True)
class Entries:
    """Each term of each document, one after the other."""

    cases: Cases
    values: Array
    """What it counts in the document, before it is scaled."""
    _left: list[tuple[Ids, Array]] = field(default_factory=list)
    """What `left` has last found, and for which classes: it is asked again and again."""

    @cached_property
    def documents(self) -> Places:
        """The document of each."""
        return np.repeat(np.arange(len(self.cases)), np.diff(self.cases.starts))

    @cached_property
    def kinds(self) -> Ids:
        """The kind of each."""
        return self.cases.kinds[self.cases.of]

    @cached_property
    def shares(self) -> Array:
        """What each has added to its class: its value over the length of the document."""
        lengths = np.sqrt(self.sum(self.values**2))
        return self.values / lengths[self.documents]

    def sum(self, numbers: Array) -> Array:
        """The sums of numbers, document by document."""
        return np.bincount(self.documents, weights=numbers, minlength=len(self.cases)).astype(np.float64)

    def left(self, own: Ids) -> Array:
        """What is counted of each in the class that is its document's own, without the document."""
        if not self._left or self._left[0][0] is not own:
            self._left[:] = [(own, self._left_of(own))]
        return self._left[0][1]

    def _left_of(self, own: Ids) -> Array:
        cells, width = self.cases.all_kinds.cells, len(self.cases.all_kinds.labels)
        keys = cells.rows * width + cells.classes  # sorted
        wanted = self.kinds.astype(np.int64) * width + own[self.documents]
        size = (len(cells.starts) - 1) * width
        if size <= MOST_DENSE:
            places = np.full(size, len(keys), np.int64)
            places[keys] = np.arange(len(keys))
            at = places[wanted]
        else:
            at = np.searchsorted(keys, wanted)
        at = np.minimum(at, len(keys) - 1)
        # What only this document has is gone, but for what rounding would leave of it.
        others = (keys[at] == wanted) & (cells.documents[at] > 1)
        return np.where(others, np.maximum(cells.counts[at] - self.shares, 0.0), 0.0)


class EqualLeaveOneOut(LeaveOneOut):
    """As `LeaveOneOut`, of documents that all count the same.

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
        # The same for all rules with this value, so once for all of them.
        if self.value not in cases.entries:
            cases.entries[self.value] = Entries(cases, cases.values(self.value)[cases.of])
        entries: Entries = cases.entries[self.value]
        return entries

    def _counted(self, cases: Cases) -> Counted:
        counted = super()._counted(cases)
        # Only whether something is left is asked of it here: how much depends on the document.
        return replace(counted, left=np.where(counted.cells.documents > 1, counted.counts, 0.0))

    def _taken(self, cases: Cases, length: Array) -> Array:
        entries = self._entries(cases)
        return entries.sum(entries.shares * self.after[entries.kinds])

    def _sum_beyond(self, cases: Cases, counted: Counted, own: Ids, rests: Array, threads: int) -> Array:
        entries = self._entries(cases)
        after = self.after[entries.kinds]
        times = entries.values * after
        if self.variant.is_complement:
            return self._complement(entries, own, times, threads)
        others, _ = self._beyond(counted)
        beyond = cases.sum(cases.numbers(others, np.zeros(len(others))), own, threads)
        left = entries.left(own)
        beyond[np.arange(len(own)), own] = entries.sum(times * deltas_of(self.variant, left * after))
        return beyond

    def _complement(self, entries: Entries, own: Ids, times: Array, threads: int) -> Array:
        cases, kinds, alpha = entries.cases, self.kinds, self.variant.alpha
        cells = kinds.cells
        of_others = self.after[cells.rows] * np.maximum(self.sums[cells.rows] - self.counts, 0.0) + alpha
        taken = entries.shares * self.after[entries.kinds]
        tops = -rest_of(self.variant, (self.after * self.sums)[entries.kinds] - taken)
        rests = entries.sum(np.where(times > 0, -times * tops, 0.0))
        logs = (cells.starts, cells.classes, of_others, taken, tops, times, alpha, len(kinds.labels))
        beyond = _native.sum_logs(cases.starts, entries.kinds, own, *logs, threads)
        return beyond + rests[:, None]

"""`Documents`: learned documents, and their leave-one-out scores by any rules."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from likely.core.terms import scales_of_frequencies
from likely.scoring.leave_one_out.equal import left_out_by
from likely.scoring.leave_one_out.kinds import Kinds
from likely.scoring.leave_one_out.left_out import LeftOut
from likely.scoring.leave_one_out.removals import Removals
from likely.scoring.leave_one_out.scores import value_of
from likely.scoring.leave_one_out.together import Together
from likely.scoring.leave_one_out.units import units_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from likely.core.counts import Counts
    from likely.core.rows import Rows
    from likely.core.rules import Rules
    from likely.scoring.leave_one_out.kinds import Cases
    from likely.scoring.leave_one_out.units import Units
    from likely.types import Array, Ids, Mask, Places

AT_ONCE, LEAST = 1 << 12, 1 << 9
"""The largest number of documents that one thread scores at a time; from the second number on, they are scored in at
least two batches."""
SCORES = 1 << 20
"""About the largest number of scores that are computed at a time. With many classes, that is a small batch."""


class Documents:
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
    >>> from likely.core.rows import rows_of
    >>> texts, labels = ["good fun", "good plot", "bad plot", "bad plot"], ["+", "+", "-", "-"]
    >>> snapshot = NaiveBayes().fit(texts, labels)._snapshot()
    >>> documents = Documents(snapshot.counts, rows_of(snapshot.counts, texts), np.array([0, 0, 1, 1]))
    >>> others = NaiveBayes().fit(texts[:2], labels[:2])  # without both copies of the last text
    >>> scores = documents.left_out(snapshot.rules).joint[3]
    >>> bool(np.isclose(scores[0], others.predict_joint_log_proba(texts[3:])[0, 0])), scores[1]
    (True, np.float64(-inf))
    """

    def __init__(
        self,
        counts: Counts,
        rows: Rows,
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
        self._times = (
            None if times is None or (times == 1).all() else times[: len(gold) if judged is None else judged]
        )
        self._groups = groups
        self._known_units: dict[bool, Units] = {}
        self._known_removals: dict[tuple[str, bool], Removals] = {}
        self.judged = len(gold) if judged is None else judged
        self._most_cells = most_cells

    @cached_property
    def kinds(self) -> Kinds:
        """The terms of the documents, grouped by their counts."""
        return Kinds(self._counts, self._only, self.rows, self._least)

    def keeping(self, least: float) -> Documents:
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
    def _alone(self) -> list[tuple[Places, Ids, Cases]]:
        """The documents that are left out alone, in batches: their places, their gold classes and their terms."""
        return list(self._batches())

    def _batches(self) -> Iterator[tuple[Places, Ids, Cases]]:
        places = np.flatnonzero(self.units(apart=True).alone[: self.judged])
        at_once = min(AT_ONCE, SCORES // max(len(self.kinds.labels), 1) + 1)
        batches = max(math.ceil(len(places) / at_once), 2 if len(places) >= LEAST else 1)
        for some in np.array_split(places, batches) if len(places) else ():
            stay = np.zeros(len(self.rows), np.bool_)
            stay[some] = True
            rows = self.rows if stay.all() else self.rows.of_documents(stay)
            yield some, self.gold[some], self.kinds.cases(rows)

    @cached_property
    def _tokens(self) -> Array:
        """The number of occurrences of all terms of each document that is scored."""
        return self.rows.sum(self.rows.occurrences.astype(np.float64))[: self.judged]

    def left_out(self, rules: Rules, threads: int = 1, *, check: bool = False) -> LeftOut:
        """The scores of the documents with these rules; ``check`` raises if one of them was not learned."""
        joint, length = np.zeros((self.judged, len(self.kinds.labels))), np.zeros(self.judged)
        unknown = np.zeros(self.judged)
        # The weights of classes may depend on their numbers of documents, which are others for each document.
        apart = rules.class_weight is None
        for places, found in self._scored_alone(rules, threads, check=check) if apart else ():
            joint[places], length[places], unknown[places] = found.joint, found.length, np.asarray(found.unknown)
        units = self.units(apart=apart)
        if len(units):
            removals = self._removals(rules, units, apart=apart)
            found = Together(self.kinds, rules).scores(removals, check=check)
            some = np.flatnonzero(units.of[: self.judged] >= 0)
            joint[some], length[some] = found.joint[units.of[some]], found.length[units.of[some]]
            unknown[some] = np.asarray(found.unknown)[units.of[some]]
        return LeftOut(joint, length, self._judged_times(units, apart=apart), unknown, self._tokens)

    def _scored_alone(self, rules: Rules, threads: int, *, check: bool) -> Iterator[tuple[Places, LeftOut]]:
        """The documents that are left out alone, in batches, and their scores."""
        alone = left_out_by(self.kinds, rules).prepared()

        def scores(batch: tuple[Places, Ids, Cases]) -> tuple[Places, LeftOut]:
            places, gold, cases = batch
            if check:
                cases.check_learned(gold, 1, places)
            return places, alone.scores(cases, gold, inner)

        inner = threads if len(self._alone) == 1 else 1
        if inner == threads:
            yield from map(scores, self._alone)
            return
        with ThreadPoolExecutor(threads) as pool:
            yield from pool.map(scores, self._alone)

    def _judged_times(self, units: Units, *, apart: bool) -> Array | None:
        """The weights of the documents that are scored; 0 for those that were left aside."""
        of = units.of[: self.judged]
        for (_, same), removals in self._known_removals.items():
            if same is apart and removals.skipped.any():
                return np.where((of >= 0) & removals.skipped[of], 0.0, self.times[: self.judged])
        return self._times

    def _removals(self, rules: Rules, units: Units, *, apart: bool) -> Removals:
        """What is left out together, which depends only on the kind of value that terms have."""
        value = value_of(self.kinds.counts, rules)
        if (value, apart) not in self._known_removals:
            # Documents that are left out alone have no part in it, and are usually most of them.
            stay = ~units.alone
            rows, judged = self.rows.of_documents(stay), int(stay[: self.judged].sum())
            arguments = (units.among(stay), self.gold[stay], self.times[stay], value, judged, self._most_cells)
            self._known_removals[value, apart] = Removals(self.kinds, rows, *arguments)
        return self._known_removals[value, apart]

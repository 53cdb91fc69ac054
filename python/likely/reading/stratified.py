"""A share of the rows of every class, in whole groups: what is held out to test on, or the folds to judge in turn."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.types import Mask, Starts


@dataclass(frozen=True)
class Cells:
    """How many rows of each class are in each group: one cell per pair that occurs, ordered by group, then by class.

    Attributes
    ----------
    groups, classes, rows : array
        The group, the class and the number of rows of each cell. Groups and classes are numbered from 0.
    """

    groups: Starts
    classes: Starts
    rows: Starts

    @classmethod
    def of(cls, groups: Starts, classes: Starts) -> Cells:
        """The cells of rows, from the group and the class of each."""
        width = int(classes.max(initial=0)) + 1
        pairs, rows = np.unique(groups * width + classes, return_counts=True)
        return cls(pairs // width, pairs % width, rows)


def held_groups(cells: Cells, share: float) -> Mask:
    """True for each group that is held out.

    Of every class, the groups with the smallest numbers are held out until they have about this share of its rows. A
    group counts for the class that most of its rows have. Every class keeps rows that are not held out. A class of at
    least two groups also has rows that are, unless each of its groups is the last one of another class.

    Examples
    --------
    >>> groups, classes = np.array([0, 1, 2, 3, 4, 4]), np.array([0, 0, 0, 0, 1, 1])
    >>> held_groups(Cells.of(groups, classes), 0.5)
    array([ True,  True, False, False, False])
    """
    size = int(cells.groups.max(initial=-1)) + 1
    rows = np.bincount(cells.groups, cells.rows, size)
    held = np.zeros(size, np.bool_)
    for members in _strata(cells):
        held[members[_taken(rows[members].tolist(), share)]] = True
    _Mending(cells, rows, held).mend()
    return held


def folds_of_groups(cells: Cells, folds: int) -> Starts:
    """The fold of each group, from 0 to ``folds - 1``: about the same number of rows of every class in each fold.

    A group counts for the class that most of its rows have. Of every class, the largest groups come first, and each
    goes where the fewest rows of the class are so far (of several such folds, where the fewest rows are).

    Examples
    --------
    >>> folds_of_groups(Cells.of(np.array([0, 1, 2, 3, 4, 4]), np.array([0, 0, 0, 0, 1, 1])), 2)
    array([0, 1, 0, 1, 0])
    """
    size = int(cells.groups.max(initial=-1)) + 1
    rows = np.bincount(cells.groups, cells.rows, size)
    found, totals = np.zeros(size, np.int64), [0.0] * folds
    for members in _strata(cells):
        open_folds = [(0.0, totals[fold], fold) for fold in range(folds)]
        heapq.heapify(open_folds)
        for group in members[np.argsort(-rows[members], kind="stable")].tolist():
            of_class, total, fold = open_folds[0]
            heapq.heapreplace(open_folds, (of_class + rows[group], total + rows[group], fold))
            found[group], totals[fold] = fold, total + rows[group]
    return found


def _strata(cells: Cells) -> list[Starts]:
    """The groups of each class that most of their rows have, in order."""
    order = np.lexsort((cells.classes, -cells.rows, cells.groups))
    _, first = np.unique(cells.groups[order], return_index=True)
    stratum = cells.classes[order][first]
    by_class = np.argsort(stratum, kind="stable")
    return np.split(by_class, np.flatnonzero(np.diff(stratum[by_class])) + 1)


def _taken(sizes: Sequence[float], share: float) -> list[int]:
    """The places of the first groups that have about a share of all rows: some, but not all of them.

    Examples
    --------
    >>> _taken([1, 1, 1, 1, 1], 0.4), _taken([90, 5, 5], 0.05), _taken([7], 0.5), _taken([1, 1], 0.9)
    ([0, 1], [1], [], [0])
    """
    target, total = share * sum(sizes), 0.0
    taken: list[int] = []
    for at, size in enumerate(sizes):
        if total >= target:
            break
        if size <= 2 * (target - total):  # with this group it is nearer to the target than without it
            taken.append(at)
            total += size
    if taken and len(taken) == len(sizes):
        taken.pop()
    return taken or ([int(np.argmin(sizes))] if len(sizes) > 1 else [])


class _Mending:
    """Moves groups so that every class is learned, and tested if that is possible."""

    def __init__(self, cells: Cells, rows: Starts, held: Mask) -> None:
        self._rows, self._held, self._cells = rows, held, cells
        self._starts = np.searchsorted(cells.groups, np.arange(len(held) + 1))
        by_class = np.argsort(cells.classes, kind="stable")
        size = int(cells.classes.max(initial=-1)) + 1
        self._groups_of = np.split(cells.groups[by_class], np.cumsum(np.bincount(cells.classes, minlength=size)))
        self._all = np.bincount(cells.classes, minlength=size)
        self._learned = np.bincount(cells.classes[~held[cells.groups]], minlength=size)

    def mend(self) -> None:
        """Move the groups."""
        for each in np.flatnonzero((self._learned == 0) & (self._all > 0)).tolist():
            if self._learned[each] == 0:
                self._move(int(self._groups_of[each][-1]), is_held=False)
        fewest_first = np.argsort(self._all, kind="stable")
        for each in fewest_first[self._all[fewest_first] > 1].tolist():
            if self._learned[each] == self._all[each]:
                free = [group for group in self._groups_of[each].tolist() if self._is_free(group)]
                if free:
                    self._move(min(free, key=lambda group: (self._rows[group], group)), is_held=True)

    def _classes_in(self, group: int) -> Starts:
        return self._cells.classes[self._starts[group] : self._starts[group + 1]]

    def _is_free(self, group: int) -> bool:
        """Whether every class of a group is learned from another group too."""
        return bool((self._learned[self._classes_in(group)] > 1).all())

    def _move(self, group: int, *, is_held: bool) -> None:
        self._held[group] = is_held
        self._learned[self._classes_in(group)] += -1 if is_held else 1

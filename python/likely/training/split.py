"""A share of the rows of every class, in whole groups: what is held out to test on, or the folds to judge in turn."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.errors import LengthError, OptionError, SourceError
from likely.labels import coded
from likely.options.kinds import is_finite, is_whole
from likely.terminal import counted
from likely.training.sample import group_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from likely.reading.batch import Batch
    from likely.reading.corpus import Corpus
    from likely.reading.rows import Batches, Labelled, Whole
    from likely.types import Label, Mask, Starts


@dataclass(frozen=True)
class GroupCells:
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
    def of(cls, groups: Starts, classes: Starts) -> GroupCells:
        """The cells of rows, from the group and the class of each."""
        width = int(classes.max(initial=0)) + 1
        pairs, rows = np.unique(groups * width + classes, return_counts=True)
        return cls(pairs // width, pairs % width, rows)


def held_groups(cells: GroupCells, share: float) -> Mask:
    """True for each group that is held out.

    Of every class, the groups with the smallest numbers are held out until they have about this share of its rows. A
    group counts for the class that most of its rows have. Every class keeps rows that are not held out. A class of at
    least two groups also has rows that are, unless each of its groups is the last one of another class.

    Examples
    --------
    >>> groups, classes = np.array([0, 1, 2, 3, 4, 4]), np.array([0, 0, 0, 0, 1, 1])
    >>> held_groups(GroupCells.of(groups, classes), 0.5)
    array([ True,  True, False, False, False])
    """
    size = int(cells.groups.max(initial=-1)) + 1
    rows = np.bincount(cells.groups, cells.rows, size)
    held = np.zeros(size, np.bool_)
    for members in _strata(cells):
        held[members[_taken(rows[members].tolist(), share)]] = True
    _Mending(cells, rows, held).mend()
    return held


def folds_of_groups(cells: GroupCells, folds: int) -> Starts:
    """The fold of each group, from 0 to ``folds - 1``: about the same number of rows of every class in each fold.

    A group counts for the class that most of its rows have. Of every class, the largest groups come first, and each
    goes where the fewest rows of the class are so far (of several such folds, where the fewest rows are).

    Examples
    --------
    >>> folds_of_groups(GroupCells.of(np.array([0, 1, 2, 3, 4, 4]), np.array([0, 0, 0, 0, 1, 1])), 2)
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


def _strata(cells: GroupCells) -> list[Starts]:
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

    def __init__(self, cells: GroupCells, rows: Starts, held: Mask) -> None:
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


Numbers: TypeAlias = npt.NDArray[np.uint64]
"""Numbers of groups, or of the copies of a text: equal for what belongs together."""

Side: TypeAlias = Literal["learned", "held out", "judged"]
"""Rows that are not held out; rows that are; and those of them that are judged."""


@dataclass(frozen=True)
class Plan:
    """Which rows of a source are held out.

    Attributes
    ----------
    held : array
        The numbers of the groups that are held out, in order. If no groups were named, the copies of a text are one.
    seen : array
        The numbers of the texts that are held out and have a copy in another group that is not, in order.
    rows, learned, judged : int
        The number of all rows, of those that are not held out, and of those that are judged.
    untested : list of str, int or bool
        The classes of which no row is judged.
    """

    held: Numbers
    seen: Numbers
    rows: int
    learned: int
    judged: int
    untested: list[Label]

    @property
    def copies(self) -> int:
        """The number of rows that are held out, but are not judged: the model has learned a copy."""
        return self.rows - self.learned - self.judged

    def split(self, side: Side) -> Callable[[Batch | Labelled], Mask]:
        """A function that says which rows of a batch are on a side."""
        return partial(self._rows, side)

    def _rows(self, side: Side, batch: Batch | Labelled) -> Mask:
        copies = _native.copy_numbers(batch.texts)
        is_held = _among(copies if batch.groups is None else _native.sample_numbers(batch.groups), self.held)
        is_held &= True if batch.weights is None else np.asarray(batch.weights) > 0
        if side == "learned":
            return ~is_held
        return is_held if side == "held out" else is_held & ~_among(copies, self.seen)


def plan_holdout(corpus: Corpus, share: float) -> Plan:
    """The plan that holds out about a share of the rows of a corpus, which is read once.

    Copies of a text (`_native.copy_numbers`) belong together, and, if the corpus has groups, the rows of a group. A
    class that is one group is learned, and not tested.

    Examples
    --------
    >>> from likely.reading.corpus import Corpus
    >>> rows = [{"text": text, "label": "x"} for text in ("So good!", "so good", "dull", "fun")]
    >>> plan = plan_holdout(Corpus([*rows, {"text": "boring", "label": "y"}], None), 0.3)
    >>> plan.rows, plan.learned, plan.judged, plan.untested
    (5, 3, 2, ['y'])
    """
    return plan_batches(corpus.lessons(afresh=True), share)


def plan_batches(batches: Batches, share: float) -> Plan:
    """As `plan_holdout`, for documents in batches."""
    survey = _Survey()
    for batch in batches:
        survey.add(batch)
    return survey.plan(share)


class _Survey:
    """The group, the copies and the label of each row, without its text."""

    def __init__(self) -> None:
        self._groups: list[Numbers] = []
        self._copies: list[Numbers] = []
        self._codes: list[Starts] = []
        self._classes: dict[Label, int] = {}
        self._rows = 0

    def add(self, batch: Labelled) -> None:
        """Look at some rows. Those of weight 0 teach nothing, and are never held out."""
        labels, copies = coded(batch.labels), _native.copy_numbers(batch.texts)
        groups = copies if batch.groups is None else _native.sample_numbers(batch.groups)
        places = [self._classes.setdefault(label, len(self._classes)) for label in labels.values]
        codes = np.array(places, np.int64)[labels.codes]
        self._rows += len(codes)
        wanted = slice(None) if batch.weights is None else np.asarray(batch.weights) > 0
        self._groups.append(groups[wanted])
        self._copies.append(copies[wanted])
        self._codes.append(codes[wanted])

    def plan(self, share: float) -> Plan:
        """The plan for the rows so far. ``SourceError`` if no row can be held out."""
        if not self._rows:
            raise LengthError("there are no documents: give at least one text and its label")
        labels = sorted(self._classes, key=str)
        rank = {label: at for at, label in enumerate(labels)}
        ranks = np.array([rank[label] for label in self._classes], np.int64)
        classes = ranks[np.concatenate(self._codes)]
        copies = np.concatenate(self._copies)
        numbers, groups = np.unique(np.concatenate(self._groups), return_inverse=True)
        held = held_groups(GroupCells.of(groups, classes), share)
        is_held = held[groups]
        seen = np.intersect1d(copies[is_held], copies[~is_held])
        judged = is_held & ~_among(copies, seen)
        if not judged.any():
            raise SourceError(
                "no row can be held out: the rows of each class are copies of one text, or one group. Give more "
                "data, leave out --holdout, or test on other data"
            )
        tested = np.bincount(classes[judged], minlength=len(labels))
        untested = [label for label, rows in zip(labels, tested.tolist(), strict=True) if not rows]
        learned = self._rows - int(is_held.sum())
        return Plan(numbers[held], seen, self._rows, learned, int(judged.sum()), untested)


def _among(numbers: Numbers, known: Numbers) -> Mask:
    """True for each number that is one of the known numbers, which are in order."""
    if not len(known):
        return np.zeros(len(numbers), np.bool_)
    places = np.minimum(np.searchsorted(known, numbers), len(known) - 1)
    found: Mask = known[places] == numbers
    return found


MOST_FOLDS = 1000
"""The largest number of folds. For more, there is leave-one-out."""


@dataclass(frozen=True, eq=False)
class Rounds:
    """Rows in folds. In each round one fold is judged, by a model of all others.

    Attributes
    ----------
    fold : array
        The fold of each row; that of a row that is neither learned nor judged is -1.
    judged : array
        The folds that are judged, in order. The others are only learned.
    can_be_judged : array
        True for each row of a fold that is judged whose class is learned from another fold.
    untested : list of str, int or bool
        The classes of which no row can be judged.
    """

    fold: Starts
    judged: list[int]
    can_be_judged: Mask
    untested: list[Label]

    def __iter__(self) -> Iterator[tuple[Mask, Mask]]:
        """For each round, the rows that are learned, and the rows that are judged."""
        for each in self.judged:
            wanted = self.can_be_judged & (self.fold == each)
            if wanted.any():
                yield (self.fold >= 0) & (self.fold != each), wanted


def fold_rounds(whole: Whole, folds: int) -> Rounds:
    """The rounds of a stratified cross-validation: every fold has about the same share of every class.

    The copies of a text are in one fold, and, if groups are named, the rows of a group. Which fold that is depends on
    the texts (or the names of the groups) alone, so it is the same in every run and in any order of the rows.

    Examples
    --------
    >>> from likely.reading.rows import Whole
    >>> texts = ["good", "Good!", "fine", "fun", "bad", "dull", "sad", "alone"]
    >>> rounds = fold_rounds(Whole(texts, [*"++++---?"]), 2)
    >>> bool(rounds.fold[0] == rounds.fold[1]), rounds.untested
    (True, ['?'])
    >>> sorted(int(judged.sum()) for _, judged in rounds)
    [3, 4]
    """
    heavy = whole.counts
    numbers, groups = np.unique(group_numbers(whole.labelled())[heavy], return_inverse=True)
    if not is_whole(folds) or not 2 <= folds <= min(MOST_FOLDS, len(numbers)):
        what = "different text" if whole.groups is None else "different group"
        most = f"at most {MOST_FOLDS:,}, and at most the number of {what}s"
        there = counted(len(numbers), what)
        raise OptionError(f"folds={folds!r} is not allowed: it must be a whole number, at least 2, {most}: {there}")
    classes = coded(whole.labels).codes.astype(np.int64)
    fold = np.full(len(whole), -1, np.int64)
    fold[heavy] = folds_of_groups(GroupCells.of(groups, classes[heavy]), folds)[groups]
    return _rounds(whole, fold, list(range(folds)), heavy)


def holdout_rounds(whole: Whole, share: float) -> Rounds:
    """The one round in which about a share of the rows of every class is judged (`plan_holdout`).

    Examples
    --------
    >>> from likely.reading.rows import Whole
    >>> rounds = holdout_rounds(Whole(["good", "fine", "bad", "dull"], ["+", "+", "-", "-"]), 0.5)
    >>> [(int(learned.sum()), int(judged.sum())) for learned, judged in rounds]
    [(2, 2)]
    """
    if not is_finite(share) or not 0 < share < 1:
        raise OptionError(f"share={share!r} is not allowed: it must be a number above 0 and below 1")
    plan, rows = plan_batches([whole.labelled()], share), whole.labelled()
    fold = np.full(len(whole), -1, np.int64)
    fold[plan.split("learned")(rows)] = 0
    judged = plan.split("judged")(rows)
    fold[judged] = 1
    fold[~whole.counts] = -1
    return _rounds(whole, fold, [1], judged)


def _rounds(whole: Whole, fold: Starts, judged: list[int], may: Mask) -> Rounds:
    labels = coded(whole.labels)
    classes, width = labels.codes.astype(np.int64), len(labels.values)
    rows = np.bincount(classes[fold >= 0], minlength=width)
    size = int(fold.max(initial=0)) + 1
    inside = np.bincount(classes[fold >= 0] * size + fold[fold >= 0], minlength=width * size).reshape(width, size)
    known = np.isin(fold, judged) & may
    known &= (rows[classes] - inside[classes, np.maximum(fold, 0)]) > 0
    if not known.any():
        raise SourceError(
            "no row can be judged: the rows of each class are copies of one text, or one group. Give more data, or "
            "evaluate a model on other data (`likely evaluate MODEL DATA`)"
        )
    tested = np.bincount(classes[known], minlength=width)
    untested = [label for label, found in zip(labels.values, tested.tolist(), strict=True) if not found]
    return Rounds(fold, judged, known, sorted(untested, key=str))

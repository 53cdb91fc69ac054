"""`Rounds`: which rows are learned and which are judged, when a model is measured on rows that it has not learned.

A row is judged only if its class is learned from other rows: no model can find a class that it does not know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely.errors import OptionError, SourceError
from likely.labels import coded
from likely.options.kinds import is_finite, is_whole
from likely.reading.holdout import plan_batches
from likely.reading.sampling import group_numbers
from likely.reading.stratified import Cells, folds_of_groups
from likely.terminal import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.reading.whole import Whole
    from likely.types import Label, Mask, Starts

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
    >>> from likely.reading.whole import Whole
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
    fold[heavy] = folds_of_groups(Cells.of(groups, classes[heavy]), folds)[groups]
    return _rounds(whole, fold, list(range(folds)), heavy)


def holdout_rounds(whole: Whole, share: float) -> Rounds:
    """The one round in which about a share of the rows of every class is judged (`plan_holdout`).

    Examples
    --------
    >>> from likely.reading.whole import Whole
    >>> rounds = holdout_rounds(Whole(["good", "fine", "bad", "dull"], ["+", "+", "-", "-"]), 0.5)
    >>> [(int(learned.sum()), int(judged.sum())) for learned, judged in rounds]
    [(2, 2)]
    """
    if not is_finite(share) or not 0 < share < 1:
        raise OptionError(f"share={share!r} is not allowed: it must be a number above 0 and below 1")
    plan, rows = plan_batches([whole.labelled()], share), whole.labelled()
    fold = np.full(len(whole), -1, np.int64)
    fold[plan.split("learned").rows(rows)] = 0
    judged = plan.split("judged").rows(rows)
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

"""Held-out rows: a share of every class, in whole groups, and the same rows in each reading and any order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.errors import LengthError, SourceError
from likely.labels import coded
from likely.reading.stratified import Cells, held_groups

if TYPE_CHECKING:
    from likely.reading.batch import Batch
    from likely.reading.corpus import Corpus
    from likely.reading.labelled import Batches, Labelled
    from likely.types import Label, Mask, Starts

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

    def split(self, side: Side) -> Split:
        """The rows of a side."""
        return Split(self, side)


@dataclass(frozen=True)
class Split:
    """The rows of one side of a plan."""

    plan: Plan
    side: Side

    def rows(self, batch: Batch | Labelled) -> Mask:
        """True for each row that is on this side."""
        copies = _native.copy_numbers(batch.texts)
        is_held = _among(copies if batch.groups is None else _native.sample_numbers(batch.groups), self.plan.held)
        is_held &= True if batch.weights is None else np.asarray(batch.weights) > 0
        if self.side == "learned":
            return ~is_held
        return is_held if self.side == "held out" else is_held & ~_among(copies, self.plan.seen)


def plan_holdout(corpus: Corpus, share: float) -> Plan:
    """The plan that holds out about a share of the rows of a corpus, which is read once.

    Copies of a text (`_native.copy_numbers`) belong together, and, if the corpus has groups, the rows of a group. A
    class that is one group is learned, and not tested.

    Examples
    --------
    >>> from likely.reading import Corpus
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
        held = held_groups(Cells.of(groups, classes), share)
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

"""Pairs of a gold label and a prediction: how often each occurs, counted in batches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from likely.arrow_data import as_list
from likely.errors import LabelError, LengthError
from likely.labels import LabelIndex

if TYPE_CHECKING:
    from collections.abc import Iterable

    from likely.types import Array, Label, Labels, Predicted

Numbers = npt.NDArray[np.int64]

FEW = 1 << 20
"""If there are at most this many possible pairs, they are counted in a table; else by sorting those that occur."""


class Pairs:
    """Counts the pairs of a gold label and a prediction.

    Examples
    --------
    >>> pairs = Pairs(["a", "b"])
    >>> pairs.add(["b", "c", "b"], ["a", None, "a"])
    >>> pairs.labels
    ['a', 'b', 'c']
    >>> pairs.counted()
    (array([1, 2]), array([ 0, -1]), array([2, 1]))
    """

    def __init__(self, classes: Iterable[Label] = (), *, keep: bool = False) -> None:
        self._index = LabelIndex(classes)
        self._found: Counter[tuple[int, int]] = Counter()
        self._keep = keep
        self._kept: list[tuple[Numbers, Numbers]] = []

    def add(self, gold: Labels, predicted: Predicted) -> None:
        """Count a batch; a prediction that is None is an abstention."""
        rows, columns = self._index.encode(gold).astype(np.int64), self._predicted(predicted)
        if len(rows) != len(columns):
            raise LengthError(
                f"there are {len(rows)} gold labels but {len(columns)} predictions: give one per document"
            )
        self._count(rows, columns)
        if self._keep:
            self._kept.append((rows, columns))

    def _count(self, rows: Numbers, columns: Numbers) -> None:
        width = len(self._index.labels) + 1
        keys = rows * width + (columns + 1)
        if width * width <= FEW:
            counts = np.bincount(keys)
            pairs = np.flatnonzero(counts)
            counts = counts[pairs]
        else:
            pairs, counts = np.unique(keys, return_counts=True)
        found = zip((pairs // width).tolist(), (pairs % width - 1).tolist(), counts.tolist(), strict=True)
        self._found.update({(row, column): number for row, column, number in found})

    def _predicted(self, predicted: Predicted) -> Numbers:
        """The numbers of the predictions, -1 for None."""
        if isinstance(predicted, Iterator):
            predicted = list(predicted)
        try:
            return self._index.encode(cast("Labels", predicted)).astype(np.int64)
        except LabelError:
            values = as_list(predicted, "labels", LabelError)
            answered = np.array([value is not None for value in values], np.bool_)
            if answered.all():
                raise
            numbers = np.full(len(values), -1, np.int64)
            numbers[answered] = self._index.encode(cast("list[Label]", [each for each in values if each is not None]))
            return numbers

    @property
    def documents(self) -> int:
        """The number of pairs."""
        return self._found.total()

    @property
    def labels(self) -> list[Label]:
        """The labels, sorted."""
        return sorted(self._index.labels)

    def _places(self) -> Numbers:
        """The place of each label in the sorted order, by its number; the last one is for -1."""
        order = sorted(range(len(self._index.labels)), key=self._index.labels.__getitem__)
        places = np.full(len(order) + 1, -1, np.int64)
        places[order] = np.arange(len(order))
        return places

    def counted(self) -> tuple[Numbers, Numbers, Numbers]:
        """The places of the gold label and of the prediction, sorted, and the number: one element per pair."""
        places = self._places()
        found = np.array(list(self._found), np.int64).reshape(-1, 2)
        rows, columns = places[found[:, 0]], places[found[:, 1]]
        sort = np.lexsort((columns, rows))
        return rows[sort], columns[sort], np.array(list(self._found.values()), np.int64)[sort]

    def kept(self) -> tuple[Numbers, Numbers]:
        """The places of the gold label and of the prediction, one element per document, if they were to be kept."""
        places, none = self._places(), np.zeros(0, np.int64)
        rows, columns = (np.concatenate(each) for each in zip((none, none), *self._kept, strict=True))
        return places[rows], places[columns]


def sums_by(keys: Numbers, counts: npt.NDArray[np.generic], size: int) -> Array:
    """The sums of the counts, over the last axis, of those elements that have each key; keys of -1 are left out.

    Examples
    --------
    >>> sums_by(np.array([2, -1, 0, 2]), np.array([[1, 10, 100, 1000]]), 3)
    array([[ 100.,    0., 1001.]])
    """
    sums = np.zeros((*counts.shape[:-1], size))
    order = np.argsort(keys, kind="stable")
    order = order[keys[order] >= 0]
    if len(order):
        present, starts = np.unique(keys[order], return_index=True)
        sums[..., present] = np.add.reduceat(counts[..., order], starts, axis=-1)
    return sums

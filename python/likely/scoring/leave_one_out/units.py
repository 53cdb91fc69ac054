"""`Units`: which documents are left out together: copies of a text, and the documents of a group.

Two documents are copies if they have the same terms equally often. A unit is a text within a group: its scores come
from a model without all documents of the group and without all copies of the text in other groups.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

import numpy as np

from likely.arrow_data import listed, one_column
from likely.core.counts import Ragged, starts_of
from likely.errors import LengthError, TextError
from likely.reading.sampling import is_missing

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from likely.core.rows import Rows
    from likely.types import Array, Groups, Ids, Mask, Places


@dataclass(frozen=True, eq=False)
class Weighed(Ragged):
    """Weights of documents by class: one row per text, group or unit; one entry per class, sorted."""

    classes: Places
    weights: Array
    documents: npt.NDArray[np.int64]
    """The number of documents, per entry."""

    @classmethod
    def of(cls, owners: Places, classes: Ids | Places, times: Array, size: int, width: int) -> Weighed:
        """The weights of documents with these owners, classes and weights; ``width`` is the number of classes."""
        keys, inverse = np.unique(owners * width + classes, return_inverse=True)
        starts = np.searchsorted(keys, np.arange(size + 1) * width)
        weights = np.bincount(inverse, weights=times, minlength=len(keys)).astype(np.float64)
        return cls(starts, keys % width, weights, np.bincount(inverse, minlength=len(keys)))

    def take(self, rows: Places) -> Weighed:
        """The given rows, in that order."""
        starts, at = self.entries_of(rows)
        return Weighed(starts, self.classes[at], self.weights[at], self.documents[at])

    def less(self, other: Weighed, width: int) -> Weighed:
        """What is left of each row if the documents of the other table's row are taken away."""
        keys, others = self.rows * width + self.classes, other.rows * width + other.classes
        at = np.minimum(np.searchsorted(others, keys), max(len(others) - 1, 0))
        both = others[at] == keys if len(others) else np.zeros(len(keys), np.bool_)
        documents = self.documents - np.where(both, other.documents[at], 0) if len(others) else self.documents
        weights = self.weights - np.where(both, other.weights[at], 0.0) if len(others) else self.weights
        stay = documents > 0
        starts = starts_of(np.bincount(self.rows[stay], minlength=len(self)))
        return Weighed(starts, self.classes[stay], weights[stay], documents[stay])

    def dense(self, rows: slice, width: int) -> Array:
        """The weights of some rows as a matrix: one column per class."""
        first, last = rows.start, rows.stop
        part = slice(self.starts[first], self.starts[last])
        found = np.zeros((last - first, width))
        found[self.rows[part] - first, self.classes[part]] = self.weights[part]
        return found


@dataclass(frozen=True, eq=False)
class Units:
    """Documents that are not left out alone.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.core.rows import rows_of
    >>> texts, gold = ["good fun", "dull", "fun, good!"], np.array([0, 1, 0], np.uint32)
    >>> counts = NaiveBayes().fit(texts, gold.tolist())._snapshot().counts
    >>> units = units_of(rows_of(counts, texts), gold, np.ones(3), None, 2)
    >>> units.alone, units.of, units.copies.dense(slice(0, 1), 2)
    (array([False,  True, False]), array([ 0, -1,  0]), array([[2., 0.]]))
    """

    alone: Mask
    """Whether each document is left out alone: it has no copy, no group, and the weight 1."""
    of: Places
    """The unit of each document; -1 for a document that is left out alone."""
    first: Places
    """The first document of each unit."""
    group: Places
    """The group of each unit; -1 if it consists of copies only."""
    copies: Weighed
    """Per unit: the copies of its text that are taken out; with a group, only those outside of it."""
    members: Places
    """The documents of the groups."""
    member_of: Places
    """The group of each of these documents."""

    rows: Places | None = None
    """The rows of the documents that these numbers are places among; None if they are rows themselves."""

    def __len__(self) -> int:
        """The number of units."""
        return len(self.first)

    def among(self, stay: Mask) -> Units:
        """The same units, with documents numbered among those that stay."""
        places = np.cumsum(stay) - 1
        first, members = places[self.first], places[self.members]
        return replace(self, first=first, members=members, rows=np.flatnonzero(stay))

    def first_row(self, units: Places) -> int:
        """The first row of the documents of some units, from 0."""
        first = int(self.first[units].min())
        return first if self.rows is None else int(self.rows[first])


def units_of(
    rows: Rows, gold: Ids, times: Array, groups: npt.NDArray[np.integer] | None, width: int, *, apart: bool = True
) -> Units:
    """The units of documents with these terms, classes, weights and groups (None: the copies of a text are one).

    If not ``apart``, no document is left out alone, also if there is nothing that belongs to it.
    """
    copy = copies_of(rows)
    group = copy if groups is None else np.unique(groups, return_inverse=True)[1].astype(np.intp)
    texts = int(copy.max(initial=-1)) + 1
    pairs, first, unit = np.unique(group * texts + copy, return_index=True, return_inverse=True)
    alone = apart & (np.bincount(copy)[copy] == 1) & (np.bincount(group)[group] == 1) & (times == 1)
    stay = np.flatnonzero(~alone[first])
    numbers = np.full(len(pairs), -1)
    numbers[stay] = np.arange(len(stay))
    first, owner, text = first[stay], pairs[stay] // max(texts, 1), pairs[stay] % max(texts, 1)
    mixed = np.bincount(pairs // max(texts, 1), minlength=int(group.max(initial=-1)) + 1) > 1
    places = np.where(mixed, np.cumsum(mixed) - 1, -1)
    of = numbers[unit]
    mine = np.flatnonzero(places[group] >= 0)  # the documents of groups with several texts
    inside = Weighed.of(of[mine], gold[mine], times[mine], len(first), width)
    copies = Weighed.of(copy, gold, times, texts, width).take(text).less(inside, width)
    return Units(alone, of, first, places[owner], copies, mine, places[group[mine]])


def copies_of(rows: Rows) -> Places:
    """The number of each document's text: copies have the same one."""
    return np.unique(row_numbers(rows), return_inverse=True)[1].astype(np.intp)


def row_numbers(rows: Rows) -> npt.NDArray[np.uint64]:
    """A number per document that depends on its terms and on how often each occurs, but not on their order.

    Copies have the same number; other documents almost never do.
    """
    mixed = rows.ids.astype(np.uint64) << np.uint64(32) | rows.occurrences
    for factor in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB):  # SplitMix64 (Steele, Lea and Flood, 2014)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(factor)
    sums = np.zeros(len(mixed) + 1, np.uint64)
    np.cumsum(mixed ^ (mixed >> np.uint64(31)), out=sums[1:])
    return sums[rows.starts[1:]] - sums[rows.starts[:-1]]


def group_names(groups: Groups | None, size: int) -> list[str] | None:
    """The group of each document as text, so that the number 7 and the text '7' are the same; None without groups.

    A document without a group (None, NaN or an empty text) is a group of its own.

    Examples
    --------
    >>> names = group_names([7, "7", None, ""], 4)
    >>> names[:2], len(set(names))
    (['7', '7'], 3)
    """
    if groups is None:
        return None
    column = one_column(groups, "groups", TextError)
    found = listed(column, "groups", TextError)
    column = cast("Iterable[object]", column) if found is None else found
    values = [f"\0{at}" if is_missing(value) else str(value) for at, value in enumerate(column)]
    if len(values) != size:
        raise LengthError(f"{len(values)} groups for {size} texts: give one group per text")
    return values

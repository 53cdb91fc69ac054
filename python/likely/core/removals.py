"""Which documents are left out together, and what is taken out of the counts with them; and terms with equal counts.

Most terms are rare, and many of these have the same counts. All terms of a kind have the same weights in every
leave-one-out model, which are therefore computed once per kind.

Two documents are copies if they have the same terms equally often. A unit is a text within a group: its scores come
from a model without all documents of the group and without all copies of the text in other groups.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from likely import _native
from likely.arrow_data import as_list
from likely.core.counts import UNKNOWN, Counts, Ragged, TermRows, starts_of
from likely.core.terms import negator_ids, term_values
from likely.errors import ArgumentError, TextError
from likely.reading.rows import is_missing

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

    from likely.types import Array, Groups, Ids, Mask, Places


AT_ONCE = 1 << 20
"""About the largest number of cells that are processed at a time."""
FEW = 20
"""If the documents have less than this part of all terms, only their own terms are sorted."""
KEPT = 1 << 20
"""If all removals together have at most this many cells, they are made once and kept for the next rules."""
MOST_COUNTED = 1 << 24
"""If no document frequency is above this, the distinct ones are found by counting, else by sorting."""
_UNIT = 2.0**26
"""Numbers are summed as whole multiples of 1 / _UNIT and of 1 / _UNIT^2, which is exact in any order."""
_ROUNDING = 1e-9
"""The tolerance for document frequencies, which may be sums of weights."""

T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True, eq=False)
class KindCells(Ragged):
    """Counts of kinds of terms: one row per kind, one entry per class (by place) in which it occurs."""

    classes: Ids
    counts: Array
    documents: Array
    """The document frequency, per entry."""


class Kinds:
    """The terms of some counts, grouped by their counts.

    ``only`` is a mask by id: these terms only, as if there were no others. With ``rows``, only the terms of these
    documents are grouped, which is faster if no other documents will be scored. Terms in fewer than ``least``
    documents are one kind, without counts: no rules with at least this ``min_documents`` keep them, whatever is left
    out, so the scores are the same, and are found faster.
    """

    def __init__(
        self, counts: Counts, only: Mask | None = None, rows: TermRows | None = None, least: float | None = None
    ) -> None:
        self.only, self.is_whole, self.least = only, rows is None, least
        self.counts, native = counts, counts.native
        live = counts.live()
        self.numbers, self.labels = live.numbers, live.labels
        self.documents = counts.totals().documents[self.numbers]
        self.total = float(self.documents.sum())
        ids = native.ids()
        ids = ids if only is None else ids[only[ids]]
        rare: Ids = np.zeros(0, np.uint32)
        if least is not None:
            stay = counts.document_frequencies(ids) >= least - _ROUNDING
            ids, rare = ids[stay], ids[~stay]
        marked = np.zeros(native.vocabulary_size, np.uint32)
        marked[negator_ids(counts)] = 1
        self._outside_of = (ids, marked[ids], live.ranks)
        if rows is not None:
            there = np.zeros(native.vocabulary_size, np.bool_)
            there[rows.ids] = True
            ids = ids[there[ids]]
        self.of, self._first = self._grouped(ids, marked)
        first = self._first
        self._more = 0 if least is None else 1
        self.of[rare] = len(first)
        sizes = np.bincount(self.of[ids], minlength=len(first)).astype(np.float64)
        self.sizes: Array = self._with_rare(sizes, len(rare))
        self.negate: Mask = self._with_rare(marked[first], 0) > 0
        cells = counts.cells(first)
        classes = live.ranks[cells.classes]
        # The classes are in the order of their places, so that sums do not depend on which class was learned first.
        in_order = bool((self.numbers[1:] > self.numbers[:-1]).all())
        self._order = slice(None) if in_order else np.lexsort((classes, cells.rows))
        amounts = (native.cells(first, of)[self._order] for of in (False, True))
        starts = self._with_rare(cells.starts, int(cells.starts[-1]))
        self.cells = KindCells(starts, classes[self._order], *amounts)
        self._sums: dict[bool, Array] = {}
        self._of_others: dict[bool, Array] = {}
        self.frequencies: Array = self.sums(documents=True)
        """The document frequency of the terms of each kind."""

    def sums(self, *, documents: bool) -> Array:
        """The count of the terms of each kind in all classes, or their documents."""
        if documents not in self._sums:
            self._sums[documents] = self._with_rare(self.counts.native.class_sums(self._first, documents), 0)
        return self._sums[documents]

    def _with_rare(self, of_kinds: npt.NDArray[T], of_rare: int) -> npt.NDArray[T]:
        """Numbers of the kinds, with one more for the kind of rare terms, if there is one."""
        return np.concatenate([of_kinds, np.full(self._more, of_rare, of_kinds.dtype)])

    def of_others(self, *, documents: bool) -> Array:
        """For each cell, the count of the term in all other classes, or the documents that have it."""
        if documents not in self._of_others:
            self._of_others[documents] = self.counts.native.sums_of_others(self._first, documents)[self._order]
        return self._of_others[documents]

    def _grouped(self, ids: Ids, marked: Ids) -> tuple[Ids, Ids]:
        """The kind of each term, by id, and one term of each kind."""
        if not self.counts.analyzer.equal:
            return _native.group_terms(self.counts.native, ids, marked[ids])
        # Counts that were divided by lengths of documents are seldom equal: each term is a kind of its own.
        of = np.full(self.counts.native.vocabulary_size, UNKNOWN, np.uint32)
        of[ids] = np.arange(len(ids))
        return of, ids

    @cached_property
    def outside(self) -> Outside:
        """All terms, grouped by document frequency."""
        return Outside.of(self.counts, *self._outside_of, len(self.labels))

    @cached_property
    def whole(self) -> Kinds:
        """The kinds of all terms, not only of those in some documents."""
        return self if self.is_whole else Kinds(self.counts, self.only, least=self.least)


@dataclass(frozen=True)
class Outside:
    """Terms, grouped by document frequency and by whether they are negators: the scale depends on these only."""

    frequencies: Array
    negate: Mask
    sizes: Array
    """The number of terms of each group."""
    _counted: Counts
    _ids: Ids
    _places: Places
    """The place of each cell of the terms in a table with one row per group and one column per class."""
    _width: int

    @classmethod
    def of(cls, counts: Counts, ids: Ids, marks: Ids, places: Ids, width: int) -> Outside:
        """The groups of the terms with these ids.

        ``marks`` is above 0 for negators, ``places`` has the place of each class by its number, and ``width`` is the
        number of classes.
        """
        keys, groups = _distinct(counts.document_frequencies(ids), marks)
        cells = counts.cells(ids)
        of_cells = cells.repeat(groups * width) + places[cells.classes]
        sizes = np.bincount(groups, minlength=len(keys)).astype(np.float64)
        return cls(np.abs(keys), keys < 0, sizes, counts, ids, of_cells, width)

    @cached_property
    def counts(self) -> Array:
        """The sum of the counts: one row per group, one column per class."""
        return self._summed(documents=False)

    @cached_property
    def documents(self) -> Array:
        """The sum of the document frequencies: one row per group, one column per class."""
        return self._summed(documents=True)

    def _summed(self, *, documents: bool) -> Array:
        rows = len(self.sizes)
        sums = exact_sums(self._places, self._counted.native.cells(self._ids, documents), rows * self._width)
        return sums.reshape(rows, self._width)


def _distinct(frequencies: Array, marks: Ids | Mask) -> tuple[Array, Places]:
    """The distinct frequencies, negative for marked terms, and the place of each term's frequency among them."""
    most = int(frequencies.max(initial=0.0))
    if most > MOST_COUNTED or not _whole(frequencies):
        return np.unique(np.where(marks > 0, -frequencies, frequencies), return_inverse=True)
    numbers = frequencies.astype(np.int64) + (marks > 0) * (most + 1)
    found = np.bincount(numbers, minlength=2 * (most + 1)) > 0
    places = np.cumsum(found) - 1
    keys = np.flatnonzero(found)
    return np.where(keys > most, most + 1 - keys, keys).astype(np.float64), places[numbers]


def _whole(numbers: Array) -> bool:
    return bool((numbers == np.floor(numbers)).all())


def exact_sums(places: npt.NDArray[np.integer], numbers: Array, size: int) -> Array:
    """The sum of the numbers at each place; it does not depend on their order."""
    if _whole(numbers):
        return np.bincount(places, weights=numbers, minlength=size).astype(np.float64)
    upper = np.floor(numbers * _UNIT)
    lower = np.floor((numbers * _UNIT - upper) * _UNIT)
    high, low = (np.bincount(places, weights=part, minlength=size) for part in (upper, lower))
    return (high + low / _UNIT) / _UNIT


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
        if not len(others):
            return self
        at = np.minimum(np.searchsorted(others, keys), len(others) - 1)
        both = others[at] == keys
        documents = self.documents - np.where(both, other.documents[at], 0)
        weights = self.weights - np.where(both, other.weights[at], 0.0)
        stay = documents > 0
        starts = starts_of(np.bincount(self.rows[stay], minlength=len(self)))
        return Weighed(starts, self.classes[stay], weights[stay], documents[stay])

    def dense(self, width: int) -> Array:
        """The weights as a matrix: one column per class."""
        found = np.zeros((len(self), width))
        found[self.rows, self.classes] = self.weights
        return found


@dataclass(frozen=True, eq=False)
class RemovedParts(Ragged):
    """What is taken out: one row per removal, one entry per document of its group and per class of copies."""

    documents: Places
    classes: Places
    weights: Array


@dataclass(frozen=True, eq=False)
class Units:
    """Documents that are not left out alone, and what is taken out for them: their removals.

    The units of a group share a removal, unless there are copies of their text outside of the group.
    """

    alone: Mask
    """Whether each document is left out alone: it has no copy, no group, and the weight 1."""
    of: Places
    """The unit of each document; -1 for a document that is left out alone."""
    first: Places
    """The first document of each unit."""
    group: Places
    """The group of each unit."""
    costly: Mask
    """Whether each unit has a removal of its own with all documents of its group."""
    removal: Places
    """The removal of each unit."""
    parts: RemovedParts

    def __len__(self) -> int:
        """The number of units."""
        return len(self.first)


def units_of(
    rows: TermRows, gold: Ids, times: Array, groups: npt.NDArray[np.integer] | None, width: int, *, apart: bool = True
) -> Units:
    """The units of documents with these terms, classes, weights and groups (None: the copies of a text are one).

    If not ``apart``, no document is left out alone, even if nothing belongs to it.
    """
    copy = np.unique(row_numbers(rows), return_inverse=True)[1].astype(np.intp)  # copies have the same number
    group = copy if groups is None else np.unique(groups, return_inverse=True)[1].astype(np.intp)
    texts, size = int(copy.max(initial=-1)) + 1, int(group.max(initial=-1)) + 1
    pairs, first, unit = np.unique(group * texts + copy, return_index=True, return_inverse=True)
    alone = apart & (np.bincount(copy)[copy] == 1) & (np.bincount(group)[group] == 1) & (times == 1)
    stay = np.flatnonzero(~alone[first])
    numbers = np.full(len(pairs), -1)
    numbers[stay] = np.arange(len(stay))
    of, first = numbers[unit], first[stay]
    owner, text = group[first], copy[first]
    mixed = (np.bincount(pairs // max(texts, 1), minlength=size) > 1)[owner]  # its group has several texts
    outside = np.bincount(copy, minlength=texts)[text] > np.bincount(unit, minlength=len(pairs))[stay]
    costly = mixed & outside
    keys = np.where(mixed, np.where(outside, texts + size + np.arange(len(stay)), texts + owner), text)
    _, some, removal = np.unique(keys, return_index=True, return_inverse=True)
    # The documents of a group one by one; copies of a text all at once, for each of their classes.
    members = np.argsort(group, kind="stable")
    by_group = Ragged(np.searchsorted(group[members], np.arange(size + 1)))
    starts, at = by_group.entries_of(owner[some[mixed[some]]])
    documents = members[at]
    owners = np.repeat(np.flatnonzero(mixed[some]), np.diff(starts))
    inside = np.flatnonzero(of >= 0)
    inside = inside[mixed[of[inside]]]
    within = Weighed.of(of[inside], gold[inside], times[inside], len(first), width)
    copies = Weighed.of(copy, gold, times, texts, width).take(text).less(within, width).take(some)
    owners = np.concatenate([owners, copies.rows])
    order = np.argsort(owners, kind="stable")
    parts = RemovedParts(
        np.searchsorted(owners[order], np.arange(len(some) + 1)),
        np.concatenate([documents, copies.repeat(first[some])])[order],
        np.concatenate([gold[documents].astype(np.intp), copies.classes])[order],
        np.concatenate([times[documents], copies.weights])[order],
    )
    return Units(alone, of, first, owner, costly, removal, parts)


def row_numbers(rows: TermRows) -> npt.NDArray[np.uint64]:
    """A number per document that depends on its terms and on how often each occurs, but not on their order.

    Copies have the same number; other documents almost never do.
    """
    mixed = rows.ids.astype(np.uint64) << np.uint64(32) | rows.occurrences
    for factor in (0xBF58476D1CE4E5B9, 0x94D049BB133111EB):  # SplitMix64 (Steele, Lea and Flood, 2014)
        np.multiply(mixed ^ (mixed >> np.uint64(30)), np.uint64(factor), out=mixed)
    sums = np.zeros(len(mixed) + 1, np.uint64)
    np.cumsum(mixed ^ (mixed >> np.uint64(31)), out=sums[1:])
    return sums[rows.starts[1:]] - sums[rows.starts[:-1]]


def group_names(groups: Groups | None, size: int) -> list[str] | None:
    """The group of each document as text, so that the number 7 and the text '7' are the same; None without groups.

    A document without a group (None, NaN or an empty text) is a group of its own.
    """
    if groups is None:
        return None
    column = as_list(groups, "groups", TextError)
    values = [f"\0{at}" if is_missing(value) else str(value) for at, value in enumerate(column)]
    if len(values) != size:
        raise ArgumentError(f"{len(values)} groups for {size} texts: give one group per text")
    return values


def shares_of(values: Array, table: Ragged, *, equal: bool) -> Array:
    """What each document adds to the counts of its terms, from their values in it."""
    return values / table.repeat(np.sqrt(table.sum(values**2))) if equal else values


class Removals:
    """The removals of the units with one of the first documents, as many as are ``judged``.

    A unit with a group and with copies outside of it has a removal of its own, with all terms of the group. If
    ``most_cells`` is given, those of these units that need more cells together are left aside (``skipped``).
    """

    def __init__(
        self, kinds: Kinds, rows: TermRows, units: Units, value: str, judged: int, most_cells: int | None
    ) -> None:
        self.places = np.cumsum(units.of >= 0) - 1
        """The place of each document among those that are not left out alone, which are usually few."""
        self.rows = rows.of_documents(units.of >= 0).only(kinds.of != UNKNOWN)
        self.values = term_values(self.rows.occurrences, value)
        self.shares = shares_of(self.values, self.rows, equal=kinds.counts.analyzer.equal)
        self.kinds, self.units, self.width = kinds, units, len(kinds.labels)
        self.ids = self._sorted_ids()
        """The terms of the documents in alphabetical order, so that sums do not depend on what was learned first."""
        self.ranks = np.zeros(kinds.counts.native.vocabulary_size, np.int64)
        self.ranks[self.ids] = np.arange(len(self.ids))
        self.skipped = self._skipped(most_cells)
        """Whether each unit is left aside."""
        wanted = np.flatnonzero((units.first < judged) & ~self.skipped)
        self.wanted = wanted[np.argsort(units.removal[wanted], kind="stable")]
        self._kept: list[Removed] | None = None

    def _sorted_ids(self) -> Ids:
        counts, ids = self.kinds.counts, np.unique(self.rows.ids)
        if len(ids) > counts.native.terms // FEW:
            return counts.sorted_ids()
        return counts.sorted_by_term(ids)

    def _skipped(self, most_cells: int | None) -> Mask:
        units = self.units
        skipped = np.zeros(len(units), np.bool_)
        if most_cells is None or not units.costly.any():
            return skipped
        places = np.flatnonzero(units.costly)
        places = places[np.argsort(units.first[places], kind="stable")]
        groups, of = np.unique(units.group[places], return_inverse=True)
        member = np.flatnonzero(units.of >= 0)
        member = member[np.isin(units.group[units.of[member]], groups)]
        starts, at = self.rows.entries_of(self.places[member])
        owner = np.repeat(np.searchsorted(groups, units.group[units.of[member]]), np.diff(starts))
        size = len(self.ranks)
        pairs = np.unique(owner * size + self.rows.ids[at])
        cells = np.bincount(pairs // size, self.kinds.cells.lengths[self.kinds.of[pairs % size]], len(groups))
        skipped[places] = np.cumsum(cells[of]) > most_cells
        return skipped

    def batches(self) -> Iterator[Removed]:
        """All removals, in batches of about `AT_ONCE` cells and scores."""
        if self._kept is not None:
            yield from self._kept
            return
        parts, removal = self.units.parts, self.units.removal[self.wanted]
        cells = starts_of(self.kinds.cells.lengths[self.kinds.of[self.rows.ids]])
        of_documents = np.diff(cells[self.rows.starts])[self.places]
        numbers, at = np.unique(removal, return_index=True)
        sizes = parts.sum(of_documents[parts.documents].astype(np.float64))[numbers]
        sizes += np.add.reduceat(of_documents[self.units.first[self.wanted]], at) if len(at) else 0
        ends = np.cumsum(sizes + self.width)
        bounds, first, kept = [*at.tolist(), len(removal)], 0, []
        while first < len(numbers):
            before = ends[first - 1] if first else 0
            last = max(int(np.searchsorted(ends, before + AT_ONCE, side="right")), first + 1)
            batch = Removed(self, numbers[first:last], self.wanted[bounds[first] : bounds[last]])
            yield batch
            if ends[-1] <= KEPT:
                kept.append(batch)
            first = last
        self._kept = kept if len(numbers) and ends[-1] <= KEPT else None


class Removed:
    """A batch of removals: one row per term of a removal, one cell per class in which the term occurs."""

    def __init__(self, removals: Removals, numbers: Places, units: Places) -> None:
        self.units, rows, size = units, removals.rows, len(removals.ranks)
        self.first = removals.units.first[units]
        self.of = np.searchsorted(numbers, removals.units.removal[units])
        """The removal of each unit, by place in this batch."""
        every, width, kinds = removals.units.parts, removals.width, removals.kinds
        starts, some = every.entries_of(numbers)
        owner = np.repeat(np.arange(len(numbers)), np.diff(starts))
        weights, classes = every.weights[some], every.classes[some]
        self.taken = np.zeros((len(numbers), width))
        """The weight of the documents that are taken out: one row per removal, one column per class."""
        np.add.at(self.taken, (owner, classes), weights)
        starts, at = rows.entries_of(removals.places[every.documents[some]])
        table = Ragged(starts)
        terms = table.repeat(owner) * size + removals.ranks[rows.ids[at]]
        keys, inverse = np.unique(terms * width + table.repeat(classes), return_inverse=True)
        amounts = table.repeat(weights)
        counts = np.bincount(inverse, amounts * removals.shares[at], len(keys)).astype(np.float64)
        documents = np.bincount(inverse, amounts, len(keys)).astype(np.float64)
        found, row = np.unique(keys // width, return_inverse=True)
        self.owner = found // size
        """The removal of each row."""
        self.kinds = kinds.of[removals.ids[found % size]]
        self.gone, self.counts_gone = (
            np.bincount(row, each, len(found)).astype(np.float64) for each in (documents, counts)
        )
        """The weight of the documents with the term that are taken out, and what is taken of its count: per row."""
        starts, self.at = kinds.cells.entries_of(self.kinds)
        self.cells = Ragged(starts)
        self.classes = kinds.cells.classes[self.at].astype(np.intp)
        wanted = self.cells.repeat(found) * width + self.classes
        place = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        there = keys[place] == wanted if len(keys) else np.zeros(0, np.bool_)
        self.taken_counts, self.taken_documents = (np.where(there, each[place], 0.0) for each in (counts, documents))
        """What is taken out of each cell."""
        starts, at = rows.entries_of(removals.places[self.first])
        self.texts = Ragged(starts)
        self.entries = np.searchsorted(found, self.texts.repeat(self.of) * size + removals.ranks[rows.ids[at]])
        """The row of each term of the units' texts."""
        self.values, self.occurrences = removals.values[at], rows.occurrences[at].astype(np.float64)

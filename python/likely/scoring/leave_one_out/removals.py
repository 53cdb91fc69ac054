"""`Removals`: what is taken out of the counts for each unit, term by term and class by class.

A removal is what is taken out at a time: the copies of a text, or the documents of a group, or both. The units of a
group share a removal, unless there are copies of their text outside of the group.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from likely.core.counts import UNKNOWN, Ragged, starts_of
from likely.core.terms import term_values

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.core.rows import Rows
    from likely.scoring.leave_one_out.kinds import Kinds
    from likely.scoring.leave_one_out.units import Units
    from likely.types import Array, Ids, Mask, Places

AT_ONCE = 1 << 20
"""About the largest number of cells that are processed at a time."""


@dataclass(frozen=True, eq=False)
class Shares(Ragged):
    """The terms of documents: one row per document, one entry per term."""

    ids: Ids
    occurrences: Array
    """How often the term occurs in the document, per entry."""
    values: Array
    """The value of the term in the document, per entry, without its scale."""
    shares: Array
    """What the document added to the count of the term, per entry, if its weight is 1."""

    @classmethod
    def of(cls, rows: Rows, kinds: Kinds, value: str) -> Shares:
        """The terms of documents; terms that are in no kind are left out."""
        known = kinds.of != UNKNOWN
        rows = rows if known[rows.ids].all() else rows.only(known)
        table = Ragged(rows.starts)
        values = term_values(rows.occurrences, value)
        shares = values
        if kinds.counts.analyzer.equal:
            shares = values / table.repeat(np.sqrt(table.sum(values**2)))
        return cls(rows.starts, rows.ids, rows.occurrences.astype(np.float64), values, shares)


@dataclass(frozen=True, eq=False)
class Grouped:
    """What the documents of each group added to the counts, sorted by group, term and class.

    Terms are numbered in alphabetical order, so that sums do not depend on which text was learned first.
    """

    ranks: Places
    """The number of each term, by id."""
    ids: Ids
    """The id of each term, by its number."""

    keys: Places
    """Group, term and class as one number, per cell."""
    counts: Array
    documents: Array
    terms: Places
    """Group and term as one number, per entry of a group."""
    frequencies: Array
    """The weight of the group's documents with the term, per entry of a group."""
    starts: Places
    """Where the terms of each group start, and where those of the last one end."""
    of_classes: Array
    """The weight of the group's documents: one row per group, one column per class."""


class Removals:
    """The removals of the units with one of the first documents, as many as are ``judged``.

    A unit with a group and with copies outside of it has a removal of its own, with all terms of the group. If
    ``most_cells`` is given, those of these units that need more cells together are left aside (``skipped``).
    """

    def __init__(
        self,
        kinds: Kinds,
        rows: Rows,
        units: Units,
        gold: Ids,
        times: Array,
        value: str,
        judged: int,
        most_cells: int | None = None,
    ) -> None:
        self.kinds, self.units = kinds, units
        self.width, self.terms = len(kinds.labels), kinds.counts.native.vocabulary_size
        self.shares = Shares.of(rows, kinds, value)
        self.groups = self._grouped(gold, times)
        has_copies = units.copies.lengths > 0
        alone = (units.group < 0) | has_copies
        pairs = np.where(alone, np.arange(len(units)), -1 - units.group)
        self.skipped = self._skipped(has_copies & (units.group >= 0), most_cells)
        """Whether each unit is left aside."""
        self.wanted = np.flatnonzero((units.first < judged) & ~self.skipped)
        self.pairs, self.of = np.unique(pairs[self.wanted], return_inverse=True)
        """The removals: a unit with copies, or -1 - group; and the removal of each unit that is wanted."""

    def _skipped(self, costly: Mask, most_cells: int | None) -> Mask:
        skipped = np.zeros(len(costly), np.bool_)
        if most_cells is not None and costly.any():
            places = np.flatnonzero(costly)
            places = places[np.argsort(self.units.first[places], kind="stable")]
            skipped[places] = np.cumsum(self._cells_of_groups()[self.units.group[places]]) > most_cells
        return skipped

    def _cells_of_groups(self) -> Places:
        """The number of cells of the terms of each group."""
        ids = self.groups.ids[self.groups.terms % self.terms]
        of_entries = np.concatenate([[0], np.cumsum(self.kinds.cells.lengths[self.kinds.of[ids]])])
        return np.diff(of_entries[self.groups.starts])

    def _grouped(self, gold: Ids, times: Array) -> Grouped:
        units, shares = self.units, self.shares
        starts, at = shares.entries_of(units.members)
        table = Ragged(starts)
        groups = table.repeat(units.member_of)
        classes, weights = table.repeat(gold[units.members]), table.repeat(times[units.members])
        ids = self.kinds.counts.sorted_ids() if len(units.members) else np.zeros(0, np.uint32)
        ranks = np.zeros(self.terms, np.int64)
        ranks[ids] = np.arange(len(ids))
        terms = groups * self.terms + ranks[shares.ids[at]]
        keys, inverse = np.unique(terms * self.width + classes, return_inverse=True)
        entries, of = np.unique(terms, return_inverse=True)
        size = int(units.member_of.max(initial=-1)) + 1
        of_classes = np.bincount(
            units.member_of * self.width + gold[units.members],
            weights=times[units.members],
            minlength=size * self.width,
        )
        return Grouped(
            ranks,
            ids,
            keys,
            np.bincount(inverse, weights=weights * shares.shares[at], minlength=len(keys)).astype(np.float64),
            np.bincount(inverse, weights=weights, minlength=len(keys)).astype(np.float64),
            entries,
            np.bincount(of, weights=weights, minlength=len(entries)).astype(np.float64),
            np.searchsorted(entries, np.arange(size + 1) * self.terms),
            of_classes.reshape(size, self.width).astype(np.float64),
        )

    def batches(self) -> Iterator[Batch]:
        """All removals, in batches of about `AT_ONCE` cells and scores."""
        order = np.argsort(self.of, kind="stable")
        bounds = np.searchsorted(self.of[order], np.arange(len(self.pairs) + 1))
        sizes = self._sizes() + self.width
        first = 0
        ends = np.cumsum(sizes)
        while first < len(self.pairs):
            before = ends[first - 1] if first else 0
            last = max(int(np.searchsorted(ends, before + AT_ONCE, side="right")), first + 1)
            yield Batch(self, first, last, order[bounds[first] : bounds[last]])
            first = last

    def _sizes(self) -> Places:
        """About the number of cells of each removal, with those of its units."""
        lengths = self.kinds.cells.lengths
        of_rows = np.concatenate([[0], np.cumsum(lengths[self.kinds.of[self.shares.ids]])])
        of_documents = np.diff(of_rows[self.shares.starts])
        of_groups = self._cells_of_groups()
        sizes = np.bincount(self.of, weights=of_documents[self.units.first[self.wanted]], minlength=len(self.pairs))
        group = self._groups(slice(0, len(self.pairs)))
        sizes += np.where(group >= 0, of_groups[group] if len(of_groups) else 0, 0)
        return sizes.astype(np.int64)

    def _groups(self, some: slice) -> Places:
        """The group of each removal; -1 if it has none."""
        pairs = self.pairs[some]
        return np.where(pairs < 0, -1 - pairs, self.units.group[np.maximum(pairs, 0)] if len(self.units) else -1)


class Batch:
    """Some removals: one entry per term of a removal, one cell per class in which the term occurs."""

    def __init__(self, removals: Removals, first: int, last: int, wanted: Places) -> None:
        self.all, self.kinds, self.units = removals, removals.kinds, removals.wanted[wanted]
        self.of_units: Places = removals.of[wanted] - first
        """The removal of each unit, by place in this batch."""
        pairs = removals.pairs[first:last]
        self.group = removals._groups(slice(first, last))
        self.unit = np.where(pairs < 0, -1, pairs)
        """The unit whose copies are taken out; -1 if there are none."""
        self.taken = self._documents()
        """The weight of the documents that are taken out: one row per removal, one column per class."""
        self._enter()

    def __len__(self) -> int:
        return len(self.group)

    def _documents(self) -> Array:
        removals = self.all
        found = np.zeros((len(self), removals.width))
        grouped = self.group >= 0
        found[grouped] += removals.groups.of_classes[self.group[grouped]]
        copies = removals.units.copies
        starts, at = copies.entries_of(self.unit[self.unit >= 0])
        owners = np.repeat(np.flatnonzero(self.unit >= 0), np.diff(starts))
        found[owners, copies.classes[at]] += copies.weights[at]
        return found

    def _enter(self) -> None:
        """The terms of the removals, and what is taken out of the documents that have them."""
        removals, shares, groups = self.all, self.all.shares, self.all.groups
        of_text = removals.units.first[np.maximum(self.unit, 0)]
        copied = self.unit >= 0
        only = copied & (self.group < 0)
        lengths = np.where(only, shares.lengths[of_text], 0)
        grouped = self.group >= 0
        lengths[grouped] = np.diff(groups.starts)[self.group[grouped]]
        self.entries = Ragged(starts_of(lengths))
        owner = self.entries.rows
        at = np.arange(self.entries.starts[-1]) - self.entries.repeat(self.entries.starts[:-1])
        in_row, in_group = only[owner], grouped[owner]
        ids = np.zeros(len(owner), np.int64)
        ids[in_row] = shares.ids[shares.starts[of_text[owner[in_row]]] + at[in_row]]
        place = groups.starts[np.maximum(self.group, 0)] if len(groups.starts) > 1 else np.zeros(len(self), np.int64)
        of_group = place[owner] + at
        ids[in_group] = groups.ids[groups.terms[of_group[in_group]] % removals.terms]
        self.ids = ids
        self.frequencies: Array = np.zeros(len(owner))
        """The weight of the documents with the term that are taken out, per entry."""
        self.frequencies[in_group] = groups.frequencies[of_group[in_group]]
        self.shares: Array = np.zeros(len(owner))
        """What a copy added to the count of the term, per entry."""
        at_entry, at_share = self._find(np.flatnonzero(copied), of_text[copied])
        self.shares[at_entry] = shares.shares[at_share]
        self.copied: Mask = np.zeros(len(owner), np.bool_)
        self.copied[at_entry] = True
        copies = self.taken.sum(axis=1)
        copies[grouped] -= groups.of_classes[self.group[grouped]].sum(axis=1)
        self.frequencies[self.copied] += copies[owner[self.copied]]

    def _find(self, removals: Places, documents: Places) -> tuple[Places, Places]:
        """For the terms of documents: the entries of their removals, and their own entries."""
        shares, ranks, terms = self.all.shares, self.all.groups.ranks, self.all.terms
        starts, at = shares.entries_of(documents)
        lengths = np.diff(starts)
        found = np.arange(len(at)) + np.repeat(self.entries.starts[removals] - starts[:-1], lengths)
        grouped = np.repeat(self.group[removals] >= 0, lengths)
        if grouped.any():
            keys = np.repeat(removals, lengths)[grouped] * terms + ranks[shares.ids[at[grouped]]]
            found[grouped] = np.searchsorted(self._sorted, keys)
        return found, at

    @cached_property
    def _sorted(self) -> Places:
        """Removal and term as one number, per entry; those of a removal with a group are sorted."""
        owner = self.entries.rows
        ranks = np.where(self.group[owner] >= 0, self.all.groups.ranks[self.ids], 0)
        return owner * self.all.terms + ranks

    @cached_property
    def of_kinds(self) -> Ids:
        """The kind of each entry's term."""
        return self.kinds.of[self.ids]

    @cached_property
    def cells(self) -> tuple[Ragged, Places]:
        """The cells of each entry: one row per entry; and the places of these cells among those of all kinds."""
        starts, at = self.kinds.cells.entries_of(self.of_kinds)
        return Ragged(starts), at

    @cached_property
    def classes(self) -> Places:
        """The class of each cell."""
        return self.kinds.cells.classes[self.cells[1]].astype(np.intp)

    @cached_property
    def owners(self) -> Places:
        """The removal of each cell."""
        return self.cells[0].repeat(self.entries.rows)

    @cached_property
    def taken_cells(self) -> tuple[Array, Array]:
        """What is taken out of each cell: of the count, and of the documents."""
        table, removals = self.cells[0], self.all
        copies = self.taken - np.where(self.group[:, None] >= 0, self._of_groups(), 0.0)
        weights = copies[self.owners, self.classes]
        counts, documents = weights * table.repeat(self.shares), weights * table.repeat(self.copied)
        group = self.group[self.owners]
        grouped = np.flatnonzero(group >= 0)
        groups = removals.groups
        if len(grouped):
            ranks = groups.ranks[table.repeat(self.ids)[grouped]]
            keys = (group[grouped] * removals.terms + ranks) * removals.width
            keys = keys + self.classes[grouped]
            at = np.minimum(np.searchsorted(groups.keys, keys), len(groups.keys) - 1)
            there = groups.keys[at] == keys
            counts[grouped] += np.where(there, groups.counts[at], 0.0)
            documents[grouped] += np.where(there, groups.documents[at], 0.0)
        return counts, documents

    def _of_groups(self) -> Array:
        groups = self.all.groups.of_classes
        return groups[np.maximum(self.group, 0)] if len(groups) else np.zeros_like(self.taken)

    def of_text(self) -> tuple[Ragged, Places, Array, Array]:
        """The terms of the units: one row per unit; their entries in the removals; their values and occurrences."""
        documents = self.all.units.first[self.units]
        at_entry, at = self._find(self.of_units, documents)
        shares = self.all.shares
        return Ragged(starts_of(shares.lengths[documents])), at_entry, shares.values[at], shares.occurrences[at]

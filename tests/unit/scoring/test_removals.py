"""Which documents are left out together, and what is taken out of the counts with them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from likely import NaiveBayes
from likely.core import removals
from likely.core.counts import rows_of
from likely.core.removals import Kinds, Removals, Removed, Units, group_names, row_numbers, units_of
from likely.errors import ArgumentError

TEXTS = ["a b", "b, A!", "c", "c", "d e", "a b", "f"]
GOLD = np.array([0, 0, 1, 0, 1, 1, 0], np.uint32)
COUNTS = NaiveBayes().fit(TEXTS, GOLD.tolist())._snapshot().counts
ROWS = rows_of(COUNTS, TEXTS)


def found(groups: list[int] | None = None, times: list[float] | None = None, *, apart: bool = True) -> Units:
    weights = np.ones(len(TEXTS)) if times is None else np.array(times)
    return units_of(ROWS, GOLD, weights, None if groups is None else np.array(groups), 2, apart=apart)


def taken(units: Units) -> list[list[float]]:
    """What is taken out with each unit: the weights of documents by class."""
    parts = units.parts
    weights = np.zeros((len(parts), 2))
    np.add.at(weights, (parts.rows, parts.classes), parts.weights)
    found: list[list[float]] = weights[units.removal].tolist()
    return found


def test_copies_are_one_unit_whatever_their_labels() -> None:
    units = found()
    assert units.alone.tolist() == [False, False, False, False, True, False, True]
    assert units.of[0] == units.of[1] == units.of[5]
    assert sorted(taken(units)) == [[1.0, 1.0], [2.0, 1.0]]
    assert not units.costly.any()


def test_a_weight_is_as_many_copies() -> None:
    units = found(times=[1, 1, 1, 1, 2.5, 1, 1])
    assert not units.alone[4]
    assert [0.0, 2.5] in taken(units)


def test_a_group_is_left_out_with_the_copies_outside_of_it() -> None:
    units = found([0, 1, 1, 2, 2, 0, 9])
    assert units.alone.tolist() == [False] * 6 + [True]
    assert units.of.tolist() == [0, 1, 2, 4, 3, 0, -1]
    assert taken(units) == [[2.0, 1.0], [2.0, 2.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0]]
    assert units.costly.tolist() == [False, True, True, False, True]  # the first group has one text only


def test_the_copies_of_a_text_share_a_removal_if_they_have_no_group() -> None:
    units = found([0, 1, 2, 3, 4, 5, 6])
    assert units.alone.tolist() == [False] * 4 + [True, False, True]
    assert len(units) == 5
    assert len(units.parts) == 2
    assert units.removal[units.of[0]] == units.removal[units.of[1]] == units.removal[units.of[5]]


def test_documents_can_all_be_taken_as_units() -> None:
    units = found(apart=False)
    assert not units.alone.any()
    assert len(units) == 4


def test_the_order_of_the_terms_does_not_matter_but_their_number_does() -> None:
    rows = rows_of(COUNTS, ["a b", "b a", "a b b", "", "a"])
    numbers = row_numbers(rows).tolist()
    assert numbers[0] == numbers[1]
    assert len(set(numbers)) == 4


def test_groups_are_compared_as_text() -> None:
    assert group_names(np.array([[7], [8]]), 2) == group_names(pa.array(["7", "8"]), 2) == ["7", "8"]
    assert group_names(None, 2) is None
    with pytest.raises(ArgumentError, match="3 groups for 2 texts"):
        group_names([1, 2, 3], 2)


SOME = ["a b b", "b a b", "c a", "d", "c d"]
CLASSES = np.array([0, 1, 1, 0, 1], np.uint32)
TIMES = np.array([1.0, 2.0, 1.0, 1.0, 0.5])
COUNTED = NaiveBayes().fit(SOME, CLASSES.tolist(), TIMES)._snapshot().counts


def made(groups: list[int] | None, judged: int = 5) -> Removals:
    rows = rows_of(COUNTED, SOME)
    units = units_of(rows, CLASSES, TIMES, None if groups is None else np.array(groups), 2)
    return Removals(Kinds(COUNTED, None, rows), rows, units, "count", judged, None)


def content(batch: Removed, removal: int, removals: Removals) -> dict[tuple[str, int], tuple[float, float]]:
    """By term and class: what is taken out of the count and of the documents."""
    terms = COUNTED.native.spell(COUNTED.sorted_ids())
    of_kinds = {
        int(removals.kinds.of[number]): term
        for number, term in zip(COUNTED.sorted_ids().tolist(), terms, strict=True)
    }
    found = {
        (of_kinds[int(batch.kinds[row])], int(batch.classes[at])): (
            float(batch.taken_counts[at]),
            float(batch.taken_documents[at]),
        )
        for at, row in enumerate(batch.cells.rows.tolist())
        if batch.owner[row] == removal
    }
    return {key: value for key, value in found.items() if value != (0.0, 0.0)}


def removal_of(batch: Removed, removals: Removals, document: int) -> int:
    return int(batch.of[batch.units.tolist().index(int(removals.units.of[document]))])


def test_copies_take_out_what_they_added() -> None:
    every = made(None)
    (batch,) = every.batches()
    place = removal_of(batch, every, 0)
    assert content(batch, place, every) == {("a", 0): (1, 1), ("b", 0): (2, 1), ("a", 1): (2, 2), ("b", 1): (4, 2)}
    assert batch.taken[place].tolist() == [1.0, 2.0]


def test_the_units_of_a_group_share_a_removal_unless_a_copy_is_outside() -> None:
    every = made([7, 8, 7, 9, 9])
    (batch,) = every.batches()
    assert len(batch.taken) == 4  # group 8 has one text; the copies of "a b b" differ between the units of group 7
    first, second = (removal_of(batch, every, document) for document in (0, 2))
    assert content(batch, second, every) == {("a", 0): (1, 1), ("b", 0): (2, 1), ("a", 1): (1, 1), ("c", 1): (1, 1)}
    assert content(batch, first, every)["a", 1] == (3, 3)
    assert batch.taken[first].tolist() == [1.0, 3.0]
    assert batch.taken[second].tolist() == [1.0, 1.0]


def test_only_what_is_judged_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(removals, "AT_ONCE", 1)
    assert len(list(made([7, 8, 7, 9, 9]).batches())) == 4
    assert len(list(made([7, 8, 7, 9, 9], judged=1).batches())) == 1

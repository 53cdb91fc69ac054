"""Which documents are left out together."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from likely import NaiveBayes
from likely.core.rows import rows_of
from likely.errors import LengthError
from likely.scoring.leave_one_out.units import Units, group_names, row_numbers, units_of

TEXTS = ["a b", "b, A!", "c", "c", "d e", "a b", "f"]
GOLD = np.array([0, 0, 1, 0, 1, 1, 0], np.uint32)
COUNTS = NaiveBayes().fit(TEXTS, GOLD.tolist())._snapshot().counts
ROWS = rows_of(COUNTS, TEXTS)


def found(groups: list[int] | None = None, times: list[float] | None = None, *, apart: bool = True) -> Units:
    weights = np.ones(len(TEXTS)) if times is None else np.array(times)
    return units_of(ROWS, GOLD, weights, None if groups is None else np.array(groups), 2, apart=apart)


def taken(units: Units) -> list[list[float]]:
    found: list[list[float]] = units.copies.dense(slice(0, len(units)), 2).tolist()
    return found


def test_copies_are_one_unit_whatever_their_labels() -> None:
    units = found()
    assert units.alone.tolist() == [False, False, False, False, True, False, True]
    assert units.of[0] == units.of[1] == units.of[5]
    assert sorted(taken(units)) == [[1.0, 1.0], [2.0, 1.0]]
    assert (units.group == -1).all()


def test_a_weight_is_as_many_copies() -> None:
    units = found(times=[1, 1, 1, 1, 2.5, 1, 1])
    assert not units.alone[4]
    assert [0.0, 2.5] in taken(units)


def test_a_group_is_left_out_with_the_copies_outside_of_it() -> None:
    units = found([0, 1, 1, 2, 2, 0, 9])
    assert units.alone.tolist() == [False] * 6 + [True]
    assert units.of.tolist() == [0, 1, 2, 4, 3, 0, -1]
    assert units.group.tolist() == [-1, 0, 0, 1, 1]  # the first group has one text only
    assert taken(units) == [[2.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0], [0.0, 1.0]]
    assert (units.members.tolist(), units.member_of.tolist()) == ([1, 2, 3, 4], [0, 0, 1, 1])


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
    with pytest.raises(LengthError, match="3 groups for 2 texts"):
        group_names([1, 2, 3], 2)

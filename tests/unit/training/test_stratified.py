"""Whole groups are held out, about a share of every class, and no class is lost."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.training.sample import GroupCells, held_groups

rows = st.lists(st.tuples(st.integers(0, 12), st.integers(0, 4)), min_size=1, max_size=60)
"""The group and the class of each row."""


def held_rows(groups: list[int], classes: list[int], share: float) -> list[bool]:
    _, numbers = np.unique(groups, return_inverse=True)
    _, codes = np.unique(classes, return_inverse=True)
    return [bool(each) for each in held_groups(GroupCells.of(numbers, codes), share)[numbers]]


@given(rows, st.floats(0.01, 0.99))
def test_every_class_is_learned_and_groups_stay_whole(pairs: list[tuple[int, int]], share: float) -> None:
    groups, classes = map(list, zip(*pairs, strict=True))
    held = held_rows(groups, classes, share)
    assert {label for label, out in zip(classes, held, strict=True) if not out} == set(classes)
    assert len({(group, out) for group, out in zip(groups, held, strict=True)}) == len(set(groups))


@given(rows, st.floats(0.01, 0.99))
def test_a_class_that_can_be_divided_is_on_both_sides(pairs: list[tuple[int, int]], share: float) -> None:
    # Each group has one class, as texts without contradicting labels have.
    groups, classes = zip(*((group * 5 + label, label) for group, label in pairs), strict=True)
    held = held_rows(list(groups), list(classes), share)
    for label in set(classes):
        sides = {out for out, each in zip(held, classes, strict=True) if each == label}
        several = len({group for group, each in zip(groups, classes, strict=True) if each == label}) > 1
        assert sides == ({True, False} if several else {False})


@given(rows, st.floats(0.01, 0.99), st.randoms())
def test_the_order_of_the_rows_makes_no_difference(
    pairs: list[tuple[int, int]], share: float, random: object
) -> None:
    def held(some: list[tuple[int, int]]) -> set[int]:
        groups, classes = map(list, zip(*some, strict=True))
        return {group for group, out in zip(groups, held_rows(groups, classes, share), strict=True) if out}

    shuffled = list(pairs)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert held(pairs) == held(shuffled)


@pytest.mark.parametrize("share", [0.1, 0.2, 0.5, 0.9])
def test_the_share_of_every_class_is_about_as_large_as_asked(share: float) -> None:
    classes = [at % 10 and 1 for at in range(10_000)]
    held = np.array(held_rows(list(range(10_000)), classes, share))
    for label in (0, 1):
        assert held[np.array(classes) == label].mean() == pytest.approx(share, abs=0.001)


def test_a_large_group_is_not_taken_for_a_small_share() -> None:
    groups = [0] * 90 + [1] * 5 + [2] * 5
    held = held_rows(groups, [0] * 100, 0.05)
    assert [held[0], held[90], held[95]] == [False, True, False]


def test_a_rare_class_inside_the_groups_of_others_is_tested() -> None:
    # Class 1 has one row in each of two groups, whose other rows are of class 0.
    groups = [group for group in range(20) for _ in range(5)]
    classes = [1 if at in (42, 62) else 0 for at in range(100)]
    held = held_rows(groups, classes, 0.1)
    assert {held[42], held[62]} == {True, False}


def test_a_triangle_of_classes_cannot_be_divided_but_none_is_lost() -> None:
    groups, classes = [0, 0, 1, 1, 2, 2], [0, 2, 0, 1, 1, 2]
    held = held_rows(groups, classes, 0.4)
    assert {label for label, out in zip(classes, held, strict=True) if not out} == {0, 1, 2}

"""What is certain about numbers between bounds is what all numbers between them have in common."""

from __future__ import annotations

import operator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.batch.where import COMPARED, Bounds, Certain, all_of, any_of

NUMBERS = st.integers(0, 4)
TRUTHS = {True: Certain(np.array([True]), np.array([False])), False: Certain(np.array([False]), np.array([True]))}
COMPARISONS = {
    "<=": operator.le,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    ">": operator.gt,
}
OPEN = Certain(np.array([False]), np.array([False]))


def meaning(certain: Certain) -> bool | None:
    assert not (certain.yes & certain.no).any()
    return None if certain.is_open()[0] else bool(certain.yes[0])


def test_every_sign_of_an_expression_is_here() -> None:
    assert sorted(COMPARED) == sorted(COMPARISONS)


@pytest.mark.parametrize("sign", COMPARISONS)
@given(st.tuples(NUMBERS, NUMBERS).map(sorted), st.tuples(NUMBERS, NUMBERS).map(sorted))
def test_a_comparison_is_certain_if_it_holds_for_all_numbers_or_for_none(
    sign: str, left: list[int], right: list[int]
) -> None:
    found = COMPARED[sign](
        Bounds(np.array([left[0]], float), np.array([left[1]], float)), Bounds(float(right[0]), float(right[1]))
    )
    every = {
        bool(COMPARISONS[sign](float(one), float(other)))
        for one in range(left[0], left[1] + 1)
        for other in range(right[0], right[1] + 1)
    }
    assert meaning(found) == (every.pop() if len(every) == 1 else None)


@pytest.mark.parametrize("one", [True, False, None])
@pytest.mark.parametrize("other", [True, False, None])
def test_parts_are_joined_as_in_the_logic_of_kleene(one: bool | None, other: bool | None) -> None:
    parts = [OPEN if each is None else TRUTHS[each] for each in (one, other)]
    both = False if False in (one, other) else None if None in (one, other) else True
    either = True if True in (one, other) else None if None in (one, other) else False
    assert meaning(all_of(*parts)) is both
    assert meaning(any_of(*parts)) is either
    assert meaning(parts[0].opposite()) is (None if one is None else not one)

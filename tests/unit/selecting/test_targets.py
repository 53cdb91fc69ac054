"""Targets and their shares."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.batch.select import numbers_of, targets_of
from likely.errors import OptionError


@given(number=st.integers(1, 1000), shares=st.lists(st.integers(1, 100), min_size=1, max_size=6))
def test_numbers_sum_up_and_are_less_than_one_from_the_shares(number: int, shares: list[int]) -> None:
    total = sum(shares)
    numbers = numbers_of(number, [share / total for share in shares])
    assert sum(numbers) == number
    assert all(abs(each - number * share / total) < 1 for each, share in zip(numbers, shares, strict=True))


def test_several_files_without_shares_are_one_target() -> None:
    (target,) = targets_of(["a.jsonl", "b.jsonl"])
    assert (target.name, target.share) == ("a.jsonl, b.jsonl", 1.0)
    assert targets_of([{"text": "a"}])[0].name == "a frame"


@pytest.mark.parametrize("share", [0, -1, "much", True, float("nan"), float("inf")])
def test_a_share_is_a_number_above_zero(share: float) -> None:
    with pytest.raises(OptionError, match=r"the share of the target a\.jsonl must be a number > 0"):
        targets_of({"a.jsonl": share})


def test_there_must_be_a_target() -> None:
    with pytest.raises(OptionError, match="there is no target"):
        targets_of({})

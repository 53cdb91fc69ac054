"""How the caller wants the options of a model to be chosen."""

from __future__ import annotations

from typing import Any

import pytest
from likely.errors import OptionError
from likely.training.wish import Wish
from likely.tuning import Budget


@pytest.mark.parametrize(
    ("wish", "options", "tunes"),
    [
        ({}, {}, True),
        ({}, {"threads": 2, "calibrate": False}, True),
        ({}, {"alpha": 0.5}, False),
        ({}, {"task": "spam"}, False),
        ({"strongest": True}, {"alpha": 0.5}, True),
        ({"tune_for": "accuracy"}, {"alpha": 0.5}, True),
        ({"budget": 3}, {"alpha": 0.5}, True),
        ({"plain": True}, {}, False),
    ],
    ids=str,
)
def test_options_are_chosen_if_none_is_given_or_if_asked(
    wish: dict[str, Any], options: dict[str, Any], tunes: bool
) -> None:
    Wish(**wish).check(options)
    assert Wish(**wish).tunes(options) == tunes


@pytest.mark.parametrize(
    ("wish", "options", "message"),
    [
        ({"plain": True}, {"alpha": 0.5}, "alpha contradicts it"),
        ({"plain": True, "strongest": True}, {}, "choosing options contradicts it"),
        ({"plain": True, "budget": "10s"}, {}, "choosing options contradicts it"),
        ({"plain": 1}, {}, "plain=1 is not allowed"),
        ({"tune_for": "recall"}, {}, "tune_for='recall' is not allowed"),
        ({"budget": -1}, {}, "budget=-1 is not allowed"),
    ],
    ids=str,
)
def test_contradictions_are_refused(wish: dict[str, Any], options: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        Wish(**wish).check(options)


def test_plain_may_say_what_changes_nothing_that_is_learned() -> None:
    Wish(plain=True).check({"threads": 2})


def test_the_time_is_the_budget_given() -> None:
    assert Wish().time == Budget()
    assert Wish().time.seconds == 10
    assert Wish(budget="2m").time.seconds == 120

"""Which attempts are repeated, and when."""

from __future__ import annotations

import random

import pytest
from likely.client import Retries


def test_waits_grow_and_are_drawn_at_random() -> None:
    retries = Retries(first=0.1, longest=3.0, random=random.Random(5))
    for attempt in range(1, 12):
        waits = [retries.wait(attempt) for _ in range(300)]
        bound = min(3.0, 0.1 * 2 ** (attempt - 1))
        assert 0 <= min(waits) < 0.1 * bound
        assert 0.9 * bound < max(waits) <= bound


def test_a_patient_client_may_try_for_ever() -> None:
    retries = Retries(attempts=10**9, first=0.1, longest=3.0)
    assert 0 <= retries.wait(10**6) <= 3.0


def test_the_same_chance_gives_the_same_waits() -> None:
    one, other = (Retries(random=random.Random(7)) for _ in "12")
    assert [one.wait(attempt) for attempt in range(1, 6)] == [other.wait(attempt) for attempt in range(1, 6)]


@pytest.mark.parametrize(("told", "waits"), [("3", 3.0), ("0", 0.0), ("99999", 10.0)])
def test_a_server_says_when_to_come_back(told: str, waits: float) -> None:
    assert Retries().wait(1, told) == waits


@pytest.mark.parametrize("told", ["", "soon", "-1", "1e9", "Wed, 21 Oct 2015 07:28:00 GMT", "9" * 100])
def test_what_is_not_a_number_of_seconds_is_ignored(told: str) -> None:
    assert Retries(first=0.0).wait(1, told) == 0.0


def test_only_passing_problems_are_worth_another_attempt() -> None:
    retries = Retries(attempts=3)
    assert [retries.is_worth(attempt, None) for attempt in (1, 2, 3)] == [True, True, False]
    worth = [status for status in range(200, 600) if retries.is_worth(1, status)]
    assert worth == [408, 429, 502, 503, 504, 507]

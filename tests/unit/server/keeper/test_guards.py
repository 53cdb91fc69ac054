"""Limits on what may be learned, at the limit and beyond it."""

from __future__ import annotations

import pytest
from likely.errors import GuardError
from likely.server.keeper import Guards
from likely.server.keeper.rates import OwnRates


def test_labels_have_a_length() -> None:
    guards = Guards(label_bytes=4)
    for label in ("éé", "abcd", 1234, True):
        guards.check_label(label)
    for label in ("ééx", 12345, "", "x" * 10_000 + "\x1b[31m"):
        with pytest.raises(GuardError) as error:
            guards.check_label(label)
        assert len(str(error.value)) < 120
        assert "\x1b" not in str(error.value)


def test_sources_and_keys_have_a_length() -> None:
    guards = Guards(name_bytes=4)
    for name in (None, "", "éé"):
        guards.check_name(name, "source")
    with pytest.raises(GuardError, match="the source has 5 bytes, and at most 4 are allowed"):
        guards.check_name("ééx", "source")


def test_there_are_at_most_so_many_classes() -> None:
    guards = Guards(classes=2)
    guards.check_class("b", {"a"})
    guards.check_class("b", {"a", "b"})
    with pytest.raises(GuardError, match="'c' would be a new class, and there are 2"):
        guards.check_class("c", {"a", "b"})


def test_a_bucket_fills_with_time_but_not_beyond_its_size() -> None:
    now = [0.0]
    guards = Guards(rate=2.0, burst=10, rates=OwnRates(lambda: now[0]))
    guards.take("ann", 10)
    with pytest.raises(GuardError, match=r"2 per second and 10 at once.*in 0.5 seconds"):
        guards.take("ann", 1)
    now[0] = 1.0
    guards.take("ann", 2)
    now[0] = 1_000.0
    with pytest.raises(GuardError):
        guards.take("ann", 11)
    guards.take("ann", 10)
    guards.take(None, 10)
    Guards().take("ann", 10**9)

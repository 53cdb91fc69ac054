"""Corrections: limits at the limit and beyond it, which rows are written, and idempotency keys."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely.errors import GuardError, KeyReuseError
from likely.server.corrections import once
from likely.server.keeper import Correction, Guards
from likely.server.messages import Outcome
from likely.server.store.sqlite import SqliteStore

from .conftest import Open  # noqa: TC001


def rows(opened: Open) -> list[tuple[object, ...]]:
    return [(each.seq, each.kind, each.label, each.of, each.undoes) for each in reversed(opened().history())]


def test_a_move_is_a_forget_and_a_learn(opened: Open) -> None:
    opened().learn([Correction("zap", "-"), Correction("zap", "+")])
    assert rows(opened) == [
        (1, "learn", "-", None, None),
        (2, "forget", "-", 1, None),
        (3, "learn", "+", 2, None),
    ]


def test_undoing_a_move_is_a_move_back_whichever_half_is_named(opened: Open) -> None:
    keeper = opened()
    keeper.learn([Correction("zap", "-"), Correction("zap", "+"), Correction("zip", "-"), Correction("zip", "+")])
    keeper.undo(3)
    keeper.undo(5)  # the first half of the second move
    assert rows(opened)[6:] == [
        (7, "forget", "+", 3, 3),
        (8, "learn", "-", 7, 3),
        (9, "forget", "+", 6, 6),
        (10, "learn", "-", 9, 6),
    ]


def test_rows_of_one_transaction_have_one_time_and_the_key(opened: Open) -> None:
    keeper = opened()
    keeper.learn([Correction("zap", "-"), Correction("zap", "+", key="k")])
    first, second, third = reversed(keeper.history())
    assert first.time == second.time == third.time
    assert first.time.endswith("+00:00")
    assert [each.key for each in (first, second, third)] == [None, "k", "k"]


def test_a_moved_text_belongs_to_the_source_that_moved_it(opened: Open) -> None:
    keeper = opened()
    keeper.learn([Correction("zap", "-", source="ann"), Correction("zap", "+", source="bob")])
    assert [each.before for each in keeper.forget(source="bob")] == ["+"]


def test_a_request_with_a_key_is_done_once(tmp_path: Path) -> None:
    store, done = SqliteStore(tmp_path / "a.store"), []

    def do() -> list[Outcome]:
        done.append(1)
        return [Outcome(len(done), "learned", "digest", True, None)]

    with store.writing() as ledger:
        assert once(ledger, "k", ["learn", "é"], do) == once(ledger, "k", ["learn", "é"], do)
        assert len(done) == 1
        once(ledger, None, ["learn", "é"], do)
        once(ledger, "another", ["learn", "é"], do)
        assert len(done) == 3
        with pytest.raises(KeyReuseError, match="came with another request"):
            once(ledger, "k", ["learn", "e"], do)
    store.close()


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

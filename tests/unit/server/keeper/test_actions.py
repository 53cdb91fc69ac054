"""Which rows are written: what a row says is what was done."""

from __future__ import annotations

from likely.server.keeper import Correction

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

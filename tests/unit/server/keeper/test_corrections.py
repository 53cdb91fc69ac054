"""Corrections: limits at the limit and beyond it, which rows are written, and idempotency keys."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest
from likely.errors import GuardError, KeyReuseError, NotLearnedError
from likely.server.corrections import Actions, once
from likely.server.keeper import Correction, Guards, Keeper
from likely.server.messages import Outcome
from likely.server.store.ledger import Entry  # noqa: TC002
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


def test_a_move_by_nobody_and_an_undone_move_keep_the_source(opened: Open) -> None:
    keeper = opened()
    keeper.learn([Correction("zap", "-", source="ann"), Correction("zip", "-", source="ann")])
    keeper.learn([Correction("zap", "+"), Correction("zip", "+", source="bob")])
    keeper.undo()
    assert sorted(str(each.before) for each in keeper.forget(source="ann")) == ["+", "-"]
    assert keeper.forget(source="bob") == []


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
        with pytest.raises(KeyReuseError, match="already used for a different request"):
            once(ledger, "k", ["learn", "e"], do)
    store.close()


def test_new_classes_are_made_only_if_that_is_allowed(opened: Open) -> None:
    guards = Guards(new_classes=False)
    with pytest.raises(GuardError, match=r"no class 'offensve' \(did you mean 'offensive'\?\).*--allow-new-classes"):
        guards.check_class("offensve", {"offensive", "friendly"})
    with pytest.raises(GuardError, match=r"there is no class '7': --allow"):
        guards.check_class(7, {1, 2})
    keeper = opened(guards=guards)
    assert not keeper.status.new_classes
    with pytest.raises(GuardError):
        keeper.learn([Correction("zap", "-"), Correction("zip", "*")])
    assert keeper.model.classes_.tolist() == ["+", "-"]
    assert rows(opened) == []


def test_a_key_belongs_to_the_whole_request(opened: Open) -> None:
    keeper, asked = opened(), [Correction("zap", "-"), Correction("zip", "+")]
    found = keeper.learn(asked, key="k")
    assert keeper.learn(asked, key="k") == found
    for other in (
        asked[:1],
        [*asked, Correction("zop", "+")],
        asked[::-1],
        [asked[0], Correction("zip", "+", "ann")],
    ):
        with pytest.raises(KeyReuseError):
            keeper.learn(other, key="k")
    assert len(rows(opened)) == 2


def test_the_error_of_one_request_is_not_that_of_others(opened: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    learn = Actions.learn

    def fail(self: Actions, draft: Entry, *more: Any) -> Outcome:
        found = learn(self, draft, *more)
        if draft.label == "-":
            raise RecursionError
        return found

    monkeypatch.setattr(Actions, "learn", fail)
    keeper, errors = opened(), list[BaseException | None]()
    requests = [[Correction("zip", "+")], [Correction("zap", "+"), Correction("zop", "-")], [Correction("zup", "+")]]
    threads = [threading.Thread(target=lambda each=each: errors.append(error_of(keeper, each))) for each in requests]
    with keeper._group.turn:  # so that they are one group
        for thread in threads:
            thread.start()
        while len(keeper._group._waiting) < len(threads):
            time.sleep(0.001)
    for thread in threads:
        thread.join()
    assert sorted(type(each).__name__ for each in errors) == ["NoneType", "NoneType", "RecursionError"]
    assert [label for _, _, label, *_ in rows(opened)] == ["+", "+"]


def error_of(keeper: Keeper, asked: list[Correction]) -> BaseException | None:
    try:
        keeper.learn(asked)
    except BaseException as error:
        return error
    return None


def test_a_chain_of_moves_and_undos_has_any_length(opened: Open) -> None:
    keeper = opened()
    keeper.learn([Correction("zap", "+")])
    for _ in range(400):
        keeper.undo(keeper.learn([Correction("zap", "-")])[0].seq)
    assert keeper.undo(1).label is None
    with pytest.raises(NotLearnedError):
        keeper.undo(1)


def test_there_are_at_most_so_many_classes() -> None:
    guards = Guards(classes=2)
    guards.check_class("b", {"a"})
    guards.check_class("b", {"a", "b"})
    with pytest.raises(GuardError, match="'c' would be a new class, but the limit of 2 classes"):
        guards.check_class("c", {"a", "b"})

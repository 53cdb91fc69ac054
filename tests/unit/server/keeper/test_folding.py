"""Folds in the background: when they are due, one at a time, and not for most of the time."""

from __future__ import annotations

import threading
from pathlib import Path

from likely.errors import StoreFullError
from likely.server.keeper import Correction
from likely.server.keeper.folding import DUE, Folding

from .conftest import Open  # noqa: TC001


def test_folds_are_due_one_at_a_time_and_take_a_tenth_of_the_time() -> None:
    now, gate, folds = [0.0], threading.Event(), []

    def fold() -> None:
        gate.wait(10)
        now[0] += 2.0
        folds.append(now[0])

    folding = Folding(fold, lambda: now[0])
    assert not folding.consider(DUE - 1)
    assert folding.consider(DUE)
    assert not folding.consider(DUE), "one is running"
    gate.set()
    folding.finish()
    now[0] = 21.9
    assert not folding.consider(DUE), "it took 2 seconds, so the next 20 are free"
    now[0] = 22.0
    assert folding.consider(DUE)
    folding.finish()
    assert len(folds) == 2


def test_a_fold_that_fails_is_tried_again() -> None:
    tries = []

    def fold() -> None:
        tries.append(1)
        raise StoreFullError("no room")

    folding = Folding(fold)
    for _ in range(2):
        assert folding.consider(DUE)
        folding.finish()
        folding._not_before = 0.0
    assert len(tries) == 2


def test_a_keeper_folds_by_itself(opened: Open, tmp_path: Path) -> None:
    keeper = opened()
    keeper.learn([Correction(f"text {at}", "+") for at in range(DUE)])
    keeper._folding.finish()
    assert keeper.status.folded == DUE
    assert (tmp_path / f"a.store-{DUE}.likely").exists()
    keeper.close()
    again = opened()
    assert (again.status.folded, again.status.seq) == (DUE, DUE)

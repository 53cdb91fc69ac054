"""Transactions, folds and warming: who waits for whom, and whose failure is whose."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes, load
from likely.errors import ArgumentError, StoreError, StoreFullError
from likely.sample import load_sample
from likely.server import keeper as module
from likely.server import replay
from likely.server.keeper import DUE, Correction, Folding, GroupCommit, Keeper, RateLimit

from .conftest import Open  # noqa: TC001


def test_what_waits_is_done_together() -> None:
    sizes, gate = [], threading.Event()

    def commit(parts: Sequence[Callable[[str], object]]) -> list[object]:
        gate.wait(10)
        sizes.append(len(parts))
        return [part("work") for part in parts]

    group: GroupCommit[str] = GroupCommit(commit)
    results: list[str] = []
    threads = [threading.Thread(target=lambda: results.append(group.do(lambda work: work * 2))) for _ in range(9)]
    for thread in threads:
        thread.start()
    gate.set()
    for thread in threads:
        thread.join()
    assert results == ["workwork"] * 9
    assert sum(sizes) == 9


def test_a_refused_part_has_its_own_error() -> None:
    group: GroupCommit[int] = GroupCommit(lambda parts: [ArgumentError("this part is refused") for _ in parts])
    with pytest.raises(ArgumentError, match="this part is refused"):
        group.do(lambda work: work)


@pytest.mark.parametrize(
    ("error", "kind", "says"),
    [
        (StoreFullError("no room"), StoreFullError, "no room"),
        (KeyError("bug"), StoreError, "was not written: K"),
    ],
)
def test_nobody_is_told_of_a_success_that_was_not_committed(
    error: Exception, kind: type[Exception], says: str
) -> None:
    def commit(parts: Sequence[Callable[[int], object]]) -> list[object]:
        for part in parts:
            part(1)
        raise error

    with pytest.raises(kind, match=says):
        GroupCommit(commit).do(lambda work: work)


def test_an_interrupt_reaches_the_thread_that_it_hit() -> None:
    def commit(parts: Sequence[Callable[[int], object]]) -> list[object]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        GroupCommit(commit).do(lambda work: work)


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


TEXTS, LABELS = load_sample()


def test_writers_wait_until_the_model_is_warm_and_a_failure_stops_nobody(
    large: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = threading.Event()
    rebuild = replay.rebuild

    def slow(*arguments: Any) -> object:
        if threading.current_thread() is not threading.main_thread():
            may_end.wait()
            raise StoreError("the disk has failed")
        return rebuild(*arguments)

    monkeypatch.setattr(module, "rebuild", slow)
    with Keeper.open(large, tmp_path / "store") as keeper:
        assert not keeper._group.turn.acquire(blocking=False)
        may_end.set()
        assert keeper.learn([Correction("a dull film", "negative")])[0].what == "learned"


def test_a_bucket_fills_with_time_but_not_beyond_its_size() -> None:
    now = [0.0]
    limit = RateLimit(2.0, 10, lambda: now[0])
    assert limit.take("ann", 10) == 0
    assert limit.take("ann", 1) == 0.5
    assert limit.take("bob", 1) == 0
    now[0] = 1.0
    assert limit.take("ann", 2) == 0
    now[0] = 1_000.0
    assert limit.take("ann", 11) > 0
    assert limit.take("ann", 10) == 0


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """A model file in two parts: most terms are not kept, and scoring does not need them."""
    path = tmp_path / "large.likely"
    NaiveBayes(min_documents=3).fit(TEXTS, LABELS).save(path)
    assert load(path)._state.has_rest
    return path


def test_a_keeper_reads_the_rest_in_the_background(large: Path, tmp_path: Path) -> None:
    expected = load(large).predict_proba(TEXTS[:20])
    with Keeper.open(large, tmp_path / "store") as keeper:
        assert np.array_equal(keeper.model.predict_proba(TEXTS[:20]), expected)
        with keeper._group.turn:
            assert not keeper.model._state.has_rest
        assert np.array_equal(keeper.model.predict_proba(TEXTS[:20]), expected)
        keeper.learn([Correction("a dull dull film", "negative")])
        learned = keeper.model.predict_proba(TEXTS[:20])
        assert not np.array_equal(learned, expected)
    with Keeper.open(large, tmp_path / "store") as again:
        assert np.array_equal(again.model.predict_proba(TEXTS[:20]), learned)


def test_without_a_store_the_rest_is_never_read(large: Path) -> None:
    with Keeper.open(large, None) as keeper:
        assert keeper.model._state.has_rest
        assert not keeper.status.can_learn

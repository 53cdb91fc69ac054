"""Transactions, folds and warming: who waits for whom, and whose failure is whose."""

from __future__ import annotations

import asyncio
import io
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from likely import NaiveBayes, load
from likely.errors import ArgumentError, StoreError, StoreFullError
from likely.sample import load_sample
from likely.server import keeper as module
from likely.server import replay, running
from likely.server.keeper import Correction, GroupCommit, Keeper, RateLimit
from likely.server.running import DUE, FOLD
from likely.server.service import Log, Service

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
        (KeyError("bug"), KeyError, "bug"),
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


@pytest.fixture
def folded_at(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Time passes as fast as it is waited for, a fold takes two seconds, and their ends are the fixture."""
    now, times = [0.0], list[float]()

    async def sleep(seconds: float) -> None:
        now[0] += seconds
        await real_sleep(0)

    def fold(keeper: Keeper, least: int) -> None:
        now[0] += 2.0
        times.append(now[0])
        real_fold(keeper, least)

    real_sleep, real_fold = asyncio.sleep, Keeper.fold_if_due
    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(asyncio.SelectorEventLoop, "time", lambda _: now[0])
    monkeypatch.setattr(Keeper, "fold_if_due", fold)
    return times


async def served_until(keeper: Keeper, done: Callable[[], bool]) -> Service:
    """Let a server fold until something is the case."""
    service = Service(keeper, "reviews", "1.0", log=Log(io.StringIO()))
    task = asyncio.create_task(running._fold(service))
    while not done():
        await asyncio.sleep(0)
    task.cancel()
    return service


def test_many_corrections_are_folded_soon_and_few_after_a_while(
    opened: Open, tmp_path: Path, folded_at: list[float]
) -> None:
    keeper = opened()
    keeper.learn([Correction(f"text {at}", "+") for at in range(DUE)])
    asyncio.run(served_until(keeper, lambda: keeper.status.folded_seq == DUE))
    assert folded_at[0] < 10
    assert (tmp_path / f"a.store-{DUE}.likely").exists()
    keeper.learn([Correction("one more", "+")])
    begun = folded_at[0]
    asyncio.run(served_until(keeper, lambda: keeper.status.folded_seq == DUE + 1))
    assert folded_at[1] > begun + FOLD
    keeper.close()
    again = opened()
    assert (again.status.folded_seq, again.status.seq) == (DUE + 1, DUE + 1)


def test_a_fold_that_fails_is_told_and_tried_again_and_takes_a_tenth_of_the_time(
    opened: Open, folded_at: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    keeper, fold, tries = opened(), Keeper.fold, list[int]()

    def full(self: Keeper) -> Path | None:
        tries.append(1)
        if len(tries) == 1:
            raise StoreFullError("no room")
        return fold(self)

    monkeypatch.setattr(Keeper, "fold", full)
    keeper.learn([Correction(f"text {at}", "+") for at in range(DUE)])
    service = asyncio.run(served_until(keeper, lambda: keeper.status.folded_seq == DUE))
    assert '"event": "store", "id": "fold", "why": "no room"' in cast("io.StringIO", service.log._stream).getvalue()
    keeper.learn([Correction(f"text {at}", "-") for at in range(DUE)])
    asyncio.run(served_until(keeper, lambda: keeper.status.folded_seq == 3 * DUE))
    assert len(tries) == 3
    assert folded_at[1] >= folded_at[0] + 20


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

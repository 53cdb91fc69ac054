"""Replicas on PostgreSQL: one is killed, the database is restarted, and all have the same model to the last bit."""

from __future__ import annotations

import contextlib
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from likely.core.file import to_bytes
from likely.errors import StoreError
from likely.server.keeper import Correction, Keeper

from .amounts import PATIENCE, REPLICA_KILLS
from .killing import check_equal, kill, program, start


@pytest.mark.timeout(PATIENCE)
def test_what_replicas_acknowledge_survives_kills_and_restarts(
    base: Path, postgresql: str, postgres_server: Any
) -> None:
    threads, kills = (dict.fromkeys("abcd", 0), dict.fromkeys("wxyz", 0)), REPLICA_KILLS // 5
    with ExitStack() as stack:
        programs = [stack.enter_context(program()) for _ in threads]
        watcher = stack.enter_context(Keeper.open(base, postgresql))
        children = [start(process, base, postgresql, mine) for process, mine in zip(programs, threads, strict=True)]
        for at in range(kills):
            if at % 10 == 5:
                postgres_server.stop("immediate")
                postgres_server.start()
            one = at % 2  # the other one goes on
            kill(programs[one], children[one], threads[one])
            children[one] = start(programs[one], base, postgresql, threads[one])
        for process, child, mine in zip(programs, children, threads, strict=True):
            kill(process, child, mine)
        with Keeper.open(base, postgresql) as fresh:
            catch_up(watcher, fresh.status.seq)
            assert to_bytes(fresh.model._snapshot()) == to_bytes(watcher.model._snapshot())
    assert sum(threads[0].values()) + sum(threads[1].values()) > kills
    check_equal(base, postgresql, threads[0] | threads[1])


def catch_up(keeper: Keeper, last: int) -> None:
    """Take over everything, also if the database was restarted since, and a connection must be made anew."""
    until = time.monotonic() + 20
    while keeper.status.seq < last:
        assert time.monotonic() < until
        with contextlib.suppress(StoreError):
            keeper.refresh()
        time.sleep(0.001)


def test_two_replicas_agree(base: Path, postgresql: str) -> None:
    with Keeper.open(base, postgresql) as one, Keeper.open(base, postgresql) as other:
        one.learn([Correction("zap", "-"), Correction("zip", "+")])
        other.learn([Correction("zap", "+")])
        one.forget(text="zip")
        assert one.fold() is None
        other.learn([Correction("zup", "-")])
        catch_up(one, other.status.seq)
        assert to_bytes(one.model._snapshot()) == to_bytes(other.model._snapshot())
        assert other.model.class_documents_.sum() == 4
    with Keeper.open(base, postgresql) as again:
        assert (again.status.folded_seq, again.status.seq) == (5, 6)


def test_a_database_that_was_restarted_is_found_again(base: Path, postgresql: str, postgres_server: Any) -> None:
    with Keeper.open(base, postgresql) as keeper:
        keeper.learn([Correction("zap", "-")])
        postgres_server.stop("immediate")
        with pytest.raises(StoreError, match="try again"):
            keeper.learn([Correction("zip", "-", key="k")])
        assert keeper.model.predict(["zap"])[0] == "-"
        postgres_server.start()
        assert keeper.learn([Correction("zip", "-", key="k")])[0].seq == 2

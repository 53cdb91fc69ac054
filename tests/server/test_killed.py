"""After kill -9 at random moments, every acknowledged correction is there, and none is there twice."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import pytest
from likely.core.file import to_bytes
from likely.server.keeper import Keeper

from .amounts import KILLS, PATIENCE
from .killing import check_equal, kill, program, start


@pytest.mark.timeout(PATIENCE)
def test_what_is_acknowledged_survives_kills(base: Path, tmp_path: Path) -> None:
    store, acknowledged, kills = str(tmp_path / "a.store"), dict.fromkeys("abcd", 0), KILLS // 4
    with program() as process:
        for _ in range(kills):
            kill(process, start(process, base, store, acknowledged), acknowledged)
    assert sum(acknowledged.values()) > kills, "the kills came before anything was learned"
    check_equal(base, store, acknowledged)


@pytest.mark.timeout(PATIENCE)
def test_what_two_processes_acknowledge_survives_the_death_of_each(base: Path, tmp_path: Path) -> None:
    store, threads = str(tmp_path / "a.store"), (dict.fromkeys("abc", 0), dict.fromkeys("xyz", 0))
    with ExitStack() as stack:
        programs = [stack.enter_context(program()) for _ in threads]
        watcher = stack.enter_context(Keeper.open(base, store))
        children = [start(process, base, store, mine) for process, mine in zip(programs, threads, strict=True)]
        for at in range(KILLS // 8):
            one = at % 2  # the other one goes on
            kill(programs[one], children[one], threads[one])
            children[one] = start(programs[one], base, store, threads[one])
            watcher.refresh()
        for process, child, mine in zip(programs, children, threads, strict=True):
            kill(process, child, mine)
        watcher.refresh()
        with Keeper.open(base, store) as fresh:
            assert to_bytes(fresh.model._snapshot()) == to_bytes(watcher.model._snapshot())
    check_equal(base, store, threads[0] | threads[1])

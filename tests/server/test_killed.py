"""After kill -9 at random moments, every acknowledged correction is there, and none is there twice."""

from __future__ import annotations

import random
from contextlib import ExitStack
from pathlib import Path

from likely.server.keeper import Keeper
from likely.storage.model_file import to_bytes

from .killing import KILLS, check_equal, kill, program, start


def test_what_is_acknowledged_survives_kills(base: Path, tmp_path: Path) -> None:
    store, acknowledged = str(tmp_path / "a.store"), dict.fromkeys("abcd", 0)
    with program() as process:
        for _ in range(KILLS):
            kill(process, start(process, base, store, acknowledged), acknowledged)
    assert sum(acknowledged.values()) > KILLS, "the kills came before anything was learned"
    check_equal(base, store, acknowledged)


def test_what_two_processes_acknowledge_survives_the_death_of_each(base: Path, tmp_path: Path) -> None:
    store, threads = str(tmp_path / "a.store"), (dict.fromkeys("abc", 0), dict.fromkeys("xyz", 0))
    with ExitStack() as stack:
        programs = [stack.enter_context(program()) for _ in threads]
        watcher = stack.enter_context(Keeper.open(base, store))
        for _ in range(KILLS // 3):
            pairs = list(zip(programs, threads, strict=True))
            random.shuffle(pairs)
            children = [start(process, base, store, mine) for process, mine in pairs]
            watcher.refresh()
            for (process, mine), child in zip(pairs, children, strict=True):
                kill(process, child, mine)
        watcher.refresh()
        with Keeper.open(base, store) as fresh:
            assert to_bytes(fresh.model.snapshot()) == to_bytes(watcher.model.snapshot())
    check_equal(base, store, threads[0] | threads[1])

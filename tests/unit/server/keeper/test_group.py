"""Everything that waits is done in one transaction; each thread gets its own result or error."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest
from likely.errors import LengthError, StoreFullError
from likely.server.keeper.group import GroupCommit, Job


def test_what_waits_is_done_together() -> None:
    sizes, gate = [], threading.Event()

    def commit(jobs: Sequence[Job[str, object]]) -> None:
        gate.wait(10)
        sizes.append(len(jobs))
        for job in jobs:
            job.run("work")

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


def test_a_refused_part_does_not_touch_the_others() -> None:
    def commit(jobs: Sequence[Job[int, object]]) -> None:
        for job in jobs:
            with pytest.raises(LengthError):
                job.run(1)

    group: GroupCommit[int] = GroupCommit(commit)

    def refuse(work: int) -> int:
        raise LengthError(f"part {work} is refused")

    with pytest.raises(LengthError, match="part 1 is refused"):
        group.do(refuse)


def test_nobody_is_told_of_a_success_that_was_not_committed() -> None:
    def commit(jobs: Sequence[Job[int, object]]) -> None:
        for job in jobs:
            job.run(1)
        raise StoreFullError("no room")

    with pytest.raises(StoreFullError, match="no room"):
        GroupCommit(commit).do(lambda work: work)


def test_an_interrupt_reaches_the_thread_that_it_hit() -> None:
    def commit(jobs: Sequence[Job[int, object]]) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        GroupCommit(commit).do(lambda work: work)

"""Several files at a time, whose progress is added up."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from likely.batch.select import DocumentSource, Lanes, Meter, sources_of


@pytest.mark.parametrize(
    ("processors", "files", "number", "threads"), [(1, 5, 1, 1), (2, 5, 2, 1), (8, 1, 1, 8), (8, 3, 3, 2)]
)
def test_all_processors_have_work(processors: int, files: int, number: int, threads: int) -> None:
    lanes = Lanes(processors, files)
    assert (lanes.number, lanes.threads) == (number, threads)


def test_results_are_in_order(raw: list[Path]) -> None:
    parts = sources_of(raw)
    both = threading.Barrier(2, timeout=30)

    def work(part: DocumentSource) -> str:
        both.wait()  # which fails unless both run at the same time
        return part.name

    assert Lanes(2, 2).run(work, parts) == [part.name for part in parts]


def test_an_error_in_one_lane_ends_the_others(raw: list[Path]) -> None:
    lanes, begun = Lanes(2, 2), threading.Event()
    parts = sources_of(raw)

    def work(part: DocumentSource) -> None:
        if part is parts[0]:
            begun.wait(30)
            raise ValueError("broken")

        def endless() -> Iterator[int]:
            while True:
                begun.set()
                yield 1

        for _ in lanes.batches(endless()):
            pass

    with pytest.raises(ValueError, match="broken"):
        lanes.run(work, parts)


def test_files_are_added_up() -> None:
    seen: list[tuple[int, int, int | None]] = []
    meter = Meter(lambda *figures: seen.append(figures), 100)
    first, second = meter.one_file(), meter.one_file()
    assert first is not None
    assert second is not None
    first(1, 10, 20)
    second(2, 30, None)
    first(4, 20, 20)
    assert seen == [(1, 10, 100), (3, 40, 100), (6, 50, 100)]


def test_nobody_observes() -> None:
    assert Meter(None, 100).one_file() is None

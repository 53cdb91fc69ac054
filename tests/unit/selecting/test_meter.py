"""What was read is added up over files."""

from __future__ import annotations

from likely.batch.select import Meter


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

"""The rate of a sender: the same whether one process counts or several do."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from likely.server.keeper.rates import OwnRates, SharedRates
from likely.server.shared_file import SharedFile


@pytest.fixture
def file() -> Iterator[SharedFile]:
    found = SharedFile.create()
    yield found
    found.close()


def test_several_processes_count_as_one_does(file: SharedFile) -> None:
    now = [0.0]
    alone = OwnRates(lambda: now[0])
    shared = [SharedRates(file, lambda: now[0]) for _ in range(3)]
    expected, found = [], []
    for step in range(60):
        now[0] += (step % 5) / 7
        sender, number = ("ann", None)[step % 2], step % 4
        expected.append(alone.take(sender, number, 1.5, 4))
        found.append(shared[step % 3].take(sender, number, 1.5, 4))
    assert found == expected
    assert any(expected)


def test_a_damaged_file_begins_anew(file: SharedFile) -> None:
    rates = SharedRates(file, lambda: 0.0)
    assert rates.take("ann", 2, 1.0, 2) == 0
    assert rates.take("ann", 1, 1.0, 2) == 1
    file.write(b"")
    assert rates.take("ann", 2, 1.0, 2) == 0

"""The figures of several processes: each knows those of all, and none is lost with a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from likely import NaiveBayes
from likely.server.http.board import Board
from likely.server.shared_file import SharedFile

MODEL = NaiveBayes().fit(["good fun", "dull"], ["pos", "neg"])


@pytest.fixture
def files() -> Iterator[list[SharedFile]]:
    found = [SharedFile.create() for _ in range(3)]
    yield found
    for file in found:
        file.close()


def test_one_process_needs_no_file() -> None:
    board = Board()
    board.metrics.corrected("learned")
    board.write()
    assert not board.is_shared
    figures = board.figures()
    assert len(figures) == 1
    assert figures[0] is not None
    assert figures[0].metrics.corrections == {"learned": 1}


def test_each_knows_all(files: list[SharedFile]) -> None:
    boards = [Board(files, at) for at in range(3)]
    for at, board in enumerate(boards[:2]):
        board.metrics.requested("/predict", 200, 0.001)
        MODEL._predict_all(["dull day"] * (at + 1), watch=board.drift)
        board.write()
    found = boards[0].figures()
    assert [None if each is None else each.metrics.requests for each in found] == [
        {("/predict", 200): 1},
        {("/predict", 200): 1},
        None,
    ]
    seen = [None if each is None or each.recent.seen is None else each.recent.seen["documents"] for each in found]
    assert seen == [1, 2, None]


def test_a_process_goes_on_where_the_one_before_has_ended(files: list[SharedFile]) -> None:
    before = Board(files, 1)
    before.metrics.requested("/predict", 200, 0.001)
    before.metrics.in_flight = 7
    before.write()
    after = Board(files, 1)
    assert after.metrics.requests == {("/predict", 200): 1}
    assert after.metrics.in_flight == 0, "what it had in work is gone"
    after.metrics.requested("/predict", 200, 0.001)
    assert after.metrics.requests == {("/predict", 200): 2}

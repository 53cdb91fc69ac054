"""Work in the background comes before all that wait for their turn, and its failure stops nobody."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from likely import NaiveBayes, load
from likely.errors import StoreError
from likely.sample import load_sample
from likely.server.keeper import Correction, Keeper
from likely.server.keeper.warming import Warming

TEXTS, LABELS = load_sample()


def test_others_wait_for_their_turn() -> None:
    done: list[str] = []
    turn, may_end = threading.RLock(), threading.Event()

    def work() -> None:
        may_end.wait()
        done.append("warm")

    Warming(turn, work).begin()
    assert not turn.acquire(blocking=False)
    may_end.set()
    with turn:
        done.append("writing")
    assert done == ["warm", "writing"]


def test_a_failure_stops_nobody() -> None:
    turn = threading.RLock()

    def work() -> None:
        raise StoreError("the store is closed")

    Warming(turn, work).begin()
    with turn:
        pass


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

"""Rows to a model: the same from any beginning, and refused if they do not fit."""

from __future__ import annotations

from pathlib import Path

import likely
import pytest
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.errors import StoreError
from likely.server.keeper import Correction
from likely.server.keeper.document import pack
from likely.server.keeper.replay import catch_up, rebuild, sum_of
from likely.server.store.entry import Entry
from likely.server.store.sqlite import SqliteStore

from .conftest import Open  # noqa: TC001


def test_fold_and_base_give_the_same_model(opened: Open, base: Path, tmp_path: Path) -> None:
    keeper = opened()
    keeper.learn([Correction(f"text {at}", "+-"[at % 2]) for at in range(9)])
    keeper.fold()
    keeper.forget(text="text 3")
    keeper.learn([Correction("text 9", "-"), Correction("text 4", "-")])
    store = SqliteStore(tmp_path / "a.store")
    with store.reading() as ledger:
        whole = rebuild(ledger, lambda: likely.load(base), lambda _: None)
        folded = rebuild(ledger, lambda: pytest.fail("the base is not needed"), store.load_fold)
        stepwise = likely.load(base)
        assert list(catch_up(stepwise, ledger, 0)) == [whole.seq] == [folded.seq] == [13]
    store.close()
    found = {to_bytes(each._snapshot()) for each in (whole.model, folded.model, stepwise, keeper.model)}
    assert len(found) == 1


def test_rows_of_another_model_are_refused(base: Path, tmp_path: Path) -> None:
    other = NaiveBayes(ngrams=(1, 2))._count_one("good fun", "+")
    store = SqliteStore(tmp_path / "a.store")
    with store.writing() as ledger:
        ledger.append(Entry(1, "", "learn", "d", "+", counts=pack(other)))
        with pytest.raises(StoreError, match="do not fit the model"):
            list(catch_up(likely.load(base), ledger, 0))
    store.close()


def test_forgetting_what_was_never_learned_is_refused(base: Path, tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a.store")
    with store.writing() as ledger:
        ledger.append(Entry(1, "", "forget", "d", "+", of=7))
        with pytest.raises(StoreError, match="forgets what was never learned"):
            list(catch_up(likely.load(base), ledger, 0))
    store.close()


def test_a_sum_leaves_its_parts_as_they_are() -> None:
    parts = [NaiveBayes()._count_one(text, "+") for text in ("a b", "b c")]
    before = [pack(each) for each in parts]
    total = sum_of(parts)
    assert total is not None
    assert total.totals().documents.tolist() == [2.0]
    assert [pack(each) for each in parts] == before
    assert sum_of([]) is None

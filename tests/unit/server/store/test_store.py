"""What holds for every kind of store: what was written stays, and nothing else is there."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from likely.errors import ArgumentError, StoreError
from likely.server.store import open_store
from likely.server.store.sqlite import SqliteStore

from .conftest import Opened, forget, learn


def test_what_was_written_is_there_after_opening_again(opened: Opened) -> None:
    store = opened()
    one = learn(1, "a", source="ann \x00 '", key="k1", text="\ud800 a\x00b", label="é")
    with store.writing() as ledger:
        ledger.append(one)
        ledger.append(forget(2, one))
    store.close()
    again = opened()
    assert again.position().seq == 2
    with again.reading() as ledger:
        assert ledger.since(0) == [one, forget(2, one)]
        assert ledger.entry(1) == one
        assert ledger.learned("a") is None


def test_what_raises_an_error_is_not_written(opened: Opened) -> None:
    store = opened()
    with contextlib.suppress(ArgumentError), store.writing() as ledger:
        ledger.append(learn(1, "a"))
        raise ArgumentError
    assert store.position().seq == 0


def test_a_step_is_undone_alone(opened: Opened) -> None:
    store = opened()
    with store.writing() as ledger:
        ledger.append(learn(1, "a"))
        with contextlib.suppress(ArgumentError), ledger.step():
            ledger.append(learn(2, "b"))
            raise ArgumentError
        ledger.append(learn(2, "c"))
    with store.reading() as ledger:
        assert [entry.digest for entry in ledger.since(0)] == ["a", "c"]


def test_two_see_what_the_other_has_written(opened: Opened) -> None:
    one, other = opened(), opened()
    with one.writing() as ledger:
        ledger.append(learn(1, "a"))
        assert other.position().seq == 0
    assert other.position().seq == 1
    with other.writing() as ledger:
        ledger.append(learn(2, "b"))
    assert one.position().seq == 2


def test_a_fold_is_read_again_and_older_ones_are_deleted(opened: Opened) -> None:
    store = opened()
    with store.writing() as ledger:
        for seq in range(1, 6):
            ledger.append(learn(seq, f"digest {seq}"))
    at = store.position()
    old, new = store.save_fold(at._replace(seq=3), b"old"), store.save_fold(at, b"new")
    with store.writing() as ledger:
        ledger.note_fold(new)
    store.tidy(new)
    with store.reading() as ledger:
        assert ledger.fold == new
    assert store.load_fold(old) is None
    assert store.load_fold(new) == b"new"
    assert store.load_fold(new._replace(digest="0" * 64)) is None


def test_a_fold_of_other_entries_is_ignored(opened: Opened) -> None:
    store = opened()
    with store.writing() as ledger:
        ledger.append(learn(1, "a"))
    fold = store.save_fold(store.position(), b"model")
    with store.writing() as ledger:
        for other in (fold._replace(seq=2), fold._replace(mark="before the restore")):
            ledger.note_fold(other)
            assert ledger.fold is None
        ledger.note_fold(fold)
        assert ledger.fold == fold
        ledger.begin_generation()  # as a restored backup does
        assert ledger.fold is None
    store.drop_fold(fold)
    assert store.load_fold(fold) is None


def test_the_same_number_is_not_written_twice(opened: Opened) -> None:
    store = opened()
    with store.writing() as ledger:
        ledger.append(learn(1, "a"))
    with pytest.raises(StoreError), store.writing() as ledger:
        ledger.append(learn(1, "b"))
    assert store.position().seq == 1


def test_a_path_is_a_file_of_sqlite(tmp_path: Path) -> None:
    for name in ("a.store", "50% ?#é.store"):
        store = open_store(tmp_path / name)
        assert isinstance(store, SqliteStore)
        store.close()
        assert (tmp_path / name).exists()


def test_another_scheme_is_refused() -> None:
    with pytest.raises(StoreError, match="there is no kind of store for redis://"):
        open_store("redis://localhost")

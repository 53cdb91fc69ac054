"""Backups: one file, as the store was at one moment; and back again while others use the store."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely.errors import StoreError
from likely.server.store.backup import restore_backup, write_backup
from likely.server.store.sqlite import SqliteStore

from .conftest import learn


def make(path: Path, entries: int) -> None:
    store = SqliteStore(path)
    with store.writing() as ledger:
        for seq in range(1, entries + 1):
            ledger.append(learn(seq, f"digest {seq}"))
    store.close()


def test_a_backup_is_one_file_with_the_entries_of_the_moment(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a.store")
    with store.writing() as ledger:
        ledger.append(learn(1, "a"))
    (tmp_path / "to").mkdir()
    done = write_backup(store.name, str(tmp_path / "to" / "a.backup"))
    with store.writing() as ledger:
        ledger.append(learn(2, "b"))
    assert (done.entries, done.has_model) == (1, False)
    assert [path.name for path in (tmp_path / "to").iterdir()] == ["a.backup"]
    assert write_backup(store.name, str(tmp_path / "to" / "a.backup")).entries == 2
    store.close()


def test_a_backup_is_not_a_store_and_a_store_not_a_backup(tmp_path: Path) -> None:
    make(tmp_path / "a.store", 1)
    write_backup(str(tmp_path / "a.store"), str(tmp_path / "a.backup"))
    with pytest.raises(StoreError, match="is a backup: make a store from it"):
        SqliteStore(tmp_path / "a.backup")
    with pytest.raises(StoreError, match="is not a backup"):
        restore_backup(str(tmp_path / "a.store"), str(tmp_path / "b.store"), None, replace=False)
    assert not (tmp_path / "b.store").exists()


def test_nothing_but_an_older_backup_is_replaced(tmp_path: Path) -> None:
    make(tmp_path / "a.store", 1)
    make(tmp_path / "b.store", 2)
    (tmp_path / "notes").write_text("mine")
    for name in ("a.store", "b.store", "notes"):
        with pytest.raises(StoreError, match="exists and is not a backup"):
            write_backup(str(tmp_path / "a.store"), str(tmp_path / name))
    assert (tmp_path / "notes").read_text() == "mine"
    with pytest.raises(StoreError, match="there is no file"):
        write_backup(str(tmp_path / "missing"), str(tmp_path / "x"))


def test_a_store_with_entries_is_replaced_only_if_that_is_wished(tmp_path: Path) -> None:
    make(tmp_path / "a.store", 3)
    make(tmp_path / "b.store", 5)
    write_backup(str(tmp_path / "a.store"), str(tmp_path / "a.backup"))
    with pytest.raises(StoreError, match="has 5 entries, which would be lost"):
        restore_backup(str(tmp_path / "a.backup"), str(tmp_path / "b.store"), None, replace=False)
    user = SqliteStore(tmp_path / "b.store")
    before = user.position()
    done = restore_backup(str(tmp_path / "a.backup"), str(tmp_path / "b.store"), None, replace=True)
    assert (done.entries, done.replaced) == (3, 5)
    assert user.position().seq == 3
    assert user.position().mark != before.mark
    user.close()
    assert not list(tmp_path.glob(".likely-*"))


def test_a_damaged_backup_is_refused_and_the_store_stays(tmp_path: Path) -> None:
    make(tmp_path / "a.store", 300)
    write_backup(str(tmp_path / "a.store"), str(tmp_path / "a.backup"))
    data = bytearray((tmp_path / "a.backup").read_bytes())
    at = data.index(b"digest 150")
    data[at : at + 6] = b"DIGEST"
    (tmp_path / "a.backup").write_bytes(data)
    with pytest.raises(StoreError, match="damaged"):
        restore_backup(str(tmp_path / "a.backup"), str(tmp_path / "a.store"), None, replace=True)
    store = SqliteStore(tmp_path / "a.store")
    assert store.position().seq == 300
    store.close()


def test_a_model_that_is_not_in_the_backup_cannot_be_written(tmp_path: Path) -> None:
    make(tmp_path / "a.store", 1)
    write_backup(str(tmp_path / "a.store"), str(tmp_path / "a.backup"))
    with pytest.raises(StoreError, match="there is no model in the backup"):
        restore_backup(str(tmp_path / "a.backup"), str(tmp_path / "b.store"), str(tmp_path / "m"), replace=False)

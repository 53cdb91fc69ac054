"""The store in a SQLite file, its lock and its folds: what cannot be used is refused with a sentence."""

from __future__ import annotations

import itertools
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from likely.errors import StoreBusyError, StoreError, StoreFullError
from likely.server.store import Position
from likely.server.store.sqlite import ProcessLock, SqliteStore, explained

from .conftest import forget, learn


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_bytes(b"my notes, which are longer than a header of SQLite" * 50)
    with pytest.raises(StoreError, match="is damaged, or is not a store"):
        SqliteStore(path)
    sqlite3.connect(tmp_path / "other.db").execute("CREATE TABLE mine (a)").connection.close()
    with pytest.raises(StoreError, match="is a database, but not a store"):
        SqliteStore(tmp_path / "other.db")
    assert path.read_bytes().startswith(b"my notes")


def test_a_damaged_store_is_refused(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a.store")
    with store.writing() as ledger:
        for seq in range(1, 40):
            ledger.append(learn(seq, f"digest {seq}", counts=bytes(900)))
    store.close()
    data = bytearray((tmp_path / "a.store").read_bytes())
    data[len(data) // 2 : len(data) // 2 + 2000] = b"\xff" * 2000
    (tmp_path / "a.store").write_bytes(data)
    damaged = SqliteStore(tmp_path / "a.store")
    with pytest.raises(StoreError, match="damaged"), damaged.reading() as ledger:
        ledger.since(0)
    damaged.close()


def test_a_held_store_says_who_holds_it(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a.store", patience=0.05)
    other = ProcessLock(f"{tmp_path / 'a.store'}-lock")
    with other.held():
        with pytest.raises(StoreBusyError, match="another process has held"), store.writing():
            pass
        assert store.position().seq == 0, "reading does not wait"
    with store.writing() as ledger:
        ledger.append(learn(1, "a"))
    other.close()
    store.close()


def fill(store: SqliteStore) -> None:
    for seq in itertools.count(1):
        with store.writing() as ledger:
            ledger.append(learn(seq, f"digest {seq}", counts=bytes(3_000)))
        assert store.position().seq == seq


def test_a_full_store_keeps_what_it_has_and_goes_on(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a.store")
    store._opened().run("PRAGMA max_page_count = 30")
    with pytest.raises(StoreFullError, match="make room"):
        fill(store)
    written = store.position().seq
    assert written > 5
    store._opened().run("PRAGMA max_page_count = 300")
    with store.writing() as ledger:
        ledger.append(learn(written + 1, "one more"))
    assert store.position().seq == written + 1
    store.close()


def test_erased_texts_are_in_no_file(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "corrections.store")
    entry = learn(1, "a", text="a secret that nobody may read", counts=b"terms of the secret")
    with store.writing() as ledger:
        ledger.append(entry)
        ledger.append(forget(2, entry))
    assert any(b"secret" in path.read_bytes() for path in tmp_path.iterdir())
    fold = store.save_fold(store.position(), b"")
    with store.writing() as ledger:
        ledger.note_fold(fold)
        ledger.erase(2)
    store.tidy(fold)
    assert not any(b"secret" in path.read_bytes() for path in tmp_path.iterdir())
    store.close()


def test_a_long_log_is_copied_into_the_file(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "corrections.store")
    for seq in range(1, 41):
        with store.writing() as ledger:
            ledger.append(learn(seq, f"digest {seq}", counts=bytes(300_000)))
    assert (tmp_path / "corrections.store-wal").stat().st_size < 10_000_000
    assert store.position().seq == 40
    store.close()


@pytest.fixture
def frozen(tmp_path: Path) -> Iterator[Path]:
    """A store on a file system that cannot be written to."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "tmpfs", str(folder)]
    if os.geteuid() != 0 or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("only root can mount file systems")
    try:
        store = SqliteStore(folder / "a.store")
        with store.writing() as ledger:
            ledger.append(learn(1, "a"))
        store.close()
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        yield folder / "a.store"
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def test_a_store_that_may_not_be_written_to_can_be_read(frozen: Path) -> None:
    store = SqliteStore(frozen)
    assert store.position().seq == 1
    assert "cannot be written to: Read-only file system" in str(store.why_read_only)
    with pytest.raises(StoreError, match="Change that"), store.writing():
        pass
    store.close()
    with pytest.raises(StoreError, match="cannot create the store"):
        SqliteStore(frozen.with_name("new.store"))


HOLD = """
import sys, time
from likely.server.store.sqlite import ProcessLock
with ProcessLock(sys.argv[1]).held():
    print("held", flush=True)
    time.sleep(60)
"""


def test_the_death_of_its_process_ends_a_lock(tmp_path: Path) -> None:
    path = str(tmp_path / "lock")
    lock = ProcessLock(path, patience=0.05)
    with subprocess.Popen([sys.executable, "-c", HOLD, path], stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "held\n"
        with pytest.raises(StoreBusyError, match="another process has held the store"), lock.held():
            pass
        other.send_signal(signal.SIGKILL)
        other.wait()
        with lock.held():
            pass
    lock.close()


def test_the_lock_is_free_after_an_error(tmp_path: Path) -> None:
    locks = [ProcessLock(str(tmp_path / "lock"), patience=0.05) for _ in range(2)]
    with pytest.raises(ZeroDivisionError), locks[0].held():
        raise ZeroDivisionError
    with locks[1].held():
        pass
    for lock in locks:
        lock.close()


def test_only_older_folds_of_the_same_store_are_deleted(tmp_path: Path) -> None:
    store, other = SqliteStore(tmp_path / "mail.store"), SqliteStore(tmp_path / "a.mail.store")
    last, _, _ = store.save_fold(at(12), b"12"), store.save_fold(at(9), b"9"), other.save_fold(at(3), b"3")
    store.tidy(last)
    found = sorted(path.name for path in tmp_path.glob("*.likely"))
    assert found == ["a.mail.store-3.likely", "mail.store-12.likely"]
    store.close()
    other.close()


def test_a_damaged_fold_is_not_read(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "mail.store")
    fold = store.save_fold(at(1), b"sound")
    store.fold_path(fold).write_bytes(b"s0und")
    assert store.load_fold(fold) is None
    store.close()


def test_a_fold_that_cannot_be_written_is_an_error_with_a_sentence(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "mail.store")
    (tmp_path / "mail.store-1.likely").mkdir()
    with pytest.raises(StoreError, match=r"cannot fold into .*mail.store-1.likely"):
        store.save_fold(at(1), b"")
    store.close()


def at(seq: int) -> Position:
    return Position("generation", seq)


@pytest.mark.parametrize(
    ("name", "kind", "says"),
    [
        ("SQLITE_FULL", StoreFullError, "make room"),
        ("SQLITE_READONLY_DBMOVED", StoreError, "may not be written to"),
        ("SQLITE_BUSY_SNAPSHOT", StoreBusyError, "another program holds"),
        ("SQLITE_CORRUPT_INDEX", StoreError, "is damaged"),
        ("SQLITE_NOTADB", StoreError, "is not a store of `likely`"),
        ("SQLITE_IOERR_FSYNC", StoreError, "cannot be used"),
    ],
)
def test_every_error_has_its_class(name: str, kind: type[StoreError], says: str) -> None:
    error = sqlite3.OperationalError("some error")
    error.sqlite_errorname = name
    with pytest.raises(kind, match=says) as found, explained("mail.store"):
        raise error
    assert found.value.__cause__ is error
    assert type(found.value) is kind

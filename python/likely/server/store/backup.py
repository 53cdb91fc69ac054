"""Backups of a store in one file, with its base model, and stores from backups, while servers use the store."""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, cast

from likely.core.file import may_be_model
from likely.errors import ModelFileError, StoreError
from likely.reading.atomic import replacing, write_whole
from likely.server.store.ledger import Ledger
from likely.server.store.sqlite import BACKUP_TABLE, PRIVATE, SqliteDatabase, SqliteStore, check_kind

if TYPE_CHECKING:
    from collections.abc import Iterator


class Backup(NamedTuple):
    """A backup that was written.

    Attributes
    ----------
    path : str
        The file.
    size : int
        Its size in bytes.
    entries : int
        The number of entries in it.
    has_model : bool
        Whether the base model is in it too. If not, its file was not found, or there is none.
    """

    path: str
    size: int
    entries: int
    has_model: bool


class Restored(NamedTuple):
    """A store that was made from a backup.

    Attributes
    ----------
    store : str
        The store.
    entries : int
        The number of its entries.
    replaced : int
        The number of entries that it had before.
    model : str or None
        The model file that was written.
    """

    store: str
    entries: int
    replaced: int
    model: str | None


def write_backup(store: str, to: str) -> Backup:
    """Write a backup of a store as it is at one moment, whole or not at all. Nobody waits for it."""
    check_exists(store)
    _check_replaceable(to)
    with contextlib.closing(SqliteDatabase(store, "ro")) as source, _scratch(to) as (path, copy):
        check_kind(source, store)
        source.copy_to(copy)
        ledger = Ledger(copy)
        with copy.transaction("IMMEDIATE"):
            copy.run("DELETE FROM about WHERE name = 'fold'")  # its file is not in the backup
            model = _base_of(ledger)
            copy.run(f"CREATE TABLE {BACKUP_TABLE} (data BLOB NOT NULL)")
            if model is not None:
                copy.run(f"INSERT INTO {BACKUP_TABLE} VALUES (?)", [model])  # noqa: S608 - a constant
        entries = ledger.last()
        copy.run("PRAGMA journal_mode = DELETE")  # so that the backup is one file
        copy.close()
        with open(path, "rb") as written, replacing(to, PRIVATE) as file:
            shutil.copyfileobj(written, file)
    return Backup(to, os.path.getsize(to), entries, model is not None)


def _check_replaceable(to: str) -> None:
    """Raise ``StoreError`` if there is a file that is not a backup: it would be lost."""
    if os.path.exists(to):
        with contextlib.suppress(StoreError), contextlib.closing(SqliteDatabase(to, "ro")) as old:
            if BACKUP_TABLE in old.tables():
                return
        raise StoreError(f"{to!r} exists and is not a backup: choose another name")


def restore_backup(backup: str, store: str, model: str | None, *, replace: bool) -> Restored:
    """Make a store from a backup. If the store exists, its entries are replaced in one transaction.

    Servers that use the store go on with the entries of the backup. Folded models are made anew.
    """
    check_exists(backup)
    with contextlib.closing(SqliteDatabase(backup, "ro")) as source, _scratch(store) as (_, copy):
        source.copy_to(copy)
        data, ledger = _take_model(copy, backup), Ledger(copy)
        check_kind(copy, backup)
        if copy.run("PRAGMA integrity_check(1)") != [("ok",)]:
            raise StoreError(f"the backup {backup!r} is damaged: restore another one")
        entries = 0
        while some := ledger.since(entries):  # each is compared with its checksum
            entries = some[-1].seq
        with copy.transaction("IMMEDIATE"):
            ledger.begin_generation()
        _check_model_place(model, backup, is_there=data is not None)
        replaced = _replace(copy, store, replace=replace)
    if model is not None and data is not None:
        try:
            write_whole(model, data)
        except ModelFileError as error:
            raise StoreError(f"the store is restored, but {model!r} cannot be written: {error}") from error
    return Restored(store, entries, replaced, model)


def _check_model_place(model: str | None, backup: str, *, is_there: bool) -> None:
    """Raise ``StoreError`` if there is no model to write, or a file that is not a model in its place."""
    if model is None:
        return
    if not is_there:
        raise StoreError(f"there is no model in the backup {backup!r}: leave --model out")
    if os.path.exists(model) and not may_be_model(model):
        raise StoreError(f"{model!r} exists and is not a model: choose another name")


def _take_model(copy: SqliteDatabase, backup: str) -> bytes | None:
    """Take the base model out of the copy of a backup."""
    if BACKUP_TABLE not in copy.tables():
        raise StoreError(f"{backup!r} is not a backup: make one with `likely store backup`")
    found = copy.run(f"SELECT data FROM {BACKUP_TABLE}")  # noqa: S608 - a constant
    copy.run(f"DROP TABLE {BACKUP_TABLE}")
    return bytes(cast("bytes", found[0][0])) if found else None


def _replace(copy: SqliteDatabase, store: str, *, replace: bool) -> int:
    """Put entries in the place of those of a store, in one transaction; returns how many there were."""
    with contextlib.closing(SqliteStore(store)) as target:
        before = target.position().seq
        if before and not replace:
            raise StoreError(
                f"the store {store!r} has {before} entries, which would be lost: back it up, and give --replace"
            )
        target.replace_all(copy)
    return before


def _base_of(ledger: Ledger) -> bytes | None:
    """The base model of a store, if its file is still where it was."""
    path, digest = ledger.about("base_path"), ledger.about("base")
    with contextlib.suppress(OSError):
        data = Path(path).read_bytes() if path else b""
        if hashlib.sha256(data).hexdigest() == digest:
            return data
    return None


def check_exists(path: str) -> None:
    """Raise ``StoreError`` if there is no such file, or a database is meant."""
    if "://" in path:
        raise StoreError(
            "only a store in a file can be copied by `likely`: for PostgreSQL use pg_dump and pg_restore"
        )
    if not os.path.isfile(path):
        raise StoreError(f"there is no file {path!r}")


@contextlib.contextmanager
def _scratch(beside: str) -> Iterator[tuple[str, SqliteDatabase]]:
    """A database in a new file beside another one, which is deleted at the end."""
    path = os.path.join(os.path.dirname(os.path.abspath(beside)), f".likely-{secrets.token_hex(8)}.tmp")
    database = SqliteDatabase(path, "rwc")
    try:
        yield path, database
    finally:
        database.close()
        for each in (path, f"{path}-wal", f"{path}-shm", f"{path}-journal"):
            with contextlib.suppress(OSError):
                os.unlink(each)

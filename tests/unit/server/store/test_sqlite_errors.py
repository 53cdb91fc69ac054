"""What SQLite says becomes a sentence that says what to do."""

from __future__ import annotations

import sqlite3

import pytest
from likely.errors import StoreBusyError, StoreError, StoreFullError
from likely.server.store.sqlite_errors import explained


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

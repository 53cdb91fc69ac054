"""What SQLite says, as errors of `likely`."""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING

from likely.errors import StoreBusyError, StoreError, StoreFullError

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextlib.contextmanager
def explained(path: str) -> Iterator[None]:
    """Every error of SQLite becomes a ``StoreError`` that says what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise of_likely(error, path) from error


def of_likely(error: sqlite3.Error, path: str) -> StoreError:
    """An error of SQLite as an error of `likely`.

    Examples
    --------
    >>> of_likely(sqlite3.OperationalError("disk I/O error"), "mail.store")
    StoreError("the store 'mail.store' cannot be used: disk I/O error. Nothing acknowledged is lost")
    """
    name = error_name(error)
    if name.startswith("SQLITE_FULL"):
        return StoreFullError(
            f"there is no room for the store {path!r}: make room, and try again. Nothing acknowledged is lost"
        )
    if name.startswith(("SQLITE_READONLY", "SQLITE_PERM")):
        return StoreError(f"the store {path!r} may not be written to: change its permissions")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreBusyError(f"another program holds the store {path!r}: end it, and try again")
    if name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB")):
        return StoreError(
            f"{path!r} is damaged, or is not a store of `likely` ({error}): restore a backup, or choose another file"
        )
    return StoreError(f"the store {path!r} cannot be used: {error}. Nothing acknowledged is lost")


def error_name(error: BaseException | None) -> str:
    """The name that SQLite gives to an error; an empty text if there is none."""
    return getattr(error, "sqlite_errorname", None) or ""

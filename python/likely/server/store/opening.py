"""The store at an address: a file of SQLite, or a database of PostgreSQL."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from likely.errors import StoreError

if TYPE_CHECKING:
    from pathlib import Path

    from likely.server.store.store import Store


def open_store(address: str | Path) -> Store:
    """The store at an address.

    Examples
    --------
    >>> open_store("mysql://mail")
    Traceback (most recent call last):
    likely.errors.StoreError: there is no kind of store for mysql://: give a file, or postgresql://...
    """
    name = os.fspath(address)
    scheme, mark, _ = name.partition("://")
    if scheme in ("postgresql", "postgres") and mark:
        from likely.server.store.postgres import PostgresStore

        return PostgresStore(name)
    if mark:
        raise StoreError(f"there is no kind of store for {scheme}://: give a file, or postgresql://...")
    from likely.server.store.sqlite import SqliteStore

    return SqliteStore(name)

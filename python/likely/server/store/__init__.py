"""Stores: the rows of all corrections of a model, durable before they are acknowledged.

`Store` is what every store can do; `open_store` opens one.

| module | contents |
| --- | --- |
| `server.store.ledger` | `Entry` and `Ledger`: the rows in SQL, the same for every store |
| `server.store.sqlite` | the store in one SQLite file, with its lock and its folded models |
| `server.store.postgres` | the store in a database of PostgreSQL |
| `server.store.backup` | backups of a store, and stores from backups |
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeAlias

from likely.errors import StoreError
from likely.server.store.ledger import Fold, Position

if TYPE_CHECKING:
    from pathlib import Path

    from likely.server.store.postgres import PostgresStore
    from likely.server.store.sqlite import SqliteStore

__all__ = ["Fold", "Position", "Store", "open_store"]


Store: TypeAlias = "SqliteStore | PostgresStore"
"""A place for the rows of all corrections of a model: both classes have the same methods."""


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

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
from typing import TYPE_CHECKING, Protocol

from likely.errors import StoreError
from likely.server.store.ledger import Fold, Position

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from likely.server.store.ledger import Ledger

__all__ = ["Fold", "Position", "Store", "open_store"]


class Store(Protocol):
    """A place for the rows of all corrections of a model.

    Attributes
    ----------
    name : str
        The address, as the user gave it, without a password.
    why_read_only : str or None
        Why nothing can be written, as a sentence; None if it can.
    """

    name: str
    why_read_only: str | None

    def reading(self) -> AbstractContextManager[Ledger]:
        """The rows as they are at one moment. Writers do not wait for it, nor does it wait for them."""

    def writing(self) -> AbstractContextManager[Ledger]:
        """The rows, while no other process writes. What was written is durable when the context ends, or undone.

        ``StoreBusyError`` says which process holds the store; ``StoreFullError`` and ``StoreError`` say why
        nothing was written.
        """

    def position(self) -> Position:
        """Where the store is. It is asked for many times per second."""

    def integrity(self) -> list[str]:
        """What the database itself finds wrong with its files, as sentences."""

    def load_fold(self, fold: Fold) -> bytes | None:
        """The bytes of a folded model; None if they are missing or damaged."""

    def save_fold(self, at: Position, data: bytes) -> Fold:
        """Write the bytes of a folded model, whole or not at all, before the store names it."""

    def drop_fold(self, fold: Fold) -> None:
        """Delete a folded model that the store does not name."""

    def fold_path(self, fold: Fold) -> Path | None:
        """The file of a folded model; None if it is not in a file."""

    def tidy(self, fold: Fold) -> None:
        """After a fold: delete older folded models, and what deleted rows have left on the disk."""

    def close(self) -> None:
        """Let go of the store."""


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

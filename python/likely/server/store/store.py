"""`Store`: the verbs that every store has. A keeper knows nothing else of the place where rows are."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from contextlib import AbstractContextManager
    from pathlib import Path

    from likely.server.store.ledger import Ledger


class Fold(NamedTuple):
    """A model file into which all entries up to one of them are folded.

    Attributes
    ----------
    seq : int
        The last entry that the file contains.
    digest : str
        The SHA-256 of the file.
    generation : str
        The generation of the store whose entries it contains. A fold of another generation is ignored.
    """

    seq: int
    digest: str
    generation: str = ""


class Position(NamedTuple):
    """Where a store is.

    Attributes
    ----------
    generation : str
        It changes when a backup is restored: then the entries are others, though they have the same numbers.
    seq : int
        The number of the last entry; 0 if there is none.
    """

    generation: str
    seq: int


class Store(Protocol):
    """A place for the rows of all corrections of a model.

    Attributes
    ----------
    name : str
        The address, as the user gave it, without a password.
    why_read_only : str or None
        Why nothing can be written, as a sentence; None if it can.
    durability : str
        What an acknowledged correction survives, in a word: "sync" is a loss of power.
    """

    name: str
    why_read_only: str | None
    durability: str

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

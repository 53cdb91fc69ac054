"""`PostgresStore`: the store in a database of PostgreSQL, for replicas on several machines."""

from __future__ import annotations

import contextlib
import hashlib
from typing import TYPE_CHECKING, TypeAlias, cast
from urllib.parse import urlsplit

from likely.errors import StoreBusyError, StoreError, StoreFullError
from likely.extras import extra
from likely.server.store.ledger import Fold, Ledger, Position, Rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from psycopg import Connection

    Opened: TypeAlias = Connection[tuple[object, ...]]

SCHEMA = "likely"
"""The schema of the tables: a database has one store."""
_LOCK = int.from_bytes(hashlib.sha256(b"likely: the writer of corrections").digest()[:8], "big", signed=True)
_SETTINGS = (
    f"SET search_path = {SCHEMA}",
    "SET lock_timeout = '10s'",
    "SET synchronous_commit = on",
    "SET client_min_messages = warning",
)
_KINDS: dict[str, tuple[type[StoreError], str]] = {
    "53100": (StoreFullError, "there is no room: make room, and try again"),
    "25006": (StoreError, "it cannot be written to: connect to the primary server"),
    "42501": (StoreError, "it may not be written to: give the user the right to create a schema"),
    "55P03": (StoreBusyError, "another process holds it: wait for it, or end it"),
}
"""The codes of PostgreSQL (SQLSTATE, appendix A of its manual) with an error of their own."""


class PostgresStore(Rows):
    """The rows of all corrections in a database of PostgreSQL.

    Writers take turns by an advisory lock, which ends with their transaction or their connection. A connection that
    was lost is made anew when it is needed.
    """

    _reader: PostgresDatabase
    _moment = "ISOLATION LEVEL REPEATABLE READ, READ ONLY"

    def __init__(self, address: str) -> None:
        super().__init__()
        self.name = without_password(address)
        self._database = PostgresDatabase(address, self.name)
        self._reader = PostgresDatabase(address, self.name)
        try:
            self._create()
        except BaseException:
            self.close()
            raise

    def _create(self) -> None:
        database = self._database
        with database.transaction(""):
            database.run(f"SELECT pg_advisory_xact_lock({_LOCK})")
            database.run(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
            if database.run("SELECT to_regclass('entries')") == [(None,)]:
                Ledger(database).create()
                database.run("CREATE TABLE folds (seq BIGINT PRIMARY KEY, digest TEXT NOT NULL, data BYTEA NOT NULL)")
            Ledger(database).check_format()

    @contextlib.contextmanager
    def writing(self) -> Iterator[Ledger]:
        """The rows, while no other process writes."""
        with self._turn, self._database.transaction(""):
            self._database.run(f"SELECT pg_advisory_xact_lock({_LOCK})")
            yield Ledger(self._database)

    def integrity(self) -> list[str]:
        """Nothing: PostgreSQL checks its files itself."""
        return []

    def load_fold(self, fold: Fold) -> bytes | None:
        """The bytes of a folded model; None if they are missing or damaged."""
        with self._turn:
            found = self._database.run("SELECT data FROM folds WHERE seq = ?", [fold.seq])
        data = bytes(cast("bytes", found[0][0])) if found else b""
        return data if hashlib.sha256(data).hexdigest() == fold.digest else None

    def save_fold(self, at: Position, data: bytes) -> Fold:
        """Write the bytes of a folded model into the database."""
        fold = Fold(at.seq, hashlib.sha256(data).hexdigest(), at.mark)
        with self._turn, self._database.transaction(""):
            self._database.run(
                "INSERT INTO folds VALUES (?, ?, ?) ON CONFLICT (seq) DO UPDATE SET digest = excluded.digest, "
                "data = excluded.data",
                [fold.seq, fold.digest, data],
            )
        return fold

    def drop_fold(self, fold: Fold) -> None:
        """Delete a folded model that the store does not name."""
        self._database.run("DELETE FROM folds WHERE seq = ? AND digest = ?", [fold.seq, fold.digest])

    def fold_path(self, fold: Fold) -> Path | None:
        """None: folded models are in the database."""
        del fold
        return None

    def tidy(self, fold: Fold, *, shrinks: bool = False) -> None:
        """Delete older folded models, and give the place of deleted rows to new ones, or, if it shrinks, back."""
        with self._turn:
            self._database.run("DELETE FROM folds WHERE seq < ?", [fold.seq])
            self._database.run("VACUUM FULL entries" if shrinks else "VACUUM entries")

    def close(self) -> None:
        """Close the connections."""
        with self._turn, self._reading:
            for each in (self._database, self._reader):
                each.close()


class PostgresDatabase:
    """A connection to PostgreSQL, which is made anew after it was lost."""

    integer, binary = "BIGINT", "BYTEA"

    def __init__(self, address: str, name: str) -> None:
        self._address, self._name = address, name
        self._connection: Opened | None = None

    def connected(self) -> Opened:
        """The connection."""
        connection = self._connection
        if connection is None or connection.closed:
            psycopg = extra("psycopg", "A store in PostgreSQL")
            with explained(self._name):
                connection = cast("Opened", psycopg.connect(self._address, autocommit=True, connect_timeout=5))
                for setting in _SETTINGS:
                    connection.execute(setting.encode())
            self._connection = connection
        return connection

    def run(self, statement: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """Run a statement, and return its rows."""
        connection = self.connected()
        with explained(self._name):
            cursor = connection.execute(statement.replace("?", "%s").encode(), values or None)
            return cursor.fetchall() if cursor.description else []

    @contextlib.contextmanager
    def transaction(self, kind: str) -> Iterator[None]:
        """A transaction, which ends with a commit, or with nothing changed if there is an error."""
        try:
            self.run(f"BEGIN {kind}")
        except StoreError:  # the connection was lost while nobody used it
            self.close()
            self.run(f"BEGIN {kind}")
        try:
            yield
            self.run("COMMIT")
        except BaseException:
            try:
                if self._connection is not None and not self._connection.closed:
                    self._connection.execute(b"ROLLBACK")
            except Exception:  # whatever it is, the connection is of no use any more
                self.close()
            raise

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def without_password(address: str) -> str:
    """The address of a database, as it may be shown.

    Examples
    --------
    >>> without_password("postgresql://ann:secret@db.example:5432/mail?sslmode=require")
    'postgresql://ann@db.example:5432/mail'
    """
    parts = urlsplit(address)
    host = parts.netloc.rpartition("@")[2]
    user = f"{parts.username}@" if parts.username else ""
    return f"postgresql://{user}{host}{parts.path}"


@contextlib.contextmanager
def explained(name: str) -> Iterator[None]:
    """Every error of psycopg becomes a ``StoreError`` that says what to do."""
    psycopg = extra("psycopg", "A store in PostgreSQL")
    try:
        yield
    except psycopg.Error as error:
        raise of_likely(error, getattr(error, "sqlstate", None), name) from error


def of_likely(error: Exception, code: str | None, name: str) -> StoreError:
    """An error of PostgreSQL as an error of `likely`. Only the first line of its message is kept.

    Examples
    --------
    >>> of_likely(ValueError("could not extend file"), "53100", "postgresql://db/mail")
    StoreFullError('the store postgresql://db/mail: there is no room: make room, and try again')
    """
    kind, says = _KINDS.get(code or "", (StoreError, ""))
    if not says:
        first = (str(error).strip().splitlines() or [type(error).__name__])[0]
        says = f"{first}. Nothing acknowledged is lost: try again"
    return kind(f"the store {name}: {says}")

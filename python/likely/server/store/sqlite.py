"""`SqliteStore`: the store in one SQLite file, for one machine, with its lock and its folded models."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import re
import sqlite3
import time
from pathlib import Path
from typing import TYPE_CHECKING, cast

from likely.errors import ModelFileError, StoreBusyError, StoreError, StoreFullError
from likely.reading.atomic import write_whole
from likely.server.store.ledger import Fold, Ledger, Position, Rows

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


PATIENCE = 10.0
"""For this many seconds a process waits for another one."""
_PAUSE = 0.002
BACKUP_TABLE = "model"
"""The table that only a backup has: the base model."""

PRIVATE = 0o600
"""The permissions of new files: they tell what people have written."""

LONG_LOG = 4 << 20
"""If its log has more bytes than this, it is copied into the file."""

_PATIENCE = 5
"""For this many seconds SQLite waits for other programs that use the file."""

_UNWRITABLE = ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_FULL", "SQLITE_IOERR_SHM")
"""What SQLite says of a place where it cannot write."""


_NO_STORE = (StoreError, "it is damaged, or is not a store of `likely`: restore a backup, or choose another file")
_MAY_NOT = (StoreError, "it may not be written to: change its permissions")
_HELD = (StoreBusyError, "another program holds it: end it, and try again")
_KINDS: dict[str, tuple[type[StoreError], str]] = {
    "SQLITE_FULL": (StoreFullError, "there is no room: make room, and try again. Nothing acknowledged is lost"),
    **dict.fromkeys(("SQLITE_READONLY", "SQLITE_PERM"), _MAY_NOT),
    **dict.fromkeys(("SQLITE_BUSY", "SQLITE_LOCKED"), _HELD),
    **dict.fromkeys(("SQLITE_CORRUPT", "SQLITE_NOTADB"), _NO_STORE),
}
"""The errors of SQLite that have a sentence of their own."""


class SqliteStore(Rows):
    """The rows of all corrections in one SQLite file.

    Each process has a connection that reads and one that writes. It writes, and copies pages from the log into the
    file, only while the process holds a lock that all processes share, so that never two do so at once. A commit is
    on the disk when it returns (write-ahead log, full synchronization).

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store = SqliteStore(f"{folder}/mail.store")
    ...     print(store.position().seq)
    ...     store.close()
    0
    """

    _moment = "DEFERRED"

    def __init__(self, path: str | Path, *, patience: float = PATIENCE) -> None:
        super().__init__()
        self.name = os.fspath(path)
        self._path = Path(path).absolute()
        self._lock: ProcessLock | None = None
        self._database: SqliteDatabase | None = None
        try:
            self._open(patience)
        except BaseException:
            self._let_go()
            raise

    def _open(self, patience: float) -> None:
        try:
            self._lock = ProcessLock(f"{self.name}-lock", patience)
            with self._lock.held():
                self._open_to_write()
        except OSError as error:
            self._open_read_only(error)
        except StoreError as error:
            if not error_name(error.__cause__).startswith(_UNWRITABLE):
                raise
            self._open_read_only(error)

    def _open_to_write(self) -> None:
        database = self._database = SqliteDatabase(self.name, "rwc")
        is_new = not database.run("SELECT 1 FROM sqlite_master LIMIT 1")
        if not is_new:
            check_kind(database, self.name)
        database.prepare()
        # SQLite opens a file that may not be written to, and says so only when it should be written.
        with database.transaction("IMMEDIATE"):
            if is_new:
                Ledger(database).create()
        self._reader = SqliteDatabase(self.name, "rw")

    def _open_read_only(self, why: Exception) -> None:
        """Open a store that cannot be written to. A log that is still there is read too, if that is possible."""
        reason = getattr(why, "strerror", None) or str(why)
        if not Path(self.name).exists():
            raise StoreError(f"cannot create the store {self.name!r}: {reason}. Choose another place") from why
        self.why_read_only = f"the store {self.name!r} cannot be written to: {reason}"
        # Without a log the file does not change any more, and SQLite needs no file beside it.
        self._let_go()
        self._reader = SqliteDatabase(self.name, "ro" if _size(f"{self.name}-wal") else "ro&immutable=1")
        check_kind(self._reader, self.name)

    @contextlib.contextmanager
    def writing(self) -> Iterator[Ledger]:
        """The rows, while no other process writes."""
        with self._turn, self._writable().held():
            database = self._opened()
            try:
                with database.transaction("IMMEDIATE"):
                    yield Ledger(database)
            except StoreError as error:
                self._note_failed_sync(error)
                raise
            if _size(f"{self.name}-wal") > LONG_LOG:
                database.checkpoint()

    def _note_failed_sync(self, error: StoreError) -> None:
        """After the disk has failed to keep what was written, nothing it says later can be trusted: write no more."""
        if error_name(error.__cause__).startswith("SQLITE_IOERR_FSYNC"):
            self.why_read_only = f"the disk has failed to write the store {self.name!r}: {error.__cause__}"

    def _writable(self) -> ProcessLock:
        if self.why_read_only is not None:
            raise StoreError(f"{self.why_read_only}. Change that, and start again")
        if self._lock is None:
            raise StoreError(f"the store {self.name!r} is closed")
        return self._lock

    def _opened(self) -> SqliteDatabase:
        if self._database is None:
            raise StoreError(f"the store {self.name!r} is closed")
        return self._database

    def replace_all(self, copy: SqliteDatabase) -> None:
        """Put the content of another database in the place of all entries, in one transaction."""
        with self._turn, self._writable().held():
            copy.copy_to(self._opened())

    def integrity(self) -> list[str]:
        """What SQLite finds wrong with the file."""
        with self.reading() as ledger:
            found = [row[0] for row in ledger.run("PRAGMA integrity_check(10)")]
        return [] if found == ["ok"] else [f"SQLite finds the file damaged: {each}" for each in found]

    def load_fold(self, fold: Fold) -> bytes | None:
        """The bytes of a folded model; None if they are missing or damaged."""
        with contextlib.suppress(OSError):
            data = self.fold_path(fold).read_bytes()
            if hashlib.sha256(data).hexdigest() == fold.digest:
                return data
        return None

    def save_fold(self, at: Position, data: bytes) -> Fold:
        """Write the bytes of a folded model beside the store."""
        self._writable()
        fold = Fold(at.seq, hashlib.sha256(data).hexdigest(), at.mark)
        path = self.fold_path(fold)
        try:
            write_whole(path, data, PRIVATE)
        except ModelFileError as error:
            full = getattr(error.__cause__, "errno", None) in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
            raise (StoreFullError if full else StoreError)(f"cannot fold into {str(path)!r}: {error}") from error
        return fold

    def drop_fold(self, fold: Fold) -> None:
        """Delete a folded model that the store does not name."""
        with contextlib.suppress(OSError):
            os.unlink(self.fold_path(fold))

    def fold_path(self, fold: Fold) -> Path:
        """The file into which the entries up to that of the fold are folded: ``mail.store-12.likely``."""
        return self._path.with_name(f"{self._path.name}-{fold.seq}.likely")

    def tidy(self, fold: Fold, *, shrinks: bool = False) -> None:
        """Delete older folded models, and empty the log, which may still contain what was deleted.

        With ``shrinks``, the file is made as small as it can be.
        A kill may have left models without their row: they are deleted too.
        """
        pattern = re.compile(re.escape(self._path.name) + r"-(\d+)\.likely")
        for path in self._path.parent.iterdir():
            found = pattern.fullmatch(path.name)
            if found and int(found[1]) < fold.seq:
                with contextlib.suppress(OSError):
                    os.unlink(path)
        with self._turn, self._writable().held():
            if shrinks:
                self._opened().run("VACUUM")
            self._opened().checkpoint()

    def close(self) -> None:
        """Close the store. The lock is held meanwhile, because the last connection copies the log into the file."""
        with self._turn, contextlib.nullcontext() if self._lock is None else self._lock.held():
            self._let_go()

    def _let_go(self) -> None:
        with self._reading:
            for each in (self._reader, self._database, self._lock):
                if each is not None:
                    each.close()
            self._reader = self._database = self._lock = None


def check_kind(database: SqliteDatabase, name: str) -> None:
    """Raise ``StoreError`` if a database is anything but a store that this version can read."""
    found = database.tables()
    if not {"about", "entries", "learned", "answers"} <= found:
        raise StoreError(f"{name!r} is a database, but not a store of `likely`: choose another file")
    if BACKUP_TABLE in found:
        raise StoreError(f"{name!r} is a backup: make a store from it with `likely store restore`")
    Ledger(database).check_format()


def _size(path: str) -> int:
    """The size of a file; 0 if there is none."""
    try:
        return os.path.getsize(path)
    except OSError:
        return 0


class SqliteDatabase:
    """One connection to a file of SQLite."""

    integer, binary = "INTEGER", "BLOB"

    def __init__(self, path: str, mode: str) -> None:
        # The name is a URI, in which these characters have a meaning of their own.
        self._path = path
        if mode == "rwc":  # with private texts in it
            with contextlib.suppress(OSError):  # it is there, or SQLite says why not
                os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))
        quoted = os.path.abspath(path).replace("%", "%25").replace("?", "%3f").replace("#", "%23")
        with explained(path):
            self._connection = sqlite3.connect(
                f"file:{quoted}?mode={mode}",
                uri=True,
                isolation_level=None,
                check_same_thread=False,
                timeout=_PATIENCE,
            )

    def prepare(self) -> None:
        """Settings of a connection that writes."""
        for setting in (
            "journal_mode = WAL",
            "synchronous = FULL",
            "wal_autocheckpoint = 0",  # only while the lock is held
            "secure_delete = ON",
            "trusted_schema = OFF",
            "foreign_keys = OFF",
        ):
            self.run(f"PRAGMA {setting}")

    def run(self, statement: str, values: Sequence[object] = ()) -> list[tuple[object, ...]]:
        """Run a statement, and return its rows."""
        with explained(self._path):
            return self._connection.execute(statement, cast("Sequence[str]", values)).fetchall()

    def tables(self) -> set[object]:
        """The names of the tables."""
        return {row[0] for row in self.run("SELECT name FROM sqlite_master WHERE type = 'table'")}

    def copy_to(self, other: SqliteDatabase) -> None:
        """Copy the content of this moment into another database, in one transaction."""
        with explained(other._path):
            self._connection.backup(other._connection)

    @contextlib.contextmanager
    def transaction(self, kind: str) -> Iterator[None]:
        """A transaction, which ends with a commit, or with nothing changed if there is an error."""
        self.run(f"BEGIN {kind}")
        try:
            yield
            self.run("COMMIT")
        except BaseException:
            if self._connection.in_transaction:  # a full disk may have ended it
                self.run("ROLLBACK")
            raise

    def checkpoint(self) -> None:
        """Copy the log into the file, and empty it. If a reader needs it, or there is no room, that is done later."""
        self.run("PRAGMA busy_timeout = 100")
        with contextlib.suppress(StoreError):
            self.run("PRAGMA wal_checkpoint(TRUNCATE)")
        self.run(f"PRAGMA busy_timeout = {_PATIENCE * 1000}")

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()


class ProcessLock:
    """A lock (``flock``) on a file of its own.

    It ends with the process, so that a killed process leaves nothing behind that a person would have to delete. On
    Windows, which has no such lock, the locks of the database itself have to do.
    """

    def __init__(self, path: str, patience: float = PATIENCE) -> None:
        self._path, self._patience = path, patience
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), PRIVATE)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock; ``StoreBusyError`` if another process has held it for longer than one waits."""
        try:
            import fcntl
        except ModuleNotFoundError:
            yield
            return
        until = time.monotonic() + self._patience
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as error:
                if error.errno not in (errno.EWOULDBLOCK, errno.EINTR):
                    raise
            if time.monotonic() >= until:
                raise StoreBusyError(
                    f"another process has held the store ({self._path!r}) for more than {self._patience:g} seconds: "
                    "wait for it, or end it"
                )
            time.sleep(_PAUSE)
        try:
            yield
        finally:
            if self._file >= 0:  # it may be closed meanwhile
                fcntl.flock(self._file, fcntl.LOCK_UN)

    def close(self) -> None:
        """Close the file, which also ends the lock."""
        os.close(self._file)
        self._file = -1


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
    StoreError("the store 'mail.store': it cannot be used (disk I/O error). Nothing acknowledged is lost")
    """
    kind, says = _KINDS.get("_".join(error_name(error).split("_")[:2]), (StoreError, ""))
    return kind(f"the store {path!r}: {says or f'it cannot be used ({error}). Nothing acknowledged is lost'}")


def error_name(error: BaseException | None) -> str:
    """The name that SQLite gives to an error; an empty text if there is none."""
    return getattr(error, "sqlite_errorname", None) or ""

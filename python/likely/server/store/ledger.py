"""`Entry`, one row of a store, and `Ledger`, the rows in SQL, the same for every database."""

from __future__ import annotations

import contextlib
import hashlib
import json
import secrets
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal, NamedTuple, TypeAlias, cast

from likely.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from likely.server.store.postgres import PostgresDatabase
    from likely.server.store.sqlite import SqliteDatabase
    from likely.types import Label

Kind: TypeAlias = Literal["learn", "forget"]

COLUMNS = ("seq", "time", "kind", "digest", "label", "source", "key", "of", "undoes", "counts", "text", "checksum")
"""The columns of a row: the fields of `Entry`, and a checksum."""
_AS_JSON = ("label", "source", "key")


@dataclass(frozen=True)
class Entry:
    """One row: a document that was learned or forgotten.

    Attributes
    ----------
    seq : int
        The number of the entry, from 1 on, without gaps.
    time : str
        When it was written: UTC, ISO 8601, with microseconds.
    kind : {"learn", "forget"}
        What was done.
    digest : str
        The SHA-256 of the UTF-8 of the text.
    label : str, int or bool
        The class that the document was learned for, or forgotten from.
    source, key : str or None
        Where the correction came from, and the idempotency key of its request.
    of : int or None
        Of a "forget", the entry that it reverses. Of a "learn", the "forget" before it, if it moves the document to
        another class or learns it again.
    undoes : int or None
        The entry that was undone, if this one was written to undo it.
    counts : bytes or None
        The counts of the one document, as the bytes of a model file; None in a "forget", and after erasure.
    text : str or None
        The text, if texts are kept.
    """

    seq: int
    time: str
    kind: Kind
    digest: str
    label: Label
    source: str | None = None
    key: str | None = None
    of: int | None = None
    undoes: int | None = None
    counts: bytes | None = None
    text: str | None = None

    @property
    def is_erased(self) -> bool:
        """Whether the counts of what was learned are deleted."""
        return self.kind == "learn" and self.counts is None

    def erased(self) -> Entry:
        """The same entry without counts and text."""
        return replace(self, counts=None, text=None)

    def row(self) -> tuple[object, ...]:
        """The values of the columns. What people gave is JSON in ASCII, which every database stores as it is."""
        given = dict(vars(self))
        for name in _AS_JSON:
            given[name] = None if given[name] is None else json.dumps(given[name])
        given["text"] = None if self.text is None else self.text.encode("utf-8", "surrogatepass")
        values = tuple(given.values())
        return (*values, _checksum(values))

    @classmethod
    def from_row(cls, row: Sequence[object]) -> Entry:
        """The entry of a row; ``StoreError`` if the row was changed since it was written.

        Examples
        --------
        >>> entry = Entry(1, "2026-01-01T00:00:00.000000+00:00", "learn", "0" * 64, "spam", counts=b"")
        >>> Entry.from_row(entry.row()) == entry
        True
        """
        values = tuple(bytes(value) if isinstance(value, memoryview | bytearray) else value for value in row)
        if _checksum(values[:-1]) != values[-1]:
            raise StoreError(
                f"entry {values[0]} of the store is damaged: it does not match its checksum. Restore a backup"
            )
        given: dict[str, Any] = dict(zip(COLUMNS[:-1], values[:-1], strict=True))
        for name in _AS_JSON:
            given[name] = None if given[name] is None else json.loads(given[name])
        given["text"] = None if given["text"] is None else given["text"].decode("utf-8", "surrogatepass")
        return cls(**given)


def _checksum(values: tuple[object, ...]) -> str:
    """The SHA-256 of the values of a row, each with its type and length, so that no two rows look alike."""
    content = hashlib.sha256()
    for value in values:
        data = value if isinstance(value, bytes) else repr(value).encode("utf-8", "surrogatepass")
        content.update(f"{type(value).__name__} {len(data)} ".encode())
        content.update(data)
    return content.hexdigest()


class Fold(NamedTuple):
    """A model file into which all entries up to one of them are folded.

    Attributes
    ----------
    seq : int
        The last entry that the file contains.
    digest : str
        The SHA-256 of the file.
    mark : str
        The mark of the last entry that it contains. If the store has another one there, the fold is ignored.
    """

    seq: int
    digest: str
    mark: str = ""


class Position(NamedTuple):
    """Where a store is.

    Attributes
    ----------
    mark : str
        Which entry that is: after a restore the entries are others, though they have the same numbers.
    seq : int
        The number of the last entry; 0 if there is none.
    """

    mark: str
    seq: int


_INCOMPLETE = "entries are missing in the store, or were exchanged: restore a backup"

FORMAT = "1"
"""The format of the stores that this version writes."""

_ALL = ", ".join(COLUMNS)
_PLACES = ", ".join("?" * len(COLUMNS))
_LIVE = f"SELECT {_ALL} FROM entries WHERE seq IN (SELECT seq FROM learned"  # noqa: S608 - constants only


class Ledger:
    """The rows of a store, within one transaction.

    | table | contents |
    | --- | --- |
    | entries | one row per document that was learned or forgotten (`Entry`) |
    | learned | the digest of each document that is learned now, and its entry |
    | answers | what was answered to each idempotency key |
    | about | the format of the store, the digest of its base model, and the last fold |

    Attributes
    ----------
    is_lost : bool
        Whether the database has undone the transaction by itself.
    """

    def __init__(self, database: SqliteDatabase | PostgresDatabase) -> None:
        self.is_lost = False
        self.run = database.run
        self._types = database.integer, database.binary

    def create(self) -> None:
        """Make the tables of a new store."""
        integer, binary = self._types
        for statement in (
            "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
            f"CREATE TABLE entries (seq {integer} PRIMARY KEY, time TEXT NOT NULL, kind TEXT NOT NULL, "
            f"digest TEXT NOT NULL, label TEXT NOT NULL, source TEXT, key TEXT, of {integer}, undoes {integer}, "
            f"counts {binary}, text {binary}, checksum TEXT NOT NULL)",
            "CREATE INDEX entries_of ON entries (of)",
            "CREATE INDEX entries_undoes ON entries (undoes)",
            f"CREATE TABLE learned (digest TEXT PRIMARY KEY, seq {integer} NOT NULL UNIQUE, source TEXT)",
            "CREATE INDEX learned_source ON learned (source)",
            "CREATE TABLE answers (key TEXT PRIMARY KEY, request TEXT NOT NULL, answer TEXT NOT NULL)",
        ):
            self.run(statement)
        self.note("format", FORMAT)
        self.begin_generation()

    def check_format(self) -> None:
        """Raise ``StoreError`` if a newer version has written the store, or another program."""
        found = self.about("format")
        if found != FORMAT:
            raise StoreError(
                f"the store has the format {found}, and this version of `likely` reads format {FORMAT}: install the "
                "version that wrote it"
            )

    def about(self, name: str) -> str | None:
        """A fact about the store."""
        found = self.run("SELECT value FROM about WHERE name = ?", [name])
        return cast("str", found[0][0]) if found else None

    def note(self, name: str, value: str) -> None:
        """Write a fact about the store."""
        self.run("DELETE FROM about WHERE name = ?", [name])
        self.run("INSERT INTO about VALUES (?, ?)", [name, value])

    @property
    def fold(self) -> Fold | None:
        """The last fold; None if there is none, or if it was made of entries that were replaced since."""
        found = self.about("fold")
        if found is None:
            return None
        fold = Fold(*json.loads(found))
        return fold if fold.mark == self.mark(fold.seq) else None

    def note_fold(self, fold: Fold) -> None:
        """Write that entries are folded into a model file."""
        self.note("fold", json.dumps(fold))

    def position(self) -> Position:
        """Where the store is."""
        last = self.last()
        return Position(self.mark(last), last)

    def mark(self, seq: int) -> str:
        """What tells an entry from another one that has its number before or after a restore."""
        found = self.run("SELECT time, digest FROM entries WHERE seq = ?", [seq])
        return " ".join(map(str, [self.about("generation"), *(found[0] if found else ())]))

    def last(self) -> int:
        """The number of the last entry; 0 if there is none."""
        return cast("int", self.run("SELECT coalesce(max(seq), 0) FROM entries")[0][0])

    def begin_generation(self) -> None:
        """Let every process know that the entries are others than before."""
        self.note("generation", secrets.token_hex(8))

    def append(self, entry: Entry) -> None:
        """Write an entry, and what is learned after it."""
        self.run(f"INSERT INTO entries ({_ALL}) VALUES ({_PLACES})", entry.row())  # noqa: S608 - constants only
        if entry.kind == "learn":
            source = None if entry.source is None else json.dumps(entry.source)
            self.run("INSERT INTO learned VALUES (?, ?, ?)", [entry.digest, entry.seq, source])
        else:
            self.run("DELETE FROM learned WHERE digest = ?", [entry.digest])

    def entry(self, seq: int) -> Entry | None:
        """The entry with this number."""
        return _one(self._entries("WHERE seq = ?", [seq]))

    def learned(self, digest: str) -> Entry | None:
        """The entry of a document that is learned now."""
        return _one(self._read(f"{_LIVE} WHERE digest = ?)", [digest]))

    def check_complete(self) -> None:
        """Raise ``StoreError`` if entries are missing, or if what is learned does not follow from them."""
        count = "SELECT count(*), coalesce(sum(seq), 0), coalesce(sum(CASE kind WHEN 'learn' THEN 1 ELSE -1 END), 0)"
        entries, numbers, learned = cast("tuple[int, int, int]", self.run(f"{count} FROM entries")[0])
        listed = self.run(
            "SELECT (SELECT count(*) FROM learned), count(*) FROM learned JOIN entries "
            "ON entries.seq = learned.seq AND entries.digest = learned.digest AND kind = 'learn' "
            "WHERE learned.seq NOT IN (SELECT of FROM entries WHERE kind = 'forget')"
        )
        last = self.last()
        if (entries, 2 * numbers) != (last, last * (last + 1)) or listed != [(learned, learned)]:
            raise StoreError(_INCOMPLETE)

    def is_learned(self, digest: str) -> bool:
        """Whether the document with a digest is learned now."""
        return bool(self.run("SELECT 1 FROM learned WHERE digest = ?", [digest]))

    def learned_from(self, source: str) -> list[Entry]:
        """The entries of all documents of a source that are learned now."""
        return self._read(f"{_LIVE} WHERE source = ?) ORDER BY seq", [json.dumps(source)])

    def learned_before(self, day: str) -> list[Entry]:
        """The entries of all documents that are learned now, and were learned before a day (ISO 8601, UTC)."""
        return self._read(f"{_LIVE}) AND time < ? ORDER BY seq", [day])

    def all_learned(self) -> Iterator[Entry]:
        """The entries of all documents that are learned now."""
        seq = number = 0
        while found := self._read(f"{_LIVE} WHERE seq > ? ORDER BY seq LIMIT 500) ORDER BY seq", [seq]):
            yield from found
            seq, number = found[-1].seq, number + len(found)
        if self.run("SELECT count(*) FROM learned") != [(number,)]:  # pages of the file may have been exchanged
            raise StoreError(_INCOMPLETE)

    def since(self, seq: int, limit: int = 500) -> list[Entry]:
        """The entries after one of them."""
        found = self._entries("WHERE seq > ? ORDER BY seq LIMIT ?", [seq, limit])
        for expected, entry in enumerate(found, seq + 1):
            if entry.seq != expected:
                raise StoreError(f"entry {expected} of the store is missing: restore a backup")
        return found

    def before(self, seq: int | None, limit: int) -> list[Entry]:
        """The last entries before one of them, the newest first."""
        return self._entries("WHERE seq < ? ORDER BY seq DESC LIMIT ?", [2**62 if seq is None else seq, limit])

    def continuation(self, seq: int) -> Entry | None:
        """The entry that learns what an entry has forgotten: for another class, or again."""
        return _one(self._entries("WHERE of = ? AND kind = 'learn'", [seq]))

    def last_not_undone(self) -> Entry | None:
        """The last entry that neither was undone nor undoes another. Of a move, that is its second entry."""
        return _one(
            self._entries(
                "WHERE undoes IS NULL AND NOT EXISTS (SELECT 1 FROM entries AS u WHERE u.undoes = entries.seq) "
                "AND (kind = 'learn' OR NOT EXISTS (SELECT 1 FROM entries AS n WHERE n.of = entries.seq)) "
                "ORDER BY seq DESC LIMIT 1",
                [],
            )
        )

    def answer(self, key: str) -> tuple[str, str] | None:
        """The digest of the request that came with a key, and what was answered."""
        found = self.run("SELECT request, answer FROM answers WHERE key = ?", [json.dumps(key)])
        return cast("tuple[str, str]", tuple(found[0])) if found else None

    def note_answer(self, key: str, request: str, answer: str) -> None:
        """Write what is answered to a key."""
        self.run("INSERT INTO answers VALUES (?, ?, ?)", [json.dumps(key), request, answer])

    def erase(self, seq: int) -> int:
        """Delete counts and text of all documents that were forgotten up to an entry; returns their number."""
        found = self._entries(
            "WHERE counts IS NOT NULL AND seq IN (SELECT of FROM entries WHERE kind = 'forget' AND seq <= ?)", [seq]
        )
        for entry in found:
            checksum = entry.erased().row()[-1]
            self.run(
                "UPDATE entries SET counts = NULL, text = NULL, checksum = ? WHERE seq = ?", [checksum, entry.seq]
            )
        return len(found)

    @contextlib.contextmanager
    def step(self) -> Iterator[None]:
        """A part of the transaction that is undone if there is an error, while the other parts stay."""
        self.run("SAVEPOINT step")
        try:
            yield
        except BaseException:
            try:
                self.run("ROLLBACK TO step")
            except StoreError:  # if the disk is full, the database may have undone the whole transaction already
                self.is_lost = True
            raise
        self.run("RELEASE step")

    def _entries(self, rest: str, values: Sequence[object]) -> list[Entry]:
        return self._read(f"SELECT {_ALL} FROM entries {rest}", values)  # noqa: S608 - constants only

    def _read(self, statement: str, values: Sequence[object]) -> list[Entry]:
        return [Entry.from_row(row) for row in self.run(statement, values)]


class Rows:
    """What every store shares: rows are read over a connection of its own, so that no reader waits for a writer."""

    _moment: ClassVar[str]
    """The kind of transaction that reads the rows as they are at one moment."""
    _reader: SqliteDatabase | PostgresDatabase | None = None

    def __init__(self) -> None:
        self.why_read_only: str | None = None
        self._turn, self._reading = threading.RLock(), threading.Lock()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Ledger]:
        """The rows as they are at one moment."""
        with self._reading:
            if self._reader is None:
                raise StoreError("the store is closed")
            with self._reader.transaction(self._moment):
                yield Ledger(self._reader)

    def position(self) -> Position:
        """Where the store is."""
        with self.reading() as ledger:
            return ledger.position()


def _one(entries: list[Entry]) -> Entry | None:
    return entries[0] if entries else None

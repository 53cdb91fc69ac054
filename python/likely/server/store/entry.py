"""`Entry`: one row of a store, with a checksum over all that it says."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, TypeAlias, cast

from likely.errors import StoreError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.types import Label

Kind: TypeAlias = Literal["learn", "forget"]

COLUMNS = ("seq", "time", "kind", "digest", "label", "source", "key", "of", "undoes", "counts", "text", "checksum")
"""The columns of a row, in the order of `Entry.row`."""


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
        values = (
            self.seq,
            self.time,
            self.kind,
            self.digest,
            json.dumps(self.label),
            _written(self.source),
            _written(self.key),
            self.of,
            self.undoes,
            self.counts,
            None if self.text is None else self.text.encode("utf-8", "surrogatepass"),
        )
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
        *plain, label, source, key, of, undoes, counts, text = values[:-1]
        seq, time, kind, digest = cast("tuple[int, str, Kind, str]", tuple(plain))
        return cls(
            seq,
            time,
            kind,
            digest,
            json.loads(cast("str", label)),
            None if source is None else json.loads(cast("str", source)),
            None if key is None else json.loads(cast("str", key)),
            cast("int | None", of),
            cast("int | None", undoes),
            cast("bytes | None", counts),
            None if text is None else cast("bytes", text).decode("utf-8", "surrogatepass"),
        )


def _written(value: str | None) -> str | None:
    return None if value is None else json.dumps(value)


def _checksum(values: tuple[object, ...]) -> str:
    """The SHA-256 of the values of a row, each with its type and length, so that no two rows look alike."""
    content = hashlib.sha256()
    for value in values:
        data = value if isinstance(value, bytes) else repr(value).encode("utf-8", "surrogatepass")
        content.update(f"{type(value).__name__} {len(data)} ".encode())
        content.update(data)
    return content.hexdigest()

"""JSON Lines: one object per line."""

from __future__ import annotations

import json
import re
from codecs import BOM_UTF8
from itertools import islice
from typing import TYPE_CHECKING

from likely import _native
from likely.errors import SourceError
from likely.reading.columns import TEXT_NAMES
from likely.reading.records import SAMPLE, RecordReader
from likely.reading.stream import CHUNK, HEAD, LONGEST_ROW

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.reading.batch import Chosen, Lines, Skipped, Table
    from likely.reading.stream import Feed, Stream


_LINE = "line"
"""The field with a line that is not an object."""


class JsonReader(RecordReader):
    """Reads JSON Lines: one object per line."""

    format = "jsonl"
    _units = "lines"

    def __init__(self, stream: Feed, skipped: Skipped) -> None:
        super().__init__(stream, skipped)
        while b"\n" not in self._head().lstrip() and stream.more_head():
            pass
        self._sample = self._objects(self._head())
        self.columns = list(dict.fromkeys(name for row in self._sample for name in row))
        if not self._head().strip():
            raise SourceError(f"{self.where} is empty: it has no JSON object")
        if not self.columns:
            raise SourceError(f"{self.where}: its first {self._units} are not JSON objects, one per row")

    def _objects(self, head: bytes) -> list[dict[str, object]]:
        rows = []
        for line in islice(head.split(b"\n"), SAMPLE):
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                continue  # recorded as skipped when it is read
            if isinstance(row, dict):
                rows.append(row)
        return rows

    def sample(self) -> dict[str, list[str]]:
        """The first values of each column, as text."""
        return {
            name: [_as_text(row[name]) for row in self._sample if row.get(name) is not None] for name in self.columns
        }

    def _parser(self, chosen: Chosen) -> Callable[[bytes, bool], _native.Records]:
        names, has_label = chosen.names, chosen.label is not None
        return lambda chunk, last: _native.read_jsonl(chunk, last, LONGEST_ROW, names=names, has_label=has_label)

    def _rows(self, lines: Lines) -> Table:
        rows = [_parsed(line, self.where) for line in lines]
        for at, row in enumerate(rows):
            if at not in lines.instead and not row.keys() <= set(self.columns):
                name = next(name for name in row if name not in self.columns)
                raise SourceError(
                    f"{self.where}: a later row has a new field, {name!r}: write JSON Lines (--output-format jsonl)"
                )
        return {name: [row.get(name) for row in rows] for name in self.columns}

    def _mended(self, line: bytes, bad: _native.BadRow) -> bytes:
        """An object with the whole line, if the line is not an object."""
        del bad  # any problem may come with invalid bytes
        text = line.decode("utf-8", "replace")
        return text.encode() if is_object(text) else json.dumps({_LINE: text}, ensure_ascii=False).encode()


def is_object(line: str | bytes) -> bool:
    """Whether a line is a JSON object.

    Examples
    --------
    >>> is_object('{"text": "good"}'), is_object("[1]"), is_object("{")
    (True, False, False)
    """
    try:
        return isinstance(json.loads(line), dict)
    except (ValueError, RecursionError):
        return False


def _parsed(line: bytes, where: str) -> dict[str, object]:
    """The object in a line."""
    try:
        row: dict[str, object] = json.loads(line)
    except RecursionError:
        raise SourceError(
            f"{where}: a row is nested too deeply for a table: write JSON Lines (--output-format jsonl)"
        ) from None
    return row


def _as_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value)


_TEXT = re.compile(rb'"(?:' + "|".join(TEXT_NAMES).encode() + rb')"\s*:\s*"', re.IGNORECASE)


def has_array(head: bytes, *, is_lines: bool = False) -> bool:
    r"""Whether a file is one array, or one object with an array of objects, and not JSON Lines.

    An object that has a text of its own is a row. If the name of the file says that it is JSON Lines (``is_lines``),
    any object on one line is a row.

    Examples
    --------
    >>> has_array(b'[{"text": "a"}]'), has_array(b'{"count": 1,\n "data": [{"text": "a"}]}')
    (True, True)
    >>> has_array(b'{"text": "a", "words": [{"a": 1}]}\n'), has_array(b'{"words": [{"a": 1}]}\n{"words": []}\n')
    (False, False)
    """
    start = head.removeprefix(BOM_UTF8).lstrip()
    first, _, after = start.partition(b"\n")
    if start.startswith(b"{") and (is_lines or after.strip()) and is_object(first):
        return False
    array = _native.JsonArray()
    array.feed(start)
    return array.begun_at is not None and _TEXT.search(start, 0, array.begun_at) is None


class JsonArrayReader(JsonReader):
    """Reads one array of objects."""

    format = "json"
    _units = "elements"
    has_lines = False

    def __init__(self, stream: Stream, skipped: Skipped) -> None:
        super().__init__(_ArrayLines(stream), skipped)


class _ArrayLines:
    """The elements of an array as lines."""

    def __init__(self, stream: Stream) -> None:
        self.where = stream.where
        self.is_patient = stream.is_patient
        self.position = stream.position
        self.size = stream.size
        self.close = stream.close
        self._inner = stream
        self._array = _native.JsonArray()
        self._ahead = self._next(HEAD)

    @property
    def encoding(self) -> str | None:
        """The encoding of the file, as Python names it; None for UTF-8."""
        return self._inner.encoding

    @property
    def recognised(self) -> str | None:
        """The encoding of the file, if it was recognised and is not UTF-8."""
        return self._inner.recognised

    @property
    def head(self) -> bytes:
        """The first lines."""
        return self._ahead

    def read(self, size: int = CHUNK, begun: bytes = b"") -> bytes:
        """The next lines, behind the bytes of one that has begun; nothing more at the end."""
        ahead, self._ahead = self._ahead, b""
        return begun + (ahead or self._next(size))

    def more_head(self) -> bool:
        """Make `head` longer. Return False if the file has ended."""
        before = len(self._ahead)
        if before > LONGEST_ROW:
            raise SourceError(f"{self.where}: its first element is longer than {LONGEST_ROW >> 20} MB")
        self._ahead += self._next(before + HEAD)
        return len(self._ahead) > before

    def _next(self, size: int) -> bytes:
        while part := self._inner.read(size):
            if lines := self._array.feed(part):
                return lines
        if not self._array.is_closed:
            raise SourceError(f"{self.where}: cannot be read to the end: its JSON array is not closed")
        return b""

"""JSON arrays: the elements of one array are read as the lines of JSON Lines."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import TYPE_CHECKING

from likely import _native
from likely.errors import SourceError
from likely.reading.columns import TEXT_NAMES
from likely.reading.files.stream import CHUNK, HEAD, LONGEST_ROW
from likely.reading.records.jsonl import JsonReader, is_object

if TYPE_CHECKING:
    from likely.reading.files.stream import Stream
    from likely.reading.skipped import Skipped

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

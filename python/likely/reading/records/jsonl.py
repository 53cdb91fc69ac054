"""JSON Lines: one object per line."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING

from likely import _native
from likely.errors import SourceError
from likely.reading.files.stream import LONGEST_ROW
from likely.reading.records.reader import SAMPLE, RecordReader

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.reading.batch import Chosen, Lines, Table
    from likely.reading.files.stream import Feed
    from likely.reading.skipped import Skipped


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

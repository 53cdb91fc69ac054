"""JSON Lines: an object a line."""

from __future__ import annotations

import json
from itertools import islice
from typing import TYPE_CHECKING, Any

from likely import _native
from likely.errors import SourceError
from likely.reading.records import SAMPLE, RecordReader
from likely.reading.stream import LONGEST_ROW

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa

    from likely.reading.batch import Chosen, Lines, Skipped
    from likely.reading.stream import Stream


class JsonReader(RecordReader):
    """JSON Lines: an object a line."""

    format = "jsonl"

    def __init__(self, stream: Stream, skipped: Skipped) -> None:
        super().__init__(stream, skipped)
        while b"\n" not in self._head().lstrip() and stream.more_head():
            pass
        self._sample = self._objects(self._head())
        self.columns = list(dict.fromkeys(name for row in self._sample for name in row))
        if not self.columns:
            raise SourceError(f"{self.where}: its first lines are no JSON objects: is it JSON Lines?")

    def _objects(self, head: bytes) -> list[dict[str, Any]]:
        rows = []
        for line in islice(head.split(b"\n"), SAMPLE):
            try:
                row = json.loads(line)
            except (ValueError, RecursionError):
                continue  # counted when it is read
            if isinstance(row, dict):
                rows.append(row)
        return rows

    def sample(self) -> dict[str, list[str]]:
        """The first values of each column, as text."""
        return {
            name: [_as_text(row[name]) for row in self._sample if row.get(name) is not None] for name in self.columns
        }

    def _parser(self, chosen: Chosen) -> Callable[[bytes, bool], _native.Records]:
        names = [chosen.text] if chosen.label is None else [chosen.text, chosen.label]
        has_label = chosen.label is not None
        return lambda chunk, last: _native.read_jsonl(chunk, last, LONGEST_ROW, names=names, has_label=has_label)

    def _rows(self, lines: Lines) -> pa.Table:
        import pyarrow as pa

        rows = [_parsed(line, self.where) for line in lines]
        for row in rows:
            if not row.keys() <= set(self.columns):
                name = next(name for name in row if name not in self.columns)
                raise SourceError(f"{self.where}: a later row has a new name, {name!r}: write JSON Lines (jsonl)")
        columns = {name: [row.get(name) for row in rows] for name in self.columns}
        try:
            return pa.table(columns)
        except (pa.ArrowException, OverflowError, UnicodeError, RecursionError) as error:
            raise SourceError(
                f"{self.where}: its rows make no table ({error}): write the result as JSON Lines"
            ) from error


def _parsed(line: bytes, where: str) -> dict[str, Any]:
    try:
        row: dict[str, Any] = json.loads(line)
    except RecursionError:
        raise SourceError(f"{where}: a row is nested too deep to make a table of: write JSON Lines (jsonl)") from None
    return row


def _as_text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)

"""Rows with predictions as JSON Lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from likely.errors import SourceError
from likely.reading.batch import values_of
from likely.reports.rows.values import to_json
from likely.reports.rows.writer import Column, Writer, columns_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.reading.batch import Batch, Reader


class JsonWriter(Writer):
    """Writes JSON Lines. Rows of the same format are copied byte by byte, and the new fields are appended."""

    def begin(self, reader: Reader) -> None:
        """Prepare for the next file. Each row names its own fields, so the files may have different columns."""
        self._columns = columns_of(reader)
        super().begin(reader)
        self._is_spliced = reader.format in ("jsonl", "json")

    def write(self, batch: Batch, columns: list[Column]) -> None:
        """Write some rows with their new fields, which are null in a row that has a problem."""
        pairs = zip(*(column.tolist() for column in columns), strict=True)
        nothing = dict.fromkeys(self._names)
        added = (
            to_json(nothing | {self._problem: batch.problems[at]} if at in batch.problems else self._named(values))
            for at, values in enumerate(pairs)
        )
        rows = batch.lines if self._is_spliced and batch.lines else self._rows(batch)
        self._sink.write(b"".join(self._joined(row, fields) for row, fields in zip(rows, added, strict=True)))

    def _named(self, values: tuple[object, ...]) -> dict[str, object]:
        return dict(zip(self._names, values, strict=True))

    def _rows(self, batch: Batch) -> Iterator[bytes]:
        table = {name: values_of(column) for name, column in batch.table().items()}
        return (to_json(dict(zip(table, row, strict=True))).encode() for row in zip(*table.values(), strict=True))

    def _joined(self, row: bytes, fields: str) -> bytes:
        """A JSON object with the fields of another one appended."""
        for name in (*self._names, self._problem):
            written = (json.dumps(name).encode(), json.dumps(name, ensure_ascii=False).encode())
            if any(each in row for each in written) and _has(row, name):
                raise SourceError(f"a row already has a field {name!r}: name the new one with --prediction-column")
        start = row.strip()[:-1].rstrip()
        comma = b"" if start.endswith(b"{") else b", "
        return start + comma + fields[1:].encode() + b"\n"


def _has(row: bytes, name: str) -> bool:
    """Whether a JSON object has a field of this name."""
    try:
        return name in json.loads(row)
    except RecursionError:
        return True  # it may have one, and no name must occur twice

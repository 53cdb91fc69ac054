"""Rows with predictions as JSON Lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from likely.errors import SourceError
from likely.reports.rows.values import to_json
from likely.reports.rows.writer import Column, Writer, columns_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.reading import Batch
    from likely.reading.batch import Reader


class JsonWriter(Writer):
    """Writes JSON Lines. Rows of the same format are copied byte by byte, and the new fields are appended."""

    def begin(self, reader: Reader) -> None:
        """Prepare for the next file. Each row names its own fields, so the files may have different columns."""
        self._columns = columns_of(reader)
        super().begin(reader)
        self._is_spliced = reader.format == "jsonl"

    def write(self, batch: Batch, columns: list[Column]) -> None:
        """Write some rows with their new fields."""
        pairs = zip(*(column.tolist() for column in columns), strict=True)
        added = (to_json(dict(zip(self._names, values, strict=True))) for values in pairs)
        rows = batch.lines if self._is_spliced and batch.lines else self._rows(batch)
        self._sink.write(b"".join(self._joined(row, fields) for row, fields in zip(rows, added, strict=True)))

    def _rows(self, batch: Batch) -> Iterator[bytes]:
        return (to_json(row).encode() for row in batch.table().to_pylist())

    def _joined(self, row: bytes, fields: str) -> bytes:
        """A JSON object with the fields of another one appended."""
        for name in self._names:
            written = (json.dumps(name).encode(), json.dumps(name, ensure_ascii=False).encode())
            if any(each in row for each in written) and _has(row, name):
                raise SourceError(f"a row already has a field {name!r}: name the new one with --as")
        start = row.strip()[:-1].rstrip()
        comma = b"" if start.endswith(b"{") else b", "
        return start + comma + fields[1:].encode() + b"\n"


def _has(row: bytes, name: str) -> bool:
    """Whether a JSON object has a field of this name."""
    try:
        return name in json.loads(row)
    except RecursionError:
        return True  # it may have one, and no name must occur twice

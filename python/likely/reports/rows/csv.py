"""Rows with predictions as CSV."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from likely.reading.batch import values_of
from likely.reading.csv import CsvReader
from likely.reports.rows.values import plain, to_json
from likely.reports.rows.writer import Column, Writer
from likely.terminal import UNSURE

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import numpy as np

    from likely.reading.batch import Batch, Reader
    from likely.reports.rows.output import Sink


class CsvWriter(Writer):
    """Writes CSV, with the delimiter of the input unless asked for CSV. Such rows are copied byte by byte."""

    _delimiter = ","
    _line_end = b"\n"
    _has_formulas = False

    def __init__(self, sink: Sink, names: list[str], labels: np.dtype[np.generic]) -> None:
        super().__init__(sink, names, labels)
        self._first: list[bytes] = []
        """The lines above the rows, as long as they have not been written."""

    def start(self, reader: Reader, *, is_asked_for: bool) -> None:
        """Prepare for the first file, which determines the delimiter, the line that declares it and the line ends."""
        super().start(reader, is_asked_for=is_asked_for)
        if isinstance(reader, CsvReader) and not is_asked_for:
            self._delimiter, self._line_end = reader.delimiter, reader.line_end
            self._first += [] if reader.declaration is None else [reader.declaration]
        if not isinstance(reader, CsvReader) or reader.header is not None:
            self._first.append(self._fields([*self._columns, *self._names, self._problem]))

    def begin(self, reader: Reader) -> None:
        """Prepare for the next file."""
        super().begin(reader)
        self._is_spliced = isinstance(reader, CsvReader) and reader.delimiter == self._delimiter

    def write(self, batch: Batch, columns: list[Column]) -> None:
        """Write some rows with their new columns, which are empty in a row that has a problem."""
        rows = batch.lines if self._is_spliced and batch.lines else self._rows(batch)
        delimiter = self._delimiter.encode()
        added: Iterable[bytes] = (fields + delimiter for fields in self._fields_of(columns))
        if batch.problems:
            nothing = [None] * len(columns)
            bad = {at: self._fields([*nothing, problem]) for at, problem in batch.problems.items()}
            added = (bad.get(at, fields) for at, fields in enumerate(added))
        self._write_lines(row + delimiter + fields for row, fields in zip(rows, added, strict=True))

    def _rows(self, batch: Batch) -> Iterator[bytes]:
        columns = (values_of(column) for column in batch.table().values())
        return (self._fields(row) for row in zip(*columns, strict=True))

    def end(self) -> None:
        """Write the header, if there was no row at all."""
        self._write_lines([])

    def doubts(self) -> list[str]:
        """Cells that a spreadsheet would run. They are written as they are, because the file may be for a program."""
        if not self._has_formulas:
            return []
        return ["some cells begin with =, which spreadsheets take for a formula: import them as text"]

    def _write_lines(self, rows: Iterable[bytes]) -> None:
        first, self._first = self._first, []
        lines = [*first, *rows]
        if lines:
            self._sink.write(self._line_end.join(lines) + self._line_end)

    def _fields_of(self, columns: list[Column]) -> Iterator[bytes]:
        """The new fields of each row."""
        if len(columns) == 1:  # a few labels, each of which occurs often
            known = {label: self._fields([UNSURE if label is None else label]) for label in set(columns[0].tolist())}
            return (known[label] for label in columns[0].tolist())
        shown = [
            [f"{value:.6g}" for value in column.tolist()]
            if column.dtype.kind == "f"
            else [UNSURE if value is None else value for value in column.tolist()]
            for column in columns
        ]
        return map(self._fields, zip(*shown, strict=True))

    def _fields(self, values: Iterable[object]) -> bytes:
        """The values as one line, without its end."""
        return self._delimiter.join(map(self._field, values)).encode("utf-8", "replace")

    def _field(self, value: object) -> str:
        """A value as a field: empty if it is missing, JSON if it is nested, and quoted if necessary."""
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return ""
        text = to_json(value) if isinstance(value, list | dict | bool) else plain(value)
        self._has_formulas |= text.startswith("=")
        special = any(c in text for c in (self._delimiter, '"', "\n", "\r"))
        return '"' + text.replace('"', '""') + '"' if special else text


class TsvWriter(CsvWriter):
    """Writes tab separated values."""

    _delimiter = "\t"

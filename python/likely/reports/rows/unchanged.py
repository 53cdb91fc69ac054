"""Rows as they were, without new columns: the rows of a file that match."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.errors import SourceError
from likely.extras import extra
from likely.reading.csv import CsvReader
from likely.reports.rows.output import LineSink
from likely.reports.rows.parquet import ParquetWriter
from likely.reports.rows.writer import Column, Writer, columns_of

if TYPE_CHECKING:
    import pyarrow as pa

    from likely.reading.batch import Batch, Lines, Reader
    from likely.types import Mask

OF_LINES = ("csv", "tsv", "jsonl", "json", "lines", "fasttext")
"""The formats whose rows are lines, which can be copied byte by byte. A JSON array becomes JSON Lines."""


class UnchangedLines(Writer):
    """Copies rows byte by byte, each with the line end of its file."""

    _line_end: bytes | None = None

    def start(self, reader: Reader, *, is_asked_for: bool) -> None:
        """Write the lines above the rows, if the format has any."""
        super().start(reader, is_asked_for=is_asked_for)
        if isinstance(reader, CsvReader):
            above = [line for line in (reader.declaration, reader.header) if line is not None]
            self._line_end = reader.line_end
            self._sink.write(b"".join(line + reader.line_end for line in above))

    def begin(self, reader: Reader) -> None:
        """Prepare for the next file. The columns of files with a header must be the same."""
        if isinstance(reader, CsvReader):
            check_same_columns(reader, self._columns)

    def write(self, batch: Batch, columns: list[Column]) -> None:
        """Copy some rows."""
        del columns
        self._copy(batch.lines)

    def write_chosen(self, batch: Batch, columns: list[Column], wanted: Mask) -> None:
        """Copy the rows where ``wanted`` is True, without a look at their texts."""
        del columns
        self._copy(batch.lines and batch.lines.chosen(wanted))

    def _copy(self, lines: Lines | None) -> None:
        if lines is None or not len(lines.starts):
            return
        end = self._line_end or _line_end(lines.chunk, int(lines.ends[0]))
        if isinstance(self._sink, LineSink):
            self._sink.write_lines(lines, end)
        else:
            self._sink.write(lines.joined(end))


class UnchangedTable(ParquetWriter):
    """Writes the rows of a table with the types that they have."""

    def begin(self, reader: Reader) -> None:
        """Prepare for the next file, whose columns must be the same."""
        check_same_columns(reader, self._columns)

    def _table(self, batch: Batch, columns: list[Column]) -> pa.Table:
        del columns
        pa = extra("pyarrow", "Writing Parquet")
        return pa.table({name: pa.array(column) for name, column in batch.table().items()})


def check_same_columns(reader: Reader, columns: list[str]) -> None:
    """Raise ``SourceError`` if a file has other columns than the files before it."""
    if columns_of(reader) != columns:
        raise SourceError(f"{reader.where} has other columns than the first file: filter it separately")


def _line_end(chunk: bytes, end: int) -> bytes:
    r"""The line end at a place.

    Examples
    --------
    >>> _line_end(b"{}\r\n", 2), _line_end(b"{}", 2)
    (b'\r\n', b'\n')
    """
    return b"\r\n" if chunk[end : end + 2] == b"\r\n" else b"\n"

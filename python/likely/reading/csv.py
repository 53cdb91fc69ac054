"""Comma, semicolon or tab separated values."""

from __future__ import annotations

from codecs import BOM_UTF8
from typing import TYPE_CHECKING

from likely import _native
from likely.errors import SourceError
from likely.reading.batch import check_names
from likely.reading.columns import check_header
from likely.reading.formats import declared, guessed
from likely.reading.records import SAMPLE, RecordReader
from likely.reading.stream import LONGEST_ROW

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.reading.batch import Chosen, Lines, Skipped, Table
    from likely.reading.stream import Stream


_LOOK = 8 << 20
"""At most this many bytes are searched for the first row."""


class CsvReader(RecordReader):
    """Reads comma, semicolon or tab separated values, with or without a header."""

    _declared_bytes = 0
    """The number of bytes of a first line such as ``sep=;``, which declares the delimiter."""

    def __init__(self, stream: Stream, skipped: Skipped, *, header: bool | None, tabs: bool) -> None:
        super().__init__(stream, skipped)
        self.format = "tsv" if tabs else "csv"
        self._has_header = header is not False
        self._is_sure = header is not None
        while b"\n" not in self._head() and stream.more_head():
            pass
        self._broken = 0
        found = declared(self._head())
        self.delimiter = found[0] if found else "\t" if tabs else guessed(self._head())
        start = self._head()[: found[1] if found else 0]
        self._declared_bytes = len(start)
        self.declaration = start.strip(b"\r\n") or None
        """The first line that declares the delimiter, such as ``sep=;``, without its line end; None without one."""
        fields, self._header_bytes = self._first_row()
        self.columns = fields if self._has_header else [str(at) for at in range(1, len(fields) + 1)]
        check_names(self.columns, self.where)
        if not self.columns:
            raise SourceError(f"{self.where} is empty: it has neither a header nor a row")

    def _head(self) -> bytes:
        return super()._head()[self._declared_bytes :]

    @property
    def header(self) -> bytes | None:
        """The header as it is in the file, without its line end; None if the file has no header."""
        return self._header_bytes.strip(b"\r\n") if self._has_header else None

    @property
    def line_end(self) -> bytes:
        """The line end of the file."""
        return b"\r\n" if self._header_bytes.endswith(b"\r\n") else b"\n"

    def _first_row(self) -> tuple[list[str], bytes]:
        """The fields of the first row, and its bytes with the line end."""
        found = _native.read_header(self._head(), False, self.delimiter)
        while found is None and self._stream.more_head():
            found = _native.read_header(self._head(), False, self.delimiter)
        head = self._head()
        found = found or _native.read_header(head, True, self.delimiter)
        if found is None:
            raise SourceError(f"{self.where}: its first line is not a header: a quote in it is not closed")
        fields, length = found
        if b"\r" in head[:length].rstrip(b"\r\n").replace(b"\r\n", b""):
            raise SourceError(
                f"{self.where}: its lines end with CR alone: convert them to LF, as with tr '\\r' '\\n'"
            )
        return [field.decode("utf-8", "replace") for field in fields if fields != [b""]], head[:length]

    def sample(self) -> dict[str, list[str]]:
        """The first values of each column."""
        head = self._head()[len(self._header_bytes) if self._has_header else 0 :]
        everything = list(range(len(self.columns)))
        records = self._read(head, False, everything)
        while not len(records.starts) and len(head) < _LOOK and self._stream.more_head():
            head = self._head()[len(self._header_bytes) if self._has_header else 0 :]
            records = self._read(head, False, everything)
        if not len(records.starts):  # the file has a single row without a line end
            records = self._read(head, True, everything)
        columns = [column.to_pylist()[:SAMPLE] for column in records.columns]
        sample = dict(zip(self.columns, columns, strict=True))
        if self._has_header and not self._is_sure:
            check_header(sample, self.where)
        return sample

    def _read(
        self, chunk: bytes, last: bool, columns: list[int], *, has_label: bool = False, broken: int = 0
    ) -> _native.Records:
        layout = _native.CsvLayout(self.delimiter, len(self.columns), columns, has_label, LONGEST_ROW)
        return _native.read_csv(chunk, last, layout, broken)

    def _parser(self, chosen: Chosen) -> Callable[[bytes, bool], _native.Records]:
        columns = [self.columns.index(name) for name in chosen.names]

        def parse(chunk: bytes, last: bool) -> _native.Records:
            records = self._read(chunk, last, columns, has_label=chosen.label is not None, broken=self._broken)
            self._broken = records.broken
            return records

        return parse

    def _begin(self) -> bytes:
        before = self._declared_bytes + len(self._header_bytes)
        chunk = self._stream.read(before + len(BOM_UTF8)).removeprefix(BOM_UTF8)[self._declared_bytes :]
        return chunk[len(self._header_bytes) :] if self._has_header else chunk

    def _header_lines(self) -> int:
        return (self._declared_bytes > 0) + (self._header_bytes.count(b"\n") if self._has_header else 0)

    def _rows(self, lines: Lines) -> Table:
        # Other columns may contain bytes that are not valid UTF-8.
        rows = b"\n".join(lines).decode("utf-8", "replace").encode()
        records = self._read(rows, True, list(range(len(self.columns))))
        return dict(zip(self.columns, records.columns, strict=True))

    def _mended(self, line: bytes, bad: _native.BadRow) -> bytes:
        """A row with the whole line in its first column, if its fields are not those of the header."""
        if bad.has_fields:
            return line
        return b'"' + line.replace(b'"', b'""') + b'"' + self.delimiter.encode() * (len(self.columns) - 1)

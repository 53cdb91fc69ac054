"""`Writer`: what the writers of all formats have in common."""

from __future__ import annotations

import bz2
import io
import json
import math
import sys
import zlib
from contextlib import contextmanager
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, BinaryIO, Protocol, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.errors import SourceError
from likely.extras import extra
from likely.options.reading import WRITTEN_FORMATS
from likely.reading.atomic import is_standard_output, replacing
from likely.reading.batch import Batch, Lines, Reader, values_of, without_problem
from likely.reading.records import CsvReader
from likely.reading.stream import encoder
from likely.terminal import UNSURE, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import pyarrow as pa
    import pyarrow.parquet as pq
    from _typeshed import ReadableBuffer

    from likely.reading.tables import TableReader
    from likely.types import Mask


Column: TypeAlias = npt.NDArray[np.generic]
"""The values of one new column: labels or probabilities, one per row."""


class Writer:
    """Writes rows and their predictions in one format.

    Parameters
    ----------
    sink : Sink
        Where the rows are written.
    reader : Reader
        The first file.
    names : list of str
        The names of the new columns. The last one says why a row has no prediction.
    labels : numpy.dtype, optional
        The type of the labels, if some are written.
    is_asked_for : bool
        Whether the format was asked for; otherwise it follows from the input.
    """

    def __init__(
        self,
        sink: Sink,
        reader: Reader,
        names: list[str],
        labels: np.dtype[np.generic] | None = None,
        *,
        is_asked_for: bool = False,
    ) -> None:
        self._sink = sink
        *self.names, self._problem = names
        self._labels = labels
        self._columns = columns_of(reader)
        self._is_spliced = False
        self._start(reader, is_asked_for=is_asked_for)

    def _start(self, reader: Reader, *, is_asked_for: bool) -> None:
        """Prepare for the first file."""

    def begin(self, reader: Reader) -> None:
        """Prepare for the next file. Raise ``SourceError`` if its columns do not fit."""
        check_free([*self.names, self._problem], reader)
        if columns_of(reader) != self._columns:
            raise SourceError(f"{reader.where} has different columns from the first file: predict it separately")

    def write(self, batch: Batch, columns: list[Column]) -> None:
        """Write some rows with their new columns, which are empty in a row that has a problem."""
        raise NotImplementedError

    def write_chosen(self, batch: Batch, columns: list[Column], wanted: Mask) -> None:
        """Write the rows where ``wanted`` is True, none of which may have a problem."""
        self.write(batch.chosen(wanted), [column[wanted] for column in columns])

    def end(self) -> None:
        """Finish, after all rows have been written."""

    def abandon(self) -> None:
        """Give up after an error."""

    def doubts(self) -> list[str]:
        """What should be known about the output, one line each."""
        return []


def check_free(names: list[str], reader: Reader) -> None:
    """Raise ``SourceError`` if the rows that a reader returns have a column with the name of a new one already."""
    taken = {*columns_of(reader)}
    for name in names:
        if name in taken:
            raise SourceError(
                f"{reader.where} already has a column {printable(name)!r}: name the new one with --prediction-column"
            )


def columns_of(reader: Reader) -> list[str]:
    """The columns of the rows that a reader returns."""
    return list(reader.columns if reader.row_columns is None else reader.row_columns)


def to_json(value: object) -> str:
    """A value as JSON. NaN and infinite numbers become null, because JSON has none.

    Examples
    --------
    >>> to_json({"score": float("nan"), "raw": b"abc"})
    '{"score": null, "raw": "abc"}'
    """
    try:
        return json.dumps(value, default=plain, allow_nan=False)
    except ValueError:
        return json.dumps(_finite(value), default=plain)


def plain(value: object) -> str:
    """A value as text; bytes are decoded as UTF-8."""
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _finite(value: object) -> object:
    """The value with None in place of every number that is not finite."""
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


class CsvWriter(Writer):
    """Writes CSV, with the delimiter of the input unless asked for CSV. Such rows are copied byte by byte."""

    _delimiter = ","
    _line_end = b"\n"
    _has_formulas = False
    _first: tuple[bytes, ...] = ()
    """The lines above the rows, as long as they have not been written."""

    def _start(self, reader: Reader, *, is_asked_for: bool) -> None:
        """Prepare for the first file, which determines the delimiter, the line that declares it and the line ends."""
        if isinstance(reader, CsvReader) and not is_asked_for:
            self._delimiter, self._line_end = reader.delimiter, reader.line_end
            self._first = () if reader.declaration is None else (reader.declaration,)
        if not isinstance(reader, CsvReader) or reader.header is not None:
            self._first += (self._fields([*self._columns, *self.names, self._problem]),)

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
        first, self._first = self._first, ()
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
        nothing = dict.fromkeys(self.names)
        added = (
            to_json(nothing | {self._problem: batch.problems[at]} if at in batch.problems else self._named(values))
            for at, values in enumerate(pairs)
        )
        rows = batch.lines if self._is_spliced and batch.lines else self._rows(batch)
        self._sink.write(b"".join(self._joined(row, fields) for row, fields in zip(rows, added, strict=True)))

    def _named(self, values: tuple[object, ...]) -> dict[str, object]:
        return dict(zip(self.names, values, strict=True))

    def _rows(self, batch: Batch) -> Iterator[bytes]:
        table = {name: values_of(column) for name, column in batch.table().items()}
        return (to_json(dict(zip(table, row, strict=True))).encode() for row in zip(*table.values(), strict=True))

    def _joined(self, row: bytes, fields: str) -> bytes:
        """A JSON object with the fields of another one appended."""
        for name in (*self.names, self._problem):
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


ROWS_OF_GROUP = 1 << 17
"""After how many rows a row group ends. Small groups make a file slow to write and to read."""
BYTES_OF_GROUP = 1 << 26
"""After how many bytes a row group ends."""


class ParquetWriter(Writer):
    """Writes Parquet. The first rows determine the types of the columns."""

    _writer: pq.ParquetWriter | None = None
    _waiting: tuple[pa.Table, ...] = ()
    """The rows of the next row group."""

    def write(self, batch: Batch, columns: list[Column]) -> None:
        """Write some rows with their new columns, which are null in a row that has a problem."""
        pa = extra("pyarrow", "Writing Parquet")
        table = self._table(batch, columns)
        if self._writer is None:
            if self._sink.isatty():
                raise SourceError("Parquet cannot be shown on a terminal: write it to a file with -o")
            pq = extra("pyarrow.parquet", "Writing Parquet")
            self._writer = pq.ParquetWriter(pa.PythonFile(self._sink, mode="w"), table.schema, compression="zstd")
        try:
            self._waiting = (*self._waiting, table.cast(self._writer.schema))
        except (pa.ArrowException, ValueError) as error:
            raise SourceError(
                f"later rows have different types from the first rows ({error}): use --output-format jsonl"
            ) from error
        rows, size = (sum(getattr(each, of) for each in self._waiting) for of in ("num_rows", "nbytes"))
        if rows >= ROWS_OF_GROUP or size >= BYTES_OF_GROUP:
            self._write_group(self._writer)

    def _write_group(self, writer: pq.ParquetWriter) -> None:
        """Write the rows that wait."""
        pa = extra("pyarrow", "Writing Parquet")
        rows, self._waiting = self._waiting, ()
        if rows:
            writer.write_table(pa.concat_tables(rows))

    def _table(self, batch: Batch, columns: list[Column]) -> pa.Table:
        """The rows as a table, with the new columns."""
        pa = extra("pyarrow", "Writing Parquet")
        rows = len(batch.texts)
        try:
            arrays = {name: pa.array(column) for name, column in batch.table().items()}
        except (pa.ArrowException, OverflowError, UnicodeError, RecursionError) as error:
            raise SourceError(f"the rows do not fit into a table ({error}): use --output-format jsonl") from error
        bad = ~without_problem(rows, batch.problems)
        for name, column in zip(self.names, columns, strict=True):
            # If the first batch has no label at all, later batches may still have some.
            kind = column.dtype if column.dtype.kind in "fb" else self._labels
            arrays[name] = pa.array(column, pa.from_numpy_dtype(kind), mask=bad, from_pandas=False)
        problems = [batch.problems.get(at) for at in range(rows)] if batch.problems else pa.nulls(rows)
        return pa.table({**arrays, self._problem: pa.array(problems, pa.string())})

    def end(self) -> None:
        """Write the last rows and the footer."""
        if self._writer is None:
            raise SourceError("the input has no rows, so there is no Parquet file to write")
        self._write_group(self._writer)
        self._writer.close()

    def abandon(self) -> None:
        """Give up after an error, so that the writer does not try to finish the file when it is deleted."""
        if self._writer is not None:
            self._writer.is_open = False


_PACKED = frozenset((".gz", ".bz2", ".zst", ".xz", ".zip", ".ods"))


def format_by_suffix(path: str) -> str | None:
    """The format that the name of a file stands for, or None. A format that is not written is a ``SourceError``.

    Examples
    --------
    >>> format_by_suffix("out.parquet"), format_by_suffix("out")
    ('parquet', None)
    """
    from likely.reading.formats import format_by_name

    place = PurePath(path)
    suffix, name = place.suffix.lower(), format_by_name(place)
    if suffix in _PACKED or (name is not None and name not in WRITTEN_FORMATS):
        raise SourceError(
            f"{printable(path)}: predictions are not written as {suffix}: name a file that ends with .csv, .tsv, "
            ".jsonl or .parquet, or give --output-format"
        )
    return name


OF_LINES = ("csv", "tsv", "jsonl", "json", "lines", "fasttext")
"""The formats whose rows are lines, which can be copied byte by byte. A JSON array becomes JSON Lines."""


class UnchangedLines(Writer):
    """Copies rows byte by byte, each with the line end of its file."""

    _line_end: bytes | None = None
    _format = ""

    def _start(self, reader: Reader, *, is_asked_for: bool) -> None:
        """Write the lines above the rows, if the format has any."""
        del is_asked_for
        self._format = same_format(reader)
        if isinstance(reader, CsvReader):
            above = [line for line in (reader.declaration, reader.header) if line is not None]
            self._line_end = reader.line_end
            self._sink.write(b"".join(line + reader.line_end for line in above))

    def begin(self, reader: Reader) -> None:
        """Prepare for the next file, of the same format. The columns of files with a header must be the same."""
        if same_format(reader) != self._format:
            raise SourceError(f"{reader.where} has a different format from the first file: write it to its own file")
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
        if lines is not None and len(lines.starts):
            end = self._line_end or _line_end(lines.chunk, int(lines.ends[0]))
            self._sink.write(lines.joined(end))


class UnchangedTable(ParquetWriter):
    """Writes the rows of a table with the types that they have, and the metadata of its schema."""

    def _start(self, reader: Reader, *, is_asked_for: bool) -> None:
        del is_asked_for
        self._metadata = cast("pa.Schema", cast("TableReader", reader).schema).metadata

    def begin(self, reader: Reader) -> None:
        """Prepare for the next file, whose columns must be the same."""
        check_same_columns(reader, self._columns)

    def _table(self, batch: Batch, columns: list[Column]) -> pa.Table:
        del columns
        pa = extra("pyarrow", "Writing Parquet")
        columns_of_rows = {name: pa.array(column) for name, column in batch.table().items()}
        return pa.table(columns_of_rows, metadata=self._metadata)


def same_format(reader: Reader) -> str:
    """The format in which rows of a file are written if they stay as they are."""
    return "jsonl" if reader.format == "json" else reader.format


def copying(reader: Reader, sink: EncodedSink) -> Writer:
    """The writer that copies rows as they are, in the format of their file."""
    return (
        UnchangedTable(sink.bytes, reader, [""]) if reader.format == "parquet" else UnchangedLines(sink, reader, [""])
    )


def check_same_columns(reader: Reader, columns: list[str]) -> None:
    """Raise ``SourceError`` if a file has other columns than the files before it."""
    if columns_of(reader) != columns:
        raise SourceError(f"{reader.where} has different columns from the first file: write it to its own file")


def _line_end(chunk: bytes, end: int) -> bytes:
    r"""The line end at a place.

    Examples
    --------
    >>> _line_end(b"{}\r\n", 2), _line_end(b"{}", 2)
    (b'\r\n', b'\n')
    """
    return b"\r\n" if chunk[end : end + 2] == b"\r\n" else b"\n"


class Sink(Protocol):
    """A place that bytes are written to."""

    def write(self, data: bytes, /) -> int:
        """Write some bytes, and return their number."""

    def flush(self) -> None:
        """Write everything that is still in a buffer."""

    def isatty(self) -> bool:
        """Whether the bytes go to a terminal."""


@contextmanager
def open_output(path: str | None) -> Iterator[Sink]:
    """Standard output (for None or "-"), or a file that appears when it is complete."""
    if path is not None and path != "-" and not is_standard_output(path):
        with replacing(path) as file:
            yield file
        return
    # With PYTHONUNBUFFERED, sys.stdout would write only a part of what a pipe does not take at once.
    sys.stdout.flush()
    with open(sys.stdout.fileno(), "wb", closefd=False) as standard_output:
        yield _Terminal(standard_output) if standard_output.isatty() else standard_output


class EncodedSink:
    """A place where text that is written as UTF-8 arrives in the encoding of the input.

    The encoding of a file may be recognised after megabytes of ASCII, which is the same in all encodings that have
    no mark at their start. So it is settled when the first character that is not ASCII is written.

    Parameters
    ----------
    sink : Sink
        The place.
    """

    def __init__(self, sink: Sink) -> None:
        self.bytes = sink
        """The place itself, for bytes that are not text."""
        self._reader: Reader | None = None
        self._encoding: str | None = None
        self._is_settled = sink.isatty()  # a terminal shows UTF-8
        self._encode: Callable[[str], bytes] | None = None
        self.flush = sink.flush
        self.isatty = sink.isatty

    def follow(self, reader: Reader) -> None:
        """Write what comes from this reader from now on."""
        self._reader = reader

    def write(self, data: bytes, /) -> int:
        """Write some bytes of whole characters."""
        if not self._is_settled:
            self._settle(is_ascii=data.isascii())
        if self._encode is None:
            return self.bytes.write(data)
        try:
            self.bytes.write(self._encode(data.decode("utf-8", "surrogateescape")))
        except UnicodeEncodeError as error:
            wrong = printable(error.object[error.start : error.end][:20])
            raise SourceError(
                f"{wrong!r} cannot be written in {self._encoding}, the encoding of the input: convert the input to "
                "UTF-8"
            ) from error
        return len(data)

    def _settle(self, *, is_ascii: bool) -> None:
        self._encoding = self._reader.encoding if self._reader else None
        self._is_settled = not is_ascii or self._encoding is not None
        if self._encoding is not None:
            self._encode = encoder(self._encoding)


class _Terminal:
    """A terminal. Control characters of the texts are escaped, so that they cannot control it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.flush = file.flush
        self.isatty = file.isatty

    def write(self, data: bytes, /) -> int:
        lines = data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
        self._file.write("\n".join("\t".join(map(printable, line.split("\t"))) for line in lines).encode())
        return len(data)


ZSTD_LEVEL, GZIP_LEVEL = 3, 6
"""The levels that the commands ``zstd`` and ``gzip`` use by default."""
_GZIP_HEADER = 16
"""What zlib adds to its window bits to write the header and the checksum of gzip."""


def _packer(suffix: str | None) -> zlib._Compress | bz2.BZ2Compressor | None:
    if suffix == ".bz2":
        return bz2.BZ2Compressor()
    return zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, zlib.MAX_WBITS + _GZIP_HEADER) if suffix == ".gz" else None


class OutputFile(io.RawIOBase):
    """Writes to a file, compressed.

    Parameters
    ----------
    file : BinaryIO
        The file.
    suffix : str or None
        How it is compressed: ``.gz``, ``.bz2``, ``.zst`` or None. The same bytes become the same bytes.
    """

    def __init__(self, file: BinaryIO, suffix: str | None) -> None:
        self._file = file
        zstd = _native.ZstdWriter(ZSTD_LEVEL) if suffix == ".zst" else None
        packer = _packer(suffix)
        self._compress = zstd.feed if zstd else packer.compress if packer else bytes
        self._last = zstd.finish if zstd else packer.flush if packer else bytes
        self._written = 0

    def write(self, data: ReadableBuffer, /) -> int:
        """Write some bytes."""
        piece = data if isinstance(data, bytes) else bytes(data)
        self._file.write(self._compress(piece))
        self._written += len(piece)
        return len(piece)

    def writable(self) -> bool:
        """Whether bytes can be written: they can."""
        return True

    def tell(self) -> int:
        """The number of bytes that were written, before compression."""
        return self._written

    def finish(self) -> None:
        """Write what the compressor still holds."""
        self._file.write(self._last())


@contextmanager
def output_file(path: Path, suffix: str | None) -> Iterator[OutputFile]:
    """A file that appears under its name at the end, and not after an error or a kill. Its folder is created."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with replacing(path) as place:
        file = OutputFile(place, suffix)
        yield file
        file.finish()


class RowOutput:
    """The last step of the pipeline: rows of one or more files go to one place, a stream or a file.

    Parameters
    ----------
    sink : Sink
        The place.
    writer_of : callable
        The writer for the first file.
    """

    def __init__(self, sink: Sink, writer_of: Callable[[Reader, EncodedSink], Writer]) -> None:
        self._sink, self._writer_of = EncodedSink(sink), writer_of
        self.writer: Writer | None = None

    def begin(self, reader: Reader) -> None:
        """Prepare for the next file."""
        self._sink.follow(reader)
        if self.writer is None:
            self.writer = self._writer_of(reader, self._sink)
        self.writer.begin(reader)

    def put(self, batch: Batch, columns: list[Column], wanted: Mask | None = None) -> None:
        """Write some rows with their new columns; only those that are wanted, if some are not."""
        if self.writer is None:
            return
        if wanted is None or wanted.all():
            self.writer.write(batch, columns)
        else:
            self.writer.write_chosen(batch, columns, wanted)
        self._sink.flush()

    def doubts(self) -> list[str]:
        """What should be known about the output, one line each."""
        return [] if self.writer is None else self.writer.doubts()


@contextmanager
def row_output(sink: Sink, writer_of: Callable[[Reader, EncodedSink], Writer]) -> Iterator[RowOutput]:
    """A place for rows, which is finished at the end, and given up after an error. The arguments are its own."""
    place = RowOutput(sink, writer_of)
    try:
        yield place
        if place.writer is not None:
            place.writer.end()
    except BaseException:
        if place.writer is not None:
            place.writer.abandon()
        raise

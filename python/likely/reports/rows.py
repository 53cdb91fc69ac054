"""Predictions to CSV, JSON Lines or Parquet, beside the columns they belong to."""

from __future__ import annotations

import json
import math
import os
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from likely.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    import numpy.typing as npt
    import pyarrow as pa

    from likely.model.naive_bayes import NaiveBayes
    from likely.reading import Batch, Corpus

FORMATS = ("csv", "jsonl", "parquet")
UNSURE = "unsure"
"""What stands in a table of text where a model gives no answer."""

_BY_SUFFIX = {".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".json": "jsonl", ".parquet": "parquet"}


def format_by_suffix(path: str) -> str | None:
    """The format that the name of the output tells, if it does.

    Examples
    --------
    >>> format_by_suffix("out.parquet"), format_by_suffix("out")
    ('parquet', None)
    """
    return _BY_SUFFIX.get(os.path.splitext(path)[1].lower())


@dataclass(frozen=True)
class Predictions:
    """What is to be added to each row.

    Attributes
    ----------
    model : NaiveBayes
        Who predicts.
    name : str
        What the new column is called.
    proba : bool
        Whether the probability is wanted.
    top : int or None
        How many labels are wanted, with their probabilities.
    prior
        P(class) where the rows come from, if that is not as in the training data.
    """

    model: NaiveBayes
    name: str
    proba: bool
    top: int | None
    prior: Any = None

    def write(self, corpus: Corpus, sink: BinaryIO, output_format: str | None) -> None:
        """Read a corpus, and write its rows with the predictions."""
        writer: Writer | None = None
        try:
            for reader, batches in corpus.files():
                if writer is None:
                    same = "csv" if reader.format == "tsv" else reader.format
                    wanted = output_format or (same if same in FORMATS else "csv")
                    writer = _WRITERS[wanted](sink, self.names, self.model.classes_.dtype)
                    writer.start(reader, is_asked_for=output_format is not None)
                writer.begin(reader)
                for batch in batches:
                    writer.write(batch, self._columns(batch.texts))
                    sink.flush()
            if writer is not None:
                writer.end()
        except BaseException:
            if writer is not None:
                writer.abandon()
            raise

    @property
    def names(self) -> list[str]:
        """The names of the new columns."""
        share = "probability" if self.name == "prediction" else f"{self.name}_probability"
        if not self.top:
            return [self.name, share] if self.proba else [self.name]
        places = ["", *(f"_{at}" for at in range(2, self._number() + 1))]
        return [f"{stem}{place}" for place in places for stem in (self.name, share)]

    def _number(self) -> int:
        return min(self.top or 1, len(self.model.classes_))

    def _columns(self, texts: Any) -> list[npt.NDArray[Any]]:
        if not self.proba and not self.top:
            return [self.model.predict(texts, prior=self.prior)]
        labels, probabilities = self.model.predict_top(texts, self._number(), prior=self.prior)
        columns = [column[:, at] for at in range(self._number()) for column in (labels, probabilities)]
        if self.model.abstain:
            columns[0] = self.model.predict(texts, prior=self.prior)
        return columns


class Writer:
    """Rows with predictions to one format."""

    def __init__(self, sink: BinaryIO, names: list[str], labels: np.dtype[Any]) -> None:
        self._sink = sink
        self._names = names
        self._labels = labels
        self._columns: list[str] = []
        self._is_spliced = False

    def start(self, reader: Any, *, is_asked_for: bool) -> None:
        """The first file begins; ``is_asked_for`` if the format is not just the one of the input."""
        del is_asked_for
        self._columns = _columns_of(reader)

    def begin(self, reader: Any) -> None:
        """A file begins."""
        columns = _columns_of(reader)
        for name in self._names:
            if name in columns:
                raise SourceError(f"there is a column {name!r} already: name the new one with --as")
        if columns != self._columns:
            raise SourceError(f"{reader.where} has other columns than the file before: predict it apart")

    def write(self, batch: Batch, columns: list[npt.NDArray[Any]]) -> None:
        """Some rows."""
        raise NotImplementedError

    def end(self) -> None:
        """All rows are written."""

    def abandon(self) -> None:
        """Something went wrong, and nothing more is to be written."""

    def _table(self, batch: Batch, columns: list[npt.NDArray[Any]]) -> pa.Table:
        import pyarrow as pa

        table = batch.table()
        for name, column in zip(self._names, columns, strict=True):
            # Where no text of the first batch has an answer, those of the next may.
            kind = pa.from_numpy_dtype(self._labels) if column.dtype == object else None
            table = table.append_column(name, pa.array(column.tolist(), kind))
        return table


def _columns_of(reader: Any) -> list[str]:
    """The columns of the rows that a reader gives."""
    return list(reader.columns if reader.row_columns is None else reader.row_columns)


class CsvWriter(Writer):
    """Comma (or otherwise) separated values; rows of the same kind stay as they were."""

    _delimiter = ","
    _line_end = b"\n"
    _header: bytes | None = None

    def start(self, reader: Any, *, is_asked_for: bool) -> None:
        """The first file begins: it decides how all is written."""
        super().start(reader, is_asked_for=is_asked_for)
        is_same = reader.format in ("csv", "tsv")
        if is_same and not is_asked_for:
            self._delimiter, self._line_end = reader.delimiter, reader.line_end
        if not is_same or reader.header is not None:
            self._header = self._fields([*self._columns, *self._names])

    def begin(self, reader: Any) -> None:
        """A file begins."""
        super().begin(reader)
        self._is_spliced = getattr(reader, "delimiter", None) == self._delimiter

    def write(self, batch: Batch, columns: list[npt.NDArray[Any]]) -> None:
        """Some rows."""
        rows = batch.lines if self._is_spliced and batch.lines else self._rows(batch)
        delimiter = self._delimiter.encode()
        added = self._fields_of(columns)
        self._write_lines(row + delimiter + fields for row, fields in zip(rows, added, strict=True))

    def _rows(self, batch: Batch) -> Iterator[bytes]:
        values = zip(*(column.to_pylist() for column in batch.table().columns), strict=True)
        return (self._fields(row) for row in values)

    def end(self) -> None:
        """Without any row there is still a header."""
        self._write_lines([])

    def _write_lines(self, rows: Any) -> None:
        header, self._header = [] if self._header is None else [self._header], None
        lines = [*header, *rows]
        if lines:
            self._sink.write(self._line_end.join(lines) + self._line_end)

    def _fields_of(self, columns: list[npt.NDArray[Any]]) -> Iterator[bytes]:
        if len(columns) == 1:  # the same few labels again and again
            known = {label: self._fields([UNSURE if label is None else label]) for label in set(columns[0].tolist())}
            return (known[label] for label in columns[0].tolist())
        shown = [
            [f"{value:.6g}" for value in column.tolist()]
            if column.dtype.kind == "f"
            else [UNSURE if value is None else value for value in column.tolist()]
            for column in columns
        ]
        return map(self._fields, zip(*shown, strict=True))

    def _fields(self, values: Sequence[Any]) -> bytes:
        """Values as fields with delimiters between them."""
        return self._delimiter.join(map(self._field, values)).encode("utf-8", "replace")

    def _field(self, value: Any) -> str:
        """A value as a field: what is missing is empty, what is nested is JSON, and quotes where they are needed."""
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return ""
        text = _json(value) if isinstance(value, list | dict | bool) else _plain(value)
        special = any(c in text for c in (self._delimiter, '"', "\n", "\r"))
        return '"' + text.replace('"', '""') + '"' if special else text


class JsonWriter(Writer):
    """JSON Lines; from such, the rows stay as they were."""

    def begin(self, reader: Any) -> None:
        """A file begins; each row has names of its own, so files may differ in theirs."""
        self._columns = _columns_of(reader)
        super().begin(reader)
        self._is_spliced = reader.format == "jsonl"

    def write(self, batch: Batch, columns: list[npt.NDArray[Any]]) -> None:
        """Some rows."""
        pairs = zip(*(column.tolist() for column in columns), strict=True)
        added = (_json(dict(zip(self._names, values, strict=True))) for values in pairs)
        rows = batch.lines if self._is_spliced and batch.lines else self._rows(batch)
        self._sink.write(b"".join(self._joined(row, fields) for row, fields in zip(rows, added, strict=True)))

    def _rows(self, batch: Batch) -> Iterator[bytes]:
        return (_json(row).encode() for row in batch.table().to_pylist())

    def _joined(self, row: bytes, fields: str) -> bytes:
        """An object with the fields of another behind its own."""
        for name in self._names:
            written = (json.dumps(name).encode(), json.dumps(name, ensure_ascii=False).encode())
            if any(each in row for each in written) and _has(row, name):
                raise SourceError(f"there is a value {name!r} already: name the new one with --as")
        start = row.strip()[:-1].rstrip()
        comma = b"" if start.endswith(b"{") else b", "
        return start + comma + fields[1:].encode() + b"\n"


def _has(row: bytes, name: str) -> bool:
    try:
        return name in json.loads(row)
    except RecursionError:
        return True  # rather than to write it twice


def _json(value: Any) -> str:
    """A value as JSON, which knows no NaN and no bytes."""
    try:
        return json.dumps(value, default=_plain, allow_nan=False)
    except ValueError:
        return json.dumps(_without_nan(value), default=_plain)


def _plain(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)


def _without_nan(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _without_nan(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_without_nan(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


class ParquetWriter(Writer):
    """Parquet."""

    _writer: Any = None

    def write(self, batch: Batch, columns: list[npt.NDArray[Any]]) -> None:
        """Some rows."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = self._table(batch, columns)
        if self._writer is None:
            if self._sink.isatty():
                raise SourceError("Parquet is nothing for a terminal: write it to a file with -o")
            self._writer = pq.ParquetWriter(pa.PythonFile(self._sink, mode="w"), table.schema, compression="zstd")
        try:
            self._writer.write_table(table.cast(self._writer.schema))
        except (pa.ArrowException, ValueError) as error:
            raise SourceError(f"later rows differ in type from the first ({error}): use --format jsonl") from error

    def end(self) -> None:
        """The footer."""
        if self._writer is None:
            raise SourceError("there are no rows, so there is no Parquet file to write")
        self._writer.close()

    def abandon(self) -> None:
        """It must not try to end the file when it is thrown away."""
        if self._writer is not None:
            self._writer.is_open = False


_WRITERS: dict[str, type[Writer]] = {"csv": CsvWriter, "jsonl": JsonWriter, "parquet": ParquetWriter}


@contextmanager
def open_output(path: str | None) -> Iterator[Any]:
    """Standard output, or a file that appears when it is complete."""
    from likely.storage.atomic import is_standard_output, replacing

    if path is not None and path != "-" and not is_standard_output(path):
        with replacing(path) as file:
            yield file
        return
    # With PYTHONUNBUFFERED Python's own would write only a part of what a pipe does not take at once.
    sys.stdout.flush()
    with open(sys.stdout.fileno(), "wb", closefd=False) as standard_output:
        yield _Terminal(standard_output) if standard_output.isatty() else standard_output


class _Terminal:
    """A terminal that texts cannot steer."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.flush = file.flush
        self.isatty = file.isatty

    def write(self, data: bytes) -> int:
        from likely.terminal import printable

        lines = data.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")
        self._file.write("\n".join("\t".join(map(printable, line.split("\t"))) for line in lines).encode())
        return len(data)

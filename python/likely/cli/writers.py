"""Predictions to CSV, JSON Lines or Parquet, beside the columns they belong to."""

from __future__ import annotations

import csv
import io
import json
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, BinaryIO

from likely.errors import SourceError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt
    import pyarrow as pa

    from likely.corpus import Batch, Corpus
    from likely.model import NaiveBayes

FORMATS = ("csv", "jsonl", "parquet")

_SPLICED = {("csv", "csv"), ("tsv", "csv"), ("jsonl", "jsonl")}
"""Input and output formats where a row is written as it stands, with the prediction behind it."""


@dataclass(frozen=True)
class Predictions:
    """What is to be added to each row.

    Attributes
    ----------
    name : str
        What the new column is called.
    proba : bool
        Whether the probability is wanted.
    top : int or None
        How many labels are wanted, with their probabilities.
    """

    name: str
    proba: bool
    top: int | None

    def write(self, model: NaiveBayes, corpus: Corpus, sink: BinaryIO, output_format: str | None) -> None:
        """Read a corpus, and write its rows with the predictions."""
        writer: Writer | None = None
        for reader, batches in corpus.files():
            same = "csv" if reader.format in ("csv", "tsv") else reader.format
            wanted = output_format or (same if same in FORMATS else "csv")
            if writer is None:
                writer = _WRITERS[wanted](sink, self, spliced=(reader.format, wanted) in _SPLICED)
            writer.begin(reader)
            for batch in batches:
                writer.write(batch, self._columns(model, batch.texts))
                sink.flush()
        if writer is not None:
            writer.end()

    @property
    def names(self) -> list[str]:
        """The names of the new columns."""
        if self.top:
            places = ["", *(f"_{at}" for at in range(2, self.top + 1))]
            return [f"{stem}{place}" for place in places for stem in (self.name, "probability")]
        return [self.name, "probability"] if self.proba else [self.name]

    def _columns(self, model: NaiveBayes, texts: Any) -> list[npt.NDArray[Any]]:
        if not self.proba and not self.top:
            return [model.predict(texts)]
        labels, probabilities = model.predict_top(texts, self.top or 1)
        columns = []
        for at in range(self.top or 1):
            known = at < labels.shape[1]
            columns += [labels[:, at] if known else None, probabilities[:, at] if known else None]
        return [column for column in columns if column is not None]

    def check_free(self, columns: Sequence[str]) -> None:
        """Raise if a column of that name is there already."""
        for name in self.names:
            if name in columns:
                raise SourceError(f"there is a column {name!r} already: name the new one with --as")


class Writer:
    """Rows with predictions to one format."""

    def __init__(self, sink: BinaryIO, predictions: Predictions, *, spliced: bool) -> None:
        self._sink = sink
        self._predictions = predictions
        self._spliced = spliced
        self._columns: list[str] | None = None

    def begin(self, reader: Any) -> None:
        """A file begins; all must have the same columns."""
        columns = list(reader.columns)
        if self._columns is None:
            self._predictions.check_free(columns)
            self._columns = columns
            self._start(reader)
        elif columns != self._columns:
            raise SourceError(f"{reader.where} has other columns than the file before: predict it apart")

    def _start(self, reader: Any) -> None:
        """Whatever comes before the first row."""

    def write(self, batch: Batch, columns: list[npt.NDArray[Any]]) -> None:
        """Some rows."""
        raise NotImplementedError

    def end(self) -> None:
        """Whatever comes after the last row."""

    def _table(self, batch: Batch, columns: list[npt.NDArray[Any]]) -> pa.Table:
        import pyarrow as pa

        table = batch.table()
        for name, column in zip(self._names(columns), columns, strict=True):
            table = table.append_column(name, pa.array(column.tolist()))
        return table

    def _names(self, columns: list[npt.NDArray[Any]]) -> list[str]:
        # Fewer than asked for, if the model has fewer classes.
        return self._predictions.names[: len(columns)]


class CsvWriter(Writer):
    """Comma separated values; from such, the rows stay as they were."""

    _delimiter = ","
    _header: bytes | None = None
    _is_begun = False

    def _start(self, reader: Any) -> None:
        if self._spliced:
            self._delimiter = reader.delimiter
            self._header = reader.header

    def write(self, batch: Batch, columns: list[npt.NDArray[Any]]) -> None:
        """Some rows."""
        if not self._spliced:
            self._write_table(batch, columns)
            return
        lines = [] if self._is_begun or self._header is None else [self._header + self._fields(self._names(columns))]
        added = self._fields_of(columns)
        lines += [row + fields for row, fields in zip(batch.lines or (), added, strict=True)]
        self._is_begun = True
        self._sink.write(b"\n".join(lines) + b"\n")

    def _fields_of(self, columns: list[npt.NDArray[Any]]) -> Iterator[bytes]:
        if len(columns) == 1:  # the same few labels again and again
            known = {label: self._fields([label]) for label in set(columns[0].tolist())}
            return (known[label] for label in columns[0].tolist())
        rows = zip(*(column.tolist() for column in columns), strict=True)
        return (self._fields(row) for row in rows)

    def _fields(self, values: Sequence[Any]) -> bytes:
        """Values as further fields of a row."""
        text = io.StringIO(newline="")
        csv.writer(text, delimiter=self._delimiter, lineterminator="").writerow(["", *map(_field, values)])
        return text.getvalue().encode()

    def _write_table(self, batch: Batch, columns: list[npt.NDArray[Any]]) -> None:
        table = self._table(batch, columns)
        text = io.StringIO(newline="")
        rows = csv.writer(text, lineterminator="\n")
        if not self._is_begun:
            rows.writerow(table.column_names)
        self._is_begun = True
        rows.writerows(zip(*(map(_field, column.to_pylist()) for column in table.columns), strict=True))
        self._sink.write(text.getvalue().encode())


def _field(value: Any) -> Any:
    """A value as a field of CSV: what is missing is empty, what is nested is JSON."""
    if isinstance(value, float):
        return f"{value:.6g}"
    return json.dumps(value, default=str) if isinstance(value, list | dict) else value


class JsonWriter(Writer):
    """JSON Lines; from such, the rows stay as they were."""

    def write(self, batch: Batch, columns: list[npt.NDArray[Any]]) -> None:
        """Some rows."""
        names = self._names(columns)
        added = (
            json.dumps(dict(zip(names, values, strict=True)))
            for values in zip(*(column.tolist() for column in columns), strict=True)
        )
        if self._spliced:
            rows = (_spliced(row, fields) for row, fields in zip(batch.lines or (), added, strict=True))
        else:
            table = batch.table().to_pylist()
            rows = (
                _spliced(json.dumps(row, default=str).encode(), fields)
                for row, fields in zip(table, added, strict=True)
            )
        self._sink.write(b"".join(rows))


def _spliced(row: bytes, fields: str) -> bytes:
    """An object with the fields of another behind its own."""
    start = row.rstrip()[:-1].rstrip()
    comma = b"" if start.endswith(b"{") else b", "
    return start + comma + fields[1:].encode() + b"\n"


class ParquetWriter(Writer):
    """Parquet."""

    _writer: Any = None

    def write(self, batch: Batch, columns: list[npt.NDArray[Any]]) -> None:
        """Some rows."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = self._table(batch, columns)
        if self._writer is None:
            self._writer = pq.ParquetWriter(pa.PythonFile(self._sink, mode="w"), table.schema, compression="zstd")
        try:
            self._writer.write_table(table.cast(self._writer.schema))
        except pa.ArrowException as error:
            raise SourceError(f"later rows differ in type from the first ({error}): use --format jsonl") from error

    def end(self) -> None:
        """The footer."""
        if self._writer is not None:
            self._writer.close()


_WRITERS: dict[str, type[Writer]] = {"csv": CsvWriter, "jsonl": JsonWriter, "parquet": ParquetWriter}


@contextmanager
def open_output(path: str | None) -> Iterator[BinaryIO]:
    """Standard output, or a file that appears when it is complete."""
    if path is None:
        # With PYTHONUNBUFFERED Python's own would write only a part of what a pipe does not take at once.
        sys.stdout.flush()
        with open(sys.stdout.fileno(), "wb", closefd=False) as standard_output:
            yield standard_output
        return
    from likely.store.durable import replacing

    with replacing(path) as file:
        yield file

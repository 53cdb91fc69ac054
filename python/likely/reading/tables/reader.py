"""Tables: `TableReader`, and the readers of Parquet files and Arrow files."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from likely import _native
from likely.errors import SourceError
from likely.extras import extra
from likely.labels import coded
from likely.reading.batch import Batch, Chosen, check_names
from likely.reading.beside import read_groups, read_weights
from likely.reading.files.formats import ARROW_FILE
from likely.reading.files.names import name_of
from likely.reading.records.reader import SAMPLE
from likely.reading.tables.batches import bounded, parquet_batches
from likely.reading.tables.columns import empty, is_text, missing, passed_on, shown, unreadable
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import BinaryIO

    import pyarrow as pa

    from likely.reading.batch import Table
    from likely.reading.skipped import Skipped
    from likely.types import Array, Mask

NOT_UTF8 = "not valid UTF-8"


class TableReader:
    """Reads a table that comes in batches.

    Parameters
    ----------
    batches : iterable of pyarrow.RecordBatch
        The rows.
    columns : list of str
        The names of the columns.
    name : str
        The format.
    where : str
        The name of the source in messages.
    skipped : Skipped
        Records the rows that cannot be read.
    """

    def __init__(
        self, batches: Iterable[pa.RecordBatch], columns: list[str], name: str, where: str, skipped: Skipped
    ) -> None:
        self.format = name
        self.where = where
        self.columns = columns
        self.row_columns: list[str] | None = None
        self.encoding: str | None = None
        self.recognised: str | None = None
        check_names(self.columns, where)
        self._batches = iter(batches)
        self._skipped = skipped
        self._row = 0
        self._ahead: list[pa.RecordBatch] = []
        self.size: Callable[[], int] = lambda: 0
        self.rows_in_all = 0
        self.release: Callable[[], object] = lambda: None
        self.narrow: Callable[[list[str]], Iterator[pa.RecordBatch]] | None = None
        """Starts again with only some columns, if the others then need not be read."""
        self.preview: Callable[[], dict[str, list[str]]] | None = None
        """Returns the first values of each column, if that does not need a batch of all columns."""
        self.schema: pa.Schema | None = None
        """The types of the columns, if they are known without rows."""

    def position(self) -> int:
        """About the number of bytes that have been read."""
        return self.size() * self._row // self.rows_in_all if self.rows_in_all else 0

    def close(self) -> None:
        """Close the file or the connection."""
        self.release()

    def sample(self) -> dict[str, list[str]]:
        """The first values of each column, as text. A column that cannot be shown has none."""
        if self.preview:
            return self.preview()
        first = self._next()
        if first is None:
            return {name: [] for name in self.columns}
        self._ahead = [first]
        return {name: shown(first.column(name).slice(0, SAMPLE)) for name in self.columns}

    def _next(self) -> pa.RecordBatch | None:
        try:
            return next(self._batches, None)
        except SourceError:
            raise
        except Exception as error:  # pyarrow, DuckDB and sqlite3 have errors of their own
            raise SourceError(f"{self.where}: cannot be read: {error}") from error

    def batches(self, chosen: Chosen, *, whole: bool) -> Iterator[Batch]:
        """All rows, in batches. If ``whole`` is False, other columns than those chosen are not looked at."""
        wanted = chosen.names
        if self.narrow and not whole:
            self._batches, self._ahead = self.narrow(wanted), []
        while (rows := self._ahead.pop() if self._ahead else self._next()) is not None:
            if rows.num_rows:
                yield from self._checked(rows if whole else rows.select(wanted), chosen)

    def no_rows(self) -> Batch | None:
        """A batch without rows, from which an empty table can be written; None if the types are not known."""
        empty = None if self.schema is None else self.schema.empty_table()
        table = {} if empty is None else {name: empty[name].combine_chunks() for name in empty.column_names}
        return None if empty is None else Batch(_native.Strings([]), None, lambda: table)

    def _checked(self, rows: pa.RecordBatch, chosen: Chosen) -> Iterator[Batch]:
        """The rows in bounded batches. Those that cannot be read are recorded, and stay if no labels are read."""
        rows = self._sound(rows, chosen)
        weights, unweighted = self._weights(rows, chosen.weight)
        problems = self._recorded(rows, chosen, unweighted)
        self._row += rows.num_rows
        before = 0
        for some in bounded(rows):
            after = before + some.num_rows
            bad = (
                {at - before: problem for at, problem in problems.items() if before <= at < after} if problems else {}
            )
            batch = self._batch(some, bad, chosen, None if weights is None else weights[before:after])
            before = after
            if len(batch.texts):
                yield batch

    def _batch(self, rows: pa.RecordBatch, bad: Mapping[int, str], chosen: Chosen, weights: Array | None) -> Batch:
        if chosen.label is None:
            texts = _texts(rows.column(chosen.text), bad)
            groups = self._groups(rows, chosen.group, texts)
            return Batch(texts, None, partial(self._table, rows), None, bad, weights, groups)
        kept = _without(rows, bad)
        texts, labels = _texts(kept.column(chosen.text), {}), coded(self._labels(kept, chosen.label))
        groups = self._groups(kept, chosen.group, texts)
        weights = None if weights is None else np.delete(weights, list(bad))
        return Batch(texts, labels, partial(self._table, kept), weights=weights, groups=groups)

    def _weights(self, rows: pa.RecordBatch, name: str | None) -> tuple[Array | None, dict[int, str]]:
        """The weights of rows, and the problem of each row whose weight cannot be read."""
        if name is None:
            return None, {}
        import pyarrow as pa

        column = self._column(rows, name)
        is_number = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
        numbers = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False) if is_number else None
        return read_weights(column.to_pylist() if numbers is None else numbers)

    def _groups(self, rows: pa.RecordBatch, name: str | None, texts: _native.Strings) -> list[str] | None:
        return None if name is None else read_groups(self._column(rows, name).to_pylist(), texts)

    def _recorded(self, rows: pa.RecordBatch, chosen: Chosen, unweighted: Mapping[int, str]) -> dict[int, str]:
        """The problem of each row that has one, which is recorded."""
        found: dict[int, str] = {}
        for problem, where in self._problems(rows, chosen):
            for at in np.flatnonzero(where).tolist():
                found.setdefault(at, problem)
        for at, problem in unweighted.items():
            found.setdefault(at, problem)
        for at, problem in sorted(found.items()):
            self._skipped.add(self.where, self._row + at + 1, problem, label=_label_at(rows, chosen.label, at))
        return found

    def _table(self, rows: pa.RecordBatch) -> Table:
        return {name: passed_on(rows.column(name), name, self.where) for name in rows.schema.names}

    def _sound(self, rows: pa.RecordBatch, chosen: Chosen) -> pa.RecordBatch:
        """The rows with the other columns as they can be passed on."""
        for at, name in enumerate(rows.schema.names):
            column = rows.column(at)
            if (
                name not in (chosen.text, chosen.label)
                and (other := passed_on(column, name, self.where)) is not column
            ):
                rows = rows.set_column(at, name, other)
        return rows

    def _problems(self, rows: pa.RecordBatch, chosen: Chosen) -> list[tuple[str, Mask]]:
        """What may be wrong with a row, and in which rows it is. An empty label is missing too."""
        text = self._column(rows, chosen.text)
        if not is_text(text) and not missing(text).all():
            raise SourceError(
                f"{self.where}: the column {printable(chosen.text)!r} is of type {text.type}, not text: name another "
                "one with text=... (--text-column)"
            )
        problems = [(NOT_UTF8, unreadable(text, chosen.text, self.where)), ("no text", missing(text))]
        if chosen.label is None:
            return problems
        label = self._column(rows, chosen.label)
        invalid = unreadable(label, chosen.label, self.where)
        return [*problems, (NOT_UTF8, invalid), ("no label", missing(label) | empty(label))]

    def _labels(self, rows: pa.RecordBatch, name: str) -> pa.Array:
        """The labels. Whole numbers that pandas converted to doubles, because one was missing, are converted back."""
        import pyarrow as pa

        column = rows.column(name)
        if not pa.types.is_floating(column.type):
            return column
        try:
            return column.cast(pa.int64())
        except pa.ArrowInvalid:
            raise SourceError(
                f"{self.where}: the labels in {name!r} are fractions: labels must be text or whole numbers"
            ) from None

    def _column(self, rows: pa.RecordBatch, name: str) -> pa.Array:
        import pyarrow as pa

        column = rows.column(name)
        kinds = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view)
        if any(is_kind(column.type) for is_kind in kinds):
            raise SourceError(f"{self.where}: the column {name!r} contains bytes: decode it to text first")
        return column


def _texts(column: pa.Array, bad: Mapping[int, str]) -> _native.Strings:
    """The texts of a column, with an empty text where there is a problem."""
    if not bad:
        return _native.Strings(column)
    import pyarrow as pa

    good = np.ones(len(column), np.bool_)
    good[list(bad)] = False
    texts = np.full(len(column), "", dtype=object)
    texts[good] = column.filter(pa.array(good)).to_pylist()
    return _native.Strings(texts.tolist())


def _without(rows: pa.RecordBatch, bad: Mapping[int, str]) -> pa.RecordBatch:
    """The rows that have no problem."""
    import pyarrow as pa

    good = np.ones(rows.num_rows, np.bool_)
    good[list(bad)] = False
    return rows.filter(pa.array(good)) if bad else rows


def _label_at(rows: pa.RecordBatch, name: str | None, at: int) -> str | None:
    """The label of a row, if it can be read."""
    found = [] if name is None else shown(rows.column(name).slice(at, 1))
    return found[0] if found and found[0] else None


def parquet_reader(path: Path, file: BinaryIO | None, skipped: Skipped) -> TableReader:
    """The reader of a Parquet file, or of its bytes if the file is compressed."""
    extra("pyarrow", "Reading Parquet")
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        parquet = pq.ParquetFile(file or path, pre_buffer=False)
        texts = [field.name for field in parquet.schema_arrow if field.type in (pa.string(), pa.large_string())]
        dictionaries = pq.ParquetFile(file or path, pre_buffer=False, read_dictionary=texts)
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"{name_of(path)}: cannot be read as Parquet: {error}") from error

    def batches(columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
        return parquet_batches(parquet, dictionaries, columns)

    reader = TableReader(batches(), parquet.schema_arrow.names, "parquet", name_of(path), skipped)
    reader.narrow = batches
    reader.release = lambda: (parquet.close(force=True), dictionaries.close(force=True))
    reader.schema = parquet.schema_arrow
    reader.rows_in_all = parquet.metadata.num_rows
    reader.size = lambda: 0 if file else path.stat().st_size
    return reader


def arrow_reader(path: Path, file: BinaryIO | None, skipped: Skipped) -> TableReader:
    """The reader of an Arrow file, a Feather file or an Arrow stream."""
    extra("pyarrow", "Reading Arrow files")
    import pyarrow as pa

    try:
        source = pa.PythonFile(file, mode="r") if file else pa.OSFile(str(path))
        schema = _arrow_batches(source, None)[0]
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"{name_of(path)}: cannot be read as Arrow: {error}") from error
    reader = TableReader(_arrow_batches(source, None)[1], schema.names, "arrow", name_of(path), skipped)
    reader.narrow = lambda columns: _arrow_batches(source, [schema.get_field_index(name) for name in columns])[1]
    reader.release = source.close
    return reader


def _arrow_batches(source: pa.NativeFile, fields: list[int] | None) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    """The schema of an Arrow file or stream, and its batches with some columns, read from the start."""
    import pyarrow as pa

    options = pa.ipc.IpcReadOptions(included_fields=fields)
    source.seek(0)
    is_file = source.read(len(ARROW_FILE)) == ARROW_FILE
    source.seek(0)
    if not is_file:
        stream = pa.ipc.open_stream(source, options=options)
        return stream.schema, iter(stream)
    opened = pa.ipc.open_file(source, options=options)
    return opened.schema, (opened.get_batch(at) for at in range(opened.num_record_batches))

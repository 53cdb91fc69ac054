"""Tables: Parquet, Arrow, frames, and what a query gives."""

from __future__ import annotations

from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from likely.errors import SourceError
from likely.labels import coded
from likely.reading.batch import Batch, Chosen, Skipped, check_names
from likely.reading.records import SAMPLE

if TYPE_CHECKING:
    import io
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    import numpy.typing as npt
    import pyarrow as pa

ROWS = 8192
"""How many rows make a batch."""

_PANDAS_INDEX = "__index_level_"
_READ_ONLY_SQLITE = "file:{}?mode=ro"


class TableReader:
    """Batches of a table, from wherever."""

    def __init__(self, batches: Iterable[Any], columns: list[str], name: str, where: str, skipped: Skipped) -> None:
        self.format = name
        self.where = where
        self.columns = columns
        self.row_columns: list[str] | None = None
        check_names(self.columns, where)
        self._batches = iter(batches)
        self._skipped = skipped
        self._row = 0
        self._ahead: list[Any] = []
        self.size: Callable[[], int] = lambda: 0
        self.rows_in_all = 0
        self.release: Callable[[], object] = lambda: None
        self.narrow: Callable[[list[str]], Iterator[Any]] | None = None
        """Begins anew with fewer columns, where that saves reading the others."""

    def position(self) -> int:
        """About how many bytes of it have been read."""
        return self.size() * self._row // self.rows_in_all if self.rows_in_all else 0

    def close(self) -> None:
        """Close the file or the connection."""
        self.release()

    def sample(self) -> dict[str, list[str]]:
        """The first values of each column, as text."""
        first = self._next()
        if first is None:
            return {name: [] for name in self.columns}
        self._ahead = [first]
        head = first.slice(0, SAMPLE).to_pydict()
        return {name: [str(value) for value in values if value is not None] for name, values in head.items()}

    def _next(self) -> Any:
        try:
            return next(self._batches, None)
        except Exception as error:  # pyarrow, DuckDB and sqlite3 each raise their own
            raise SourceError(f"{self.where}: cannot be read: {error}") from error

    def batches(self, chosen: Chosen, *, whole: bool) -> Iterator[Batch]:
        """All rows; with all their columns only if asked for the ``whole``."""
        if self.narrow and not whole:
            wanted = [chosen.text] if chosen.label is None else [chosen.text, chosen.label]
            self._batches, self._ahead = self.narrow(list(dict.fromkeys(wanted))), []
        while (rows := self._ahead.pop() if self._ahead else self._next()) is not None:
            if rows.num_rows:
                yield from self._checked(rows, chosen)

    def _checked(self, rows: Any, chosen: Chosen) -> Iterator[Batch]:
        """The rows without those that lack a text or a label."""
        import pyarrow as pa

        wanted = {"no text": chosen.text} | ({"no label": chosen.label} if chosen.label is not None else {})
        missing = {problem: self._missing(rows, name, problem) for problem, name in wanted.items()}
        bad = np.logical_or.reduce(list(missing.values()))
        for at in np.flatnonzero(bad).tolist():
            problem = next(problem for problem, where in missing.items() if where[at])
            self._skipped.add(self.where, self._row + at + 1, problem, unit="row")
        self._row += rows.num_rows
        if bad.any():
            rows = rows.filter(pa.array(~bad))
        if rows.num_rows:
            labels = None if chosen.label is None else coded(self._labels(rows, chosen.label))
            yield Batch(self._column(rows, chosen.text), labels, partial(pa.Table.from_batches, [rows]))

    def _missing(self, rows: Any, name: str, problem: str) -> npt.NDArray[np.bool_]:
        """Which values of a column are missing; a label is also if it is empty."""
        import pyarrow as pa
        import pyarrow.compute as pc

        column = self._column(rows, name)
        if isinstance(column, pa.DictionaryArray):
            column = column.dictionary_decode()
        missing: npt.NDArray[np.bool_] = column.is_null(nan_is_null=True).to_numpy(zero_copy_only=False)
        if problem == "no label" and (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
            missing = missing | pc.equal(column, "").fill_null(False).to_numpy(zero_copy_only=False)
        return missing

    def _labels(self, rows: Any, name: str) -> Any:
        """The labels; numbers that pandas made doubles, because one was missing, are whole numbers again."""
        import pyarrow as pa

        column = self._column(rows, name)
        if not pa.types.is_floating(column.type):
            return column
        try:
            return column.cast(pa.int64())
        except pa.ArrowInvalid:
            raise SourceError(
                f"{self.where}: the labels in {name!r} are fractions: labels are text or whole"
            ) from None

    def _column(self, rows: Any, name: str) -> Any:
        import pyarrow as pa

        column = rows.column(rows.schema.get_field_index(name))
        if pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):
            raise SourceError(f"{self.where}: the column {name!r} holds bytes: decode it to text first")
        return column


def parquet_reader(path: Path, file: io.BytesIO | None, skipped: Skipped) -> TableReader:
    """A Parquet file, or its bytes if they were compressed."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        parquet = pq.ParquetFile(file or path, pre_buffer=False)
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"{path}: cannot be read as Parquet: {error}") from error
    reader = TableReader(parquet.iter_batches(ROWS), parquet.schema_arrow.names, "parquet", str(path), skipped)
    reader.narrow = lambda columns: parquet.iter_batches(ROWS, columns=columns)
    reader.release = lambda: parquet.close(force=True)
    reader.rows_in_all = parquet.metadata.num_rows
    reader.size = lambda: 0 if file else path.stat().st_size
    return reader


def arrow_reader(path: Path, file: io.BytesIO | None, skipped: Skipped) -> TableReader:
    """An Arrow or Feather file, or an Arrow stream."""
    import pyarrow as pa

    try:
        source: Any = pa.BufferReader(file.getvalue()) if file else pa.OSFile(str(path))
        opened: Any
        if source.read(6) == b"ARROW1":
            opened = pa.ipc.open_file(source)
            batches = (opened.get_batch(at) for at in range(opened.num_record_batches))
        else:
            source.seek(0)
            opened = pa.ipc.open_stream(source)
            batches = iter(opened)
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"{path}: cannot be read as Arrow: {error}") from error
    reader = TableReader(batches, opened.schema.names, "arrow", str(path), skipped)
    reader.release = source.close
    return reader


def frame_reader(frame: Any, skipped: Skipped) -> TableReader:
    """A frame of pandas or polars, an Arrow table, a DuckDB relation: whatever streams Arrow data."""
    import pyarrow as pa

    try:
        if hasattr(frame, "__arrow_c_stream__"):
            stream = pa.RecordBatchReader.from_stream(frame)
        else:
            stream = pa.Table.from_batches([pa.record_batch(frame)]).to_reader()
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise SourceError(f"the frame cannot be read as Arrow data: {error}") from error
    names = [name for name in stream.schema.names if not name.startswith(_PANDAS_INDEX)]
    schema = (
        pa.schema([stream.schema.field(name) for name in names]) if len(set(names)) == len(names) else stream.schema
    )
    return TableReader(_sliced(stream), schema, "frame", f"the {type(frame).__name__}", skipped)


def _sliced(batches: Iterable[Any]) -> Iterator[Any]:
    """Batches of moderate size: a frame may be one of millions of rows. The index of pandas is no column."""
    for whole in batches:
        batch = whole.drop_columns([name for name in whole.schema.names if name.startswith(_PANDAS_INDEX)])
        for start in range(0, batch.num_rows, ROWS):
            yield batch.slice(start, ROWS)


def sql_reader(query: str, database: Path | None, skipped: Skipped) -> TableReader:
    """What a query gives: asked of an SQLite file, of a DuckDB file, or of DuckDB itself, which reads any file."""
    if database is not None and _is_sqlite(database):
        return _sqlite_reader(query, database, skipped)
    try:
        import duckdb
    except ImportError:
        raise SourceError("SQL needs DuckDB, which is not installed: pip install duckdb") from None
    import pyarrow as pa

    try:
        connection = duckdb.connect(str(database) if database else ":memory:", read_only=database is not None)
    except duckdb.Error as error:
        raise SourceError(
            f"{database} is no database ({error}): give a DuckDB or SQLite file, or name other files in the query, "
            "as in: from 'data.csv'"
        ) from error
    try:
        result = connection.sql(query)
    except duckdb.Error as error:
        connection.close()
        raise SourceError(f"the query failed: {error}") from error
    if result is None:
        connection.close()
        raise SourceError("the query gives no rows: it must be a select")
    try:
        stream = pa.RecordBatchReader.from_stream(result)
    except (duckdb.Error, pa.ArrowException) as error:
        connection.close()
        raise SourceError(f"the query failed: {error}") from error
    reader = TableReader(_sliced(stream), stream.schema.names, "sql", "the query", skipped)
    reader.release = connection.close
    return reader


def _is_sqlite(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except OSError as error:
        raise SourceError(f"{path}: cannot be read: {error.strerror}") from error


def _sqlite_reader(query: str, database: Path, skipped: Skipped) -> TableReader:
    import sqlite3

    import pyarrow as pa

    try:
        connection = sqlite3.connect(_READ_ONLY_SQLITE.format(_uri_path(database)), uri=True)
        cursor = connection.execute(query)
        first = cursor.fetchmany(ROWS)
    except sqlite3.Error as error:
        connection.close()
        raise SourceError(f"the query failed: {error}") from error
    names = [column[0] for column in cursor.description or ()]

    def batch(rows: list[tuple[Any, ...]]) -> pa.RecordBatch:
        return pa.record_batch([_typed(column) for column in zip(*rows, strict=True)], names=names)

    rest = iter(lambda: cursor.fetchmany(ROWS), [])
    batches = (batch(rows) for rows in chain([first], rest) if rows)
    reader = TableReader(batches, names, "sql", str(database), skipped)
    reader.release = connection.close
    return reader


def _typed(values: tuple[Any, ...]) -> pa.Array:
    """Values as Arrow data; as text where SQLite has several types in a column."""
    import pyarrow as pa

    try:
        return pa.array(values)
    except (pa.ArrowException, OverflowError):
        return pa.array([None if value is None else str(value) for value in values], pa.string())


def _uri_path(path: Path) -> str:
    from urllib.parse import quote

    return quote(str(path.resolve()))

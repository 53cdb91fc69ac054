"""Tables that come from memory or from a query: pandas, polars, Arrow, DuckDB, lists of dicts, SQLite."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard, cast

from likely.arrow_data import PANDAS_INDEX, is_arrow, is_of
from likely.errors import SourceError, TextError
from likely.extras import extra
from likely.reading.batch import check_names
from likely.reading.columns import choose
from likely.reading.formats import SQLITE
from likely.reading.records import SAMPLE
from likely.reading.stream import CHUNK, name_of, unreadable
from likely.reading.tables import ROWS, TableReader, shown
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    import duckdb
    import pyarrow as pa

    from likely.reading.batch import Skipped
    from likely.types import ArrowArray, ArrowStream, Texts


Row = tuple[object, ...]


def row_batches(rows: Iterable[Row], names: list[str], where: str) -> Iterator[pa.RecordBatch]:
    """Batches of at most `ROWS` rows and about 16 MB, in which every column has one type.

    A column that begins with text is text in all batches.

    Examples
    --------
    >>> [batch.to_pydict() for batch in row_batches([("a", 1), ("b", "two")], ["text", "label"], "a.db")]
    [{'text': ['a', 'b'], 'label': ['1', 'two']}]
    """
    extra("pyarrow", "Reading rows")
    import pyarrow as pa

    types: dict[str, pa.DataType] = {}
    for some in _in_parts(rows):
        columns = []
        for name, values in zip(names, zip(*some, strict=True), strict=True):
            column = _typed(values, types.get(name))
            known = types.get(name, pa.null())
            if not pa.types.is_null(known) and pa.types.is_string(column.type) and not pa.types.is_string(known):
                raise SourceError(
                    f"{where}: the column {printable(name)!r} begins with {known} and has text further down: make it "
                    f"one type, as in cast({printable(name)} as text)"
                )
            if not pa.types.is_null(column.type):
                types[name] = column.type
            columns.append(column)
        yield pa.record_batch(columns, names=names)


def _in_parts(rows: Iterable[Row]) -> Iterator[list[Row]]:
    part: list[Row] = []
    size = 0
    for row in rows:
        part.append(row)
        size += sum(len(value) for value in row if isinstance(value, str | bytes))
        if len(part) == ROWS or size >= CHUNK:
            yield part
            part, size = [], 0
    if part:
        yield part


def _typed(values: Sequence[object], known: pa.DataType | None) -> pa.Array:
    """The values as an Arrow array; as text if they have several types, or if there was text before."""
    import pyarrow as pa

    if known is None or not pa.types.is_string(known):
        try:
            return pa.array(values)
        except (pa.ArrowException, OverflowError, UnicodeError):
            pass
    # Bytes that are not valid UTF-8 are kept, so that the reader can say so.
    raw = [None if value is None else value if isinstance(value, bytes) else _encoded(value) for value in values]
    return pa.array(raw, pa.binary()).view(pa.string())


def _encoded(value: object) -> bytes:
    return str(value).encode("utf-8", "surrogatepass")


Foreign: TypeAlias = Any
"""An object of a library that may not be installed, such as a frame or a column of pandas or polars."""


def is_frame(source: object) -> bool:
    """Whether a source is a table in memory: a frame, Arrow data, or a list of dicts.

    Examples
    --------
    >>> import pyarrow as pa
    >>> is_frame(pa.table({"text": ["a"]})), is_frame([{"text": "a"}]), is_frame(["a"])
    (True, True, False)
    """
    return is_arrow(source) or is_lazy(source) or are_rows(source)


def are_rows(source: object) -> TypeGuard[list[Mapping[str, object]]]:
    """Whether a source is a list of dicts, one per row."""
    return isinstance(source, list | tuple) and bool(source) and all(isinstance(row, dict) for row in source)


def is_lazy(source: object) -> bool:
    """Whether a source is a frame of polars that is not computed yet."""
    return hasattr(source, "collect_schema") and hasattr(source, "collect")


def is_pandas(source: object) -> bool:
    """Whether a source is a frame of pandas."""
    return is_of(source, "pandas") and hasattr(source, "columns")


def frame_reader(frame: Foreign, skipped: Skipped) -> TableReader:
    """The reader of a frame of pandas or polars, an Arrow table, a DuckDB relation, or a list of dicts."""
    where = f"the {type(frame).__name__}"
    if are_rows(frame):
        return _dict_reader(frame, where, skipped)
    if is_pandas(frame):
        return _pandas_reader(frame, where, skipped)
    if is_lazy(frame):
        return _lazy_reader(frame, where, skipped)
    return _arrow_reader(frame, where, skipped)


def _dict_reader(rows: list[Mapping[str, object]], where: str, skipped: Skipped) -> TableReader:
    names = list(dict.fromkeys(str(name) for row in rows for name in row))
    values = (tuple(row.get(name) for name in names) for row in rows)
    return TableReader(row_batches(values, names, where), names, "frame", where, skipped)


def _pandas_reader(frame: Foreign, where: str, skipped: Skipped) -> TableReader:
    """The reader of a frame of pandas, of which only the columns that are wanted are converted."""
    extra("pyarrow", "Reading a frame")
    import pyarrow as pa

    columns = {str(name): name for name in frame.columns}

    def batches(names: list[str]) -> Iterator[pa.RecordBatch]:
        yield from pa.table({name: _pandas_column(frame[columns[name]], name, where) for name in names}).to_batches()

    def preview() -> dict[str, list[str]]:
        return {name: _pandas_values(frame[key]) for name, key in columns.items()}

    names = [str(name) for name in frame.columns]
    reader = TableReader(batches(names), names, "frame", where, skipped)
    reader.narrow, reader.preview = batches, preview
    return reader


def _pandas_values(column: Foreign) -> list[str]:
    values = first_values(column)
    return [str(value) for value in column.head(SAMPLE).dropna().tolist()] if values is None else values


def first_values(column: Foreign) -> list[str] | None:
    """The first values of a column of pyarrow data, as text; None if it is not made of such data.

    A column of pandas may be made of it. pandas reads it without a check, and damaged data would end the process.

    Examples
    --------
    >>> import pyarrow as pa
    >>> first_values(pa.chunked_array([["a"], ["b", None]])), first_values(["a"])
    (['a', 'b'], None)
    """
    if type(column).__module__.partition(".")[0] == "pandas":
        import pandas as pd

        if not isinstance(column.array, pd.arrays.ArrowExtensionArray):
            return None
        column = column.array.__arrow_array__()
    if not hasattr(column, "validate"):
        return None
    first = column.slice(0, SAMPLE)
    return [value for array in getattr(first, "chunks", [first]) for value in shown(array)]


def _pandas_column(column: Foreign, name: str, where: str) -> pa.Array | pa.ChunkedArray:
    """A column of pandas as Arrow data; as text if its values are of several types."""
    import pyarrow as pa

    try:
        return pa.array(column)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        pass
    try:
        return pa.array([None if gone else str(value) for value, gone in zip(column, column.isna(), strict=True)])
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise SourceError(f"{where}: the column {printable(name)!r} cannot be read: {error}") from error


def _lazy_reader(frame: Foreign, where: str, skipped: Skipped) -> TableReader:
    """The reader of a lazy frame, of which only the columns that are wanted are computed."""

    def batches(names: list[str]) -> Iterator[pa.RecordBatch]:
        yield from _stream(frame.select(names).collect())

    def preview() -> dict[str, list[str]]:
        head = next(iter(_stream(frame.head(SAMPLE).collect())), None)
        return {name: [] if head is None else shown(head.column(name)) for name in names}

    try:
        names = list(frame.collect_schema().names())
    except Exception as error:  # polars has errors of its own
        raise SourceError(f"{where}: cannot be read: {error}") from error
    reader = TableReader(batches(names), names, "frame", where, skipped)
    reader.narrow, reader.preview = batches, preview
    return reader


def _arrow_reader(frame: ArrowStream | ArrowArray, where: str, skipped: Skipped) -> TableReader:
    extra("pyarrow", "Reading a frame")
    import pyarrow as pa

    try:
        stream = _stream(frame)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise SourceError(f"{where} cannot be read as Arrow data: {error}") from error
    names = [name for name in stream.schema.names if not name.startswith(PANDAS_INDEX)]
    return TableReader((batch.select(names) for batch in stream), names, "frame", where, skipped)


def _stream(frame: ArrowStream | ArrowArray) -> pa.RecordBatchReader:
    """The batches of Arrow data. Those of pyarrow are taken as they are: they know the sizes of their buffers."""
    import pyarrow as pa

    if isinstance(frame, pa.RecordBatchReader):
        return frame
    if isinstance(frame, pa.Table):
        return frame.to_reader()
    if hasattr(frame, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(frame)
    batch = pa.record_batch(frame)
    return pa.RecordBatchReader.from_batches(batch.schema, [batch])


def text_column(texts: object, known: str | None) -> Texts:
    """The texts, if they are not a frame; or else the column ``known``, if the frame has it, or one that is guessed.

    Examples
    --------
    >>> text_column([{"review": "so good", "stars": 5}, {"review": "so bad", "stars": 1}], "review")
    ['so good', 'so bad']
    >>> text_column(["so good"], "review")
    ['so good']
    """
    if are_rows(texts):
        return _column_of(_as_columns(texts), known, "the list of dicts")
    if not (is_lazy(texts) or hasattr(texts, "columns") or hasattr(texts, "schema")):
        return cast("Texts", texts)
    return _column_of(_in_memory(texts), known, f"the {type(texts).__name__}")


def _as_columns(rows: list[Mapping[str, object]]) -> dict[str, list[object]]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _in_memory(frame: Foreign) -> Foreign:
    """A frame whose columns are found by their names."""
    if is_lazy(frame):
        return frame.collect()
    if hasattr(frame, "__getitem__") and not hasattr(frame, "fetchall"):
        return frame
    extra("pyarrow", "Reading a frame")
    import pyarrow as pa

    try:  # a reader, or a relation of DuckDB
        return pa.table(frame) if not isinstance(frame, pa.RecordBatchReader) else frame.read_all()
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise TextError(f"the {type(frame).__name__} cannot be read as Arrow data: {error}") from error


def _column_of(frame: Foreign, known: str | None, where: str) -> Texts:
    keys = {str(key): key for key in _keys(frame)}
    check_names([str(key) for key in _keys(frame)], where)
    if known in keys:
        return cast("Texts", frame[keys[known]])
    sample = {name: _shown(frame[key]) for name, key in keys.items()}
    try:
        text = choose(sample, None, None, where, labelled=False).text
    except SourceError as error:
        raise TextError(
            f"texts is a table with the columns {', '.join(map(printable, keys))}, and it is not clear which one has "
            f"the texts: give one of them, as in table[{next(iter(keys), 'text')!r}]"
        ) from error
    return cast("Texts", frame[keys[text]])


def _keys(frame: Foreign) -> list[Foreign]:
    """The names of the columns, without the index of pandas in Arrow data."""
    if hasattr(frame, "schema") and hasattr(frame.schema, "metadata"):
        return [name for name in frame.schema.names if not name.startswith(PANDAS_INDEX)]
    return list(frame if isinstance(frame, dict) else frame.columns)


def _shown(column: Foreign) -> list[str]:
    """The first values of a column, as text."""
    found = first_values(column)
    if found is not None:
        return found
    values = column[:SAMPLE] if isinstance(column, list) else column.head(SAMPLE).to_list()
    return [str(value) for value in values if isinstance(value, str)] or [str(value) for value in values]


_READ_ONLY_SQLITE = "file:{}?mode=ro"
_LONGEST_PATH = 511


def sql_reader(query: str, database: Path | None, skipped: Skipped) -> TableReader:
    """The reader of the rows that a query returns.

    The query runs in SQLite or DuckDB if ``database`` is a file of theirs, and in DuckDB, which reads any file, if it
    is None.
    """
    if database is not None and _is_sqlite(database):
        return _sqlite_reader(query, database, skipped)
    return _duckdb_reader(query, database, skipped)


def database_of(source: object) -> Path | None:
    """The database that runs a query, or None for DuckDB itself.

    Examples
    --------
    >>> database_of(["reviews.db"]), database_of(None)
    (PosixPath('reviews.db'), None)
    """
    if isinstance(source, list | tuple) and len(source) == 1:
        source = source[0]
    if source is None or isinstance(source, str | os.PathLike):
        return None if source is None else Path(source)
    raise SourceError("with sql, the source must be one database file, or None if the query names the files")


def _duckdb_reader(query: str, database: Path | None, skipped: Skipped) -> TableReader:
    """The reader of a query that runs in DuckDB."""
    duckdb = extra("duckdb", "SQL")
    extra("pyarrow", "SQL")
    where = name_of(database) if database else ":memory:"
    try:
        connection = duckdb.connect(str(database) if database else where, read_only=database is not None)
    except duckdb.Error as error:
        raise SourceError(
            f"{where} is not a database ({error}): give a DuckDB or SQLite file, or name other files in the "
            "query, as in: from 'data.csv'"
        ) from error
    try:
        stream = _duckdb_rows(connection, query)
    except SourceError:
        connection.close()
        raise
    reader = TableReader(stream, stream.schema.names, "sql", "the query", skipped)
    reader.release = connection.close
    return reader


def _duckdb_rows(connection: duckdb.DuckDBPyConnection, query: str) -> pa.RecordBatchReader:
    """The rows that a query returns. Raise ``SourceError`` if it fails or is not a select."""
    import duckdb
    import pyarrow as pa

    try:
        result = connection.sql(query)
        if result is not None:
            return pa.RecordBatchReader.from_stream(result)
    except (duckdb.Error, pa.ArrowException) as error:
        raise SourceError(f"the query failed: {error}") from error
    raise SourceError("the query returns no rows: it must be a select")


def _is_sqlite(path: Path) -> bool:
    """Whether a file is an SQLite database."""
    try:
        with path.open("rb") as file:
            return file.read(len(SQLITE)) == SQLITE
    except OSError as error:
        raise unreadable(path, error) from error


def _sqlite_reader(query: str, database: Path, skipped: Skipped) -> TableReader:
    """The reader of a query that runs in SQLite."""
    import sqlite3

    _check_length(database)
    # The rows are read in another thread than the one that closes the connection.
    connection = sqlite3.connect(_READ_ONLY_SQLITE.format(_uri_path(database)), uri=True, check_same_thread=False)
    try:
        cursor = connection.execute(query)
    except (sqlite3.Error, sqlite3.Warning) as error:
        connection.close()
        raise SourceError(f"the query failed: {error}") from error
    names = [column[0] for column in cursor.description or ()]
    if not names:
        connection.close()
        raise SourceError("the query returns no rows: it must be a select")
    where = name_of(database)
    reader = TableReader(row_batches(cursor, names, where), names, "sql", where, skipped)
    reader.release = connection.close
    return reader


def _check_length(database: Path) -> None:
    """Raise ``SourceError`` if the path is longer than SQLite allows."""
    length = len(bytes(database.resolve()))
    if length > _LONGEST_PATH:
        raise SourceError(
            f"the path of {database.name} has {length} bytes, and SQLite opens paths of at most {_LONGEST_PATH}: "
            "copy the database to a shorter path"
        )


def _uri_path(path: Path) -> str:
    """The path of a file as part of a URI."""
    from urllib.parse import quote

    return quote(str(path.resolve()))

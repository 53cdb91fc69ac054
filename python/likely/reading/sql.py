"""SQL: the rows that a query returns, from SQLite or DuckDB."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from likely.errors import SourceError
from likely.reading.tables import ROWS, TableReader, sliced

if TYPE_CHECKING:
    from pathlib import Path

    import duckdb
    import pyarrow as pa

    from likely.reading.skipped import Skipped

_READ_ONLY_SQLITE = "file:{}?mode=ro"


def sql_reader(query: str, database: Path | None, skipped: Skipped) -> TableReader:
    """The reader of the rows that a query returns.

    The query runs in SQLite or DuckDB if ``database`` is a file of theirs, and in DuckDB, which reads any file, if it
    is None.
    """
    if database is not None and _is_sqlite(database):
        return _sqlite_reader(query, database, skipped)
    return _duckdb_reader(query, database, skipped)


def _duckdb_reader(query: str, database: Path | None, skipped: Skipped) -> TableReader:
    """The reader of a query that runs in DuckDB."""
    try:
        import duckdb
    except ImportError:
        raise SourceError("SQL needs DuckDB, which is not installed: pip install duckdb") from None
    try:
        connection = duckdb.connect(str(database) if database else ":memory:", read_only=database is not None)
    except duckdb.Error as error:
        raise SourceError(
            f"{database} is not a database ({error}): give a DuckDB or SQLite file, or name other files in the "
            "query, as in: from 'data.csv'"
        ) from error
    try:
        stream = _duckdb_rows(connection, query)
    except SourceError:
        connection.close()
        raise
    reader = TableReader(sliced(stream), stream.schema.names, "sql", "the query", skipped)
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
            return file.read(16) == b"SQLite format 3\0"
    except OSError as error:
        raise SourceError(f"{path}: cannot be read: {error.strerror}") from error


def _sqlite_reader(query: str, database: Path, skipped: Skipped) -> TableReader:
    """The reader of a query that runs in SQLite."""
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

    def batch(rows: list[tuple[object, ...]]) -> pa.RecordBatch:
        return pa.record_batch([_typed(column) for column in zip(*rows, strict=True)], names=names)

    rest = iter(lambda: cursor.fetchmany(ROWS), [])
    batches = (batch(rows) for rows in chain([first], rest) if rows)
    reader = TableReader(batches, names, "sql", str(database), skipped)
    reader.release = connection.close
    return reader


def _typed(values: tuple[object, ...]) -> pa.Array:
    """The values as an Arrow array; as text if SQLite has several types in the column."""
    import pyarrow as pa

    try:
        return pa.array(values)
    except (pa.ArrowException, OverflowError):
        return pa.array([None if value is None else str(value) for value in values], pa.string())


def _uri_path(path: Path) -> str:
    """The path of a file as part of a URI."""
    from urllib.parse import quote

    return quote(str(path.resolve()))

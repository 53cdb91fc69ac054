"""SQL: the rows that a query returns, from SQLite or DuckDB."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from likely.errors import SourceError
from likely.extras import extra
from likely.reading.formats import SQLITE
from likely.reading.frames import row_batches
from likely.reading.stream import name_of, unreadable
from likely.reading.tables import TableReader

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

    from likely.reading.batch import Skipped


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

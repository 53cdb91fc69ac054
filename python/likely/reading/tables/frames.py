"""Frames: tables in memory, of pandas, polars, Arrow or DuckDB, and lists of dicts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard

from likely.arrow_data import PANDAS_INDEX, is_arrow, is_of
from likely.errors import SourceError
from likely.extras import extra
from likely.reading.records.reader import SAMPLE
from likely.reading.tables.columns import shown
from likely.reading.tables.reader import TableReader
from likely.reading.tables.rows import row_batches
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import pyarrow as pa

    from likely.reading.skipped import Skipped
    from likely.types import ArrowArray, ArrowStream

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

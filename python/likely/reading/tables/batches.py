"""Batches of tables, bounded by rows and by bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.reading.files.stream import CHUNK
from likely.reading.tables.columns import bytes_in, compact, without_views

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    import pyarrow as pa
    import pyarrow.parquet as pq

ROWS = 32768
"""The largest number of rows of a batch."""

UNKNOWN_ROWS = 16
"""The number of rows of a batch if it is not known how long they are."""


def bounded(rows: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """The same rows in batches of at most `ROWS` rows and, except for single rows, about 16 MB.

    Examples
    --------
    >>> import pyarrow as pa
    >>> [batch.num_rows for batch in bounded(pa.record_batch({"text": ["a" * 6_000_000] * 5}))]
    [2, 1, 2]
    """
    rows = _changed(rows, without_views) if any(_has_dictionary(rows)) else rows
    for start in range(0, rows.num_rows, ROWS):
        some = _changed(rows.slice(start, ROWS), without_views)
        yield from _halved(_changed(some, compact))


def _has_dictionary(rows: pa.RecordBatch) -> Iterable[bool]:
    import pyarrow as pa

    return (pa.types.is_dictionary(field.type) for field in rows.schema)


def _changed(rows: pa.RecordBatch, change: Callable[[pa.Array], pa.Array]) -> pa.RecordBatch:
    """The rows with each column changed."""
    for at, name in enumerate(rows.schema.names):
        column = rows.column(at)
        if (other := change(column)) is not column:
            rows = rows.set_column(at, name, other)
    return rows


def _halved(rows: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    if rows.num_rows <= 1 or sum(map(bytes_in, rows.columns)) <= CHUNK:
        yield rows
        return
    half = rows.num_rows // 2
    yield from _halved(rows.slice(0, half))
    yield from _halved(rows.slice(half))


def parquet_batches(
    parquet: pq.ParquetFile, dictionaries: pq.ParquetFile, columns: list[str] | None
) -> Iterator[pa.RecordBatch]:
    """The rows of a Parquet file, each time as many as fit into about 16 MB even if each were the longest one.

    ``dictionaries`` is the same file, opened so that strings are read as dictionaries: a short file may name a long
    value in each of its rows.
    """
    for group in range(parquet.metadata.num_row_groups):
        size = _rows_at_once(parquet, dictionaries, group, columns)
        yield from parquet.iter_batches(size, row_groups=[group], columns=columns)


def _rows_at_once(
    parquet: pq.ParquetFile, dictionaries: pq.ParquetFile, group: int, columns: list[str] | None
) -> int:
    footer = parquet.metadata.row_group(group)
    chunks = [footer.column(at) for at in range(footer.num_columns)]
    wanted = [each for each in chunks if columns is None or each.path_in_schema.partition(".")[0] in columns]
    rows = max(footer.num_rows, 1)
    longest = sum(each.total_uncompressed_size / rows for each in wanted)
    if any("DELTA_BYTE_ARRAY" in each.encodings for each in wanted):
        return UNKNOWN_ROWS  # such values share their beginnings, which the footer counts once
    texts = [each.path_in_schema for each in wanted if each.has_dictionary_page and "." not in each.path_in_schema]
    if texts and footer.num_rows:
        first = next(dictionaries.iter_batches(1, row_groups=[group], columns=texts))
        longest += sum(map(_longest_value, first.columns))
    return int(min(ROWS, max(1, CHUNK // max(longest, 1))))


def _longest_value(column: pa.Array) -> int:
    import pyarrow as pa
    import pyarrow.compute as pc

    if not isinstance(column, pa.DictionaryArray) or not len(column.dictionary):
        return 0
    return int(pc.max(pc.binary_length(column.dictionary)).as_py() or 0)

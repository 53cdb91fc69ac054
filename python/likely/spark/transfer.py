"""Record batches from workers to the driver: each travels as bytes, compressed, in one row of a DataFrame."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.extras import extra

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa
    from pyspark.sql import DataFrame

SCHEMA = "slice binary"
ROWS, BYTES = 50_000, 16 << 20
"""A slice has about this many rows or bytes at most."""


def packed(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows in slices, each of them one row of bytes.

    Examples
    --------
    >>> import pyarrow as pa
    >>> slices = list(packed([pa.record_batch({"n": [1, 2]}), pa.record_batch({"n": [3]})]))
    >>> len(slices), unpacked(slices[0]["slice"][0].as_py()).to_pydict()
    (1, {'n': [1, 2, 3]})
    """
    arrow = extra("pyarrow", "Spark")
    held: list[pa.RecordBatch] = []
    for batch in batches:
        held.append(batch)
        if sum(each.num_rows for each in held) >= ROWS or sum(each.nbytes for each in held) >= BYTES:
            yield arrow.record_batch({"slice": [_bytes(held)]})
            held = []
    if held:
        yield arrow.record_batch({"slice": [_bytes(held)]})


def _bytes(batches: list[pa.RecordBatch]) -> bytes:
    pa = extra("pyarrow", "Spark")
    table = pa.Table.from_batches(batches).combine_chunks()
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def unpacked(data: bytes) -> pa.Table:
    """The rows of a slice."""
    pa = extra("pyarrow", "Spark")
    return pa.ipc.open_stream(data).read_all()


def collected(slices: DataFrame) -> Iterator[pa.Table]:
    """The rows of all slices. Workers make them at the same time; the driver holds the bytes of all of them."""
    rows = slices.collect()
    rows.reverse()
    while rows:
        yield unpacked(rows.pop()[0])


def streamed(slices: DataFrame) -> Iterator[pa.Table]:
    """The rows of all slices, one partition after the other, so that the driver holds only those of two."""
    for row in slices.toLocalIterator(prefetchPartitions=True):
        yield unpacked(row[0])

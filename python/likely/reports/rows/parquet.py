"""Rows with predictions as Parquet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.errors import SourceError
from likely.extras import extra
from likely.reports.rows.writer import Column, Writer

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from likely.reading.batch import Batch

ROWS_OF_GROUP = 1 << 17
"""After how many rows a row group ends. Small groups make a file slow to write and to read."""
BYTES_OF_GROUP = 1 << 26
"""After how many bytes a row group ends."""


class ParquetWriter(Writer):
    """Writes Parquet. The first rows determine the types of the columns."""

    _writer: pq.ParquetWriter | None = None
    _waiting: tuple[pa.Table, ...] = ()
    """The rows of the next row group."""

    def write(self, batch: Batch, columns: list[Column]) -> None:
        """Write some rows with their new columns, which are null in a row that has a problem."""
        pa = extra("pyarrow", "Writing Parquet")
        table = self._table(batch, columns)
        if self._writer is None:
            if self._sink.isatty():
                raise SourceError("Parquet cannot be shown on a terminal: write it to a file with -o")
            self._writer = self._open(table)
        try:
            self._waiting = (*self._waiting, table.cast(self._writer.schema))
        except (pa.ArrowException, ValueError) as error:
            raise SourceError(
                f"later rows have other types than the first rows ({error}): use --output-format jsonl"
            ) from error
        rows, size = (sum(getattr(each, of) for each in self._waiting) for of in ("num_rows", "nbytes"))
        if rows >= ROWS_OF_GROUP or size >= BYTES_OF_GROUP:
            self._write_group(self._writer)

    def _open(self, table: pa.Table) -> pq.ParquetWriter:
        """The writer of a file whose first rows are these."""
        pa = extra("pyarrow", "Writing Parquet")
        pq = extra("pyarrow.parquet", "Writing Parquet")
        place = pa.PythonFile(self._sink, mode="w")
        repeated = [name for name in table.schema.names if _is_repeated(table[name])]
        return pq.ParquetWriter(place, table.schema, compression="zstd", use_dictionary=repeated or False)

    def _write_group(self, writer: pq.ParquetWriter) -> None:
        """Write the rows that wait."""
        pa = extra("pyarrow", "Writing Parquet")
        rows, self._waiting = self._waiting, ()
        if rows:
            writer.write_table(pa.concat_tables(rows))

    def _table(self, batch: Batch, columns: list[Column]) -> pa.Table:
        """The rows as a table, with the new columns."""
        pa = extra("pyarrow", "Writing Parquet")
        rows = len(batch.texts)
        try:
            arrays = {name: pa.array(column) for name, column in batch.table().items()}
        except (pa.ArrowException, OverflowError, UnicodeError, RecursionError) as error:
            raise SourceError(f"the rows do not fit into a table ({error}): use --output-format jsonl") from error
        bad = np.zeros(rows, np.bool_)
        bad[list(batch.problems)] = True
        for name, column in zip(self._names, columns, strict=True):
            # If the first batch has no label at all, later batches may still have some.
            kind = column.dtype if column.dtype.kind in "fb" else self._labels
            arrays[name] = pa.array(column, pa.from_numpy_dtype(kind), mask=bad, from_pandas=False)
        problems = [batch.problems.get(at) for at in range(rows)] if batch.problems else pa.nulls(rows)
        return pa.table({**arrays, self._problem: pa.array(problems, pa.string())})

    def end(self) -> None:
        """Write the last rows and the footer."""
        if self._writer is None:
            raise SourceError("the input has no rows, so there is no Parquet file to write")
        self._write_group(self._writer)
        self._writer.close()

    def abandon(self) -> None:
        """Give up after an error, so that the writer does not try to finish the file when it is deleted."""
        if self._writer is not None:
            self._writer.is_open = False


def _is_repeated(column: pa.ChunkedArray) -> bool:
    """Whether at most half of the values of a column are distinct, so that a dictionary of them is worth its time."""
    pa = extra("pyarrow", "Writing Parquet")
    pc = extra("pyarrow.compute", "Writing Parquet")
    try:
        return 2 * int(pc.count_distinct(column).as_py()) <= len(column)
    except pa.ArrowException:  # nested values cannot be compared
        return False

"""Rows with predictions as Parquet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.errors import SourceError
from likely.extras import extra
from likely.reports.rows.writer import Column, Writer

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

    from likely.reading import Batch


class ParquetWriter(Writer):
    """Writes Parquet. The first rows determine the types of the columns."""

    _writer: pq.ParquetWriter | None = None

    def write(self, batch: Batch, columns: list[Column]) -> None:
        """Write some rows with their new columns, which are null in a row that has a problem."""
        pa = extra("pyarrow", "Writing Parquet")
        pq = extra("pyarrow.parquet", "Writing Parquet")
        table = self._table(batch, columns)
        if self._writer is None:
            if self._sink.isatty():
                raise SourceError("Parquet cannot be shown on a terminal: write it to a file with -o")
            self._writer = pq.ParquetWriter(pa.PythonFile(self._sink, mode="w"), table.schema, compression="zstd")
        try:
            self._writer.write_table(table.cast(self._writer.schema))
        except (pa.ArrowException, ValueError) as error:
            raise SourceError(
                f"later rows have other types than the first rows ({error}): use --format jsonl"
            ) from error

    def _table(self, batch: Batch, columns: list[Column]) -> pa.Table:
        """The rows as a table, with the new columns."""
        pa = extra("pyarrow", "Writing Parquet")
        problems = [batch.problems.get(at) for at in range(len(batch.texts))]
        try:
            arrays = {name: pa.array(column) for name, column in batch.table().items()}
        except (pa.ArrowException, OverflowError, UnicodeError, RecursionError) as error:
            raise SourceError(f"the rows do not fit into a table ({error}): use --format jsonl") from error
        for name, column in zip(self._names, columns, strict=True):
            values = [
                value if problem is None else None for value, problem in zip(column.tolist(), problems, strict=True)
            ]
            # If the first batch has no label at all, later batches may still have some.
            kind = column.dtype if column.dtype.kind == "f" else self._labels
            arrays[name] = pa.array(values, pa.from_numpy_dtype(kind))
        return pa.table({**arrays, self._problem: pa.array(problems, pa.string())})

    def end(self) -> None:
        """Write the footer."""
        if self._writer is None:
            raise SourceError("the input has no rows, so there is no Parquet file to write")
        self._writer.close()

    def abandon(self) -> None:
        """Give up after an error, so that the writer does not try to finish the file when it is deleted."""
        if self._writer is not None:
            self._writer.is_open = False

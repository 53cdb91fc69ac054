"""Rows with predictions as Parquet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.errors import SourceError
from likely.reports.rows.writer import Column, Writer

if TYPE_CHECKING:
    import pyarrow.parquet as pq

    from likely.reading import Batch


class ParquetWriter(Writer):
    """Writes Parquet. The first rows determine the types of the columns."""

    _writer: pq.ParquetWriter | None = None

    def write(self, batch: Batch, columns: list[Column]) -> None:
        """Write some rows with their new columns."""
        import pyarrow as pa
        import pyarrow.parquet as pq

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

    def end(self) -> None:
        """Write the footer."""
        if self._writer is None:
            raise SourceError("the input has no rows, so there is no Parquet file to write")
        self._writer.close()

    def abandon(self) -> None:
        """Give up after an error, so that the writer does not try to finish the file when it is deleted."""
        if self._writer is not None:
            self._writer.is_open = False

"""Tables: Parquet files, Arrow files and frames."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely import _native
from likely.errors import SourceError
from likely.labels import coded
from likely.reading.batch import Batch, Chosen, check_names
from likely.reading.records import SAMPLE

if TYPE_CHECKING:
    import io
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    import numpy.typing as npt
    import pyarrow as pa

    from likely.reading.skipped import Skipped
    from likely.types import ArrowArray, ArrowStream

ROWS = 8192
"""The number of rows of a batch."""

_PANDAS_INDEX = "__index_level_"


class TableReader:
    """Reads a table that comes in batches.

    Parameters
    ----------
    batches : iterable of pyarrow.RecordBatch
        The rows.
    columns : list of str
        The names of the columns.
    name : str
        The format.
    where : str
        The name of the source in messages.
    skipped : Skipped
        Records the rows that cannot be read.
    """

    def __init__(
        self, batches: Iterable[pa.RecordBatch], columns: list[str], name: str, where: str, skipped: Skipped
    ) -> None:
        self.format = name
        self.where = where
        self.columns = columns
        self.row_columns: list[str] | None = None
        self.encoding: str | None = None
        self.recognised: str | None = None
        check_names(self.columns, where)
        self._batches = iter(batches)
        self._skipped = skipped
        self._row = 0
        self._ahead: list[pa.RecordBatch] = []
        self.size: Callable[[], int] = lambda: 0
        self.rows_in_all = 0
        self.release: Callable[[], object] = lambda: None
        self.narrow: Callable[[list[str]], Iterator[pa.RecordBatch]] | None = None
        """Starts again with only some columns, if the others then need not be read."""

    def position(self) -> int:
        """About the number of bytes that have been read."""
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

    def _next(self) -> pa.RecordBatch | None:
        try:
            return next(self._batches, None)
        except Exception as error:  # pyarrow, DuckDB and sqlite3 have errors of their own
            raise SourceError(f"{self.where}: cannot be read: {error}") from error

    def batches(self, chosen: Chosen, *, whole: bool) -> Iterator[Batch]:
        """All rows, in batches. If ``whole`` is False, other columns than text and label may be missing."""
        if self.narrow and not whole:
            wanted = [chosen.text] if chosen.label is None else [chosen.text, chosen.label]
            self._batches, self._ahead = self.narrow(list(dict.fromkeys(wanted))), []
        while (rows := self._ahead.pop() if self._ahead else self._next()) is not None:
            if rows.num_rows:
                yield from self._checked(rows, chosen)

    def _checked(self, rows: pa.RecordBatch, chosen: Chosen) -> Iterator[Batch]:
        """The rows that have a text and a label. The others are recorded as skipped."""
        import pyarrow as pa

        wanted = {"no text": chosen.text} | ({"no label": chosen.label} if chosen.label is not None else {})
        missing = {problem: self._missing(rows, name, problem) for problem, name in wanted.items()}
        bad = np.logical_or.reduce(list(missing.values()))
        for at in np.flatnonzero(bad).tolist():
            problem = next(problem for problem, where in missing.items() if where[at])
            self._skipped.add(self.where, self._row + at + 1, problem)
        self._row += rows.num_rows
        if bad.any():
            rows = rows.filter(pa.array(~bad))
        if rows.num_rows:
            labels = None if chosen.label is None else coded(self._labels(rows, chosen.label))
            texts = _native.Strings(self._column(rows, chosen.text).to_pylist())
            yield Batch(texts, labels, lambda: dict(zip(rows.schema.names, rows.columns, strict=True)))

    def _missing(self, rows: pa.RecordBatch, name: str, problem: str) -> npt.NDArray[np.bool_]:
        """True for each missing value of a column. An empty label is missing too."""
        import pyarrow as pa
        import pyarrow.compute as pc

        column = self._column(rows, name)
        if isinstance(column, pa.DictionaryArray):
            column = column.dictionary_decode()
        missing: npt.NDArray[np.bool_] = column.is_null(nan_is_null=True).to_numpy(zero_copy_only=False)
        if problem == "no label" and (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
            missing = missing | pc.equal(column, "").fill_null(False).to_numpy(zero_copy_only=False)
        return missing

    def _labels(self, rows: pa.RecordBatch, name: str) -> pa.Array:
        """The labels. Whole numbers that pandas converted to doubles, because one was missing, are converted back."""
        import pyarrow as pa

        column = self._column(rows, name)
        if not pa.types.is_floating(column.type):
            return column
        try:
            return column.cast(pa.int64())
        except pa.ArrowInvalid:
            raise SourceError(
                f"{self.where}: the labels in {name!r} are fractions: labels must be text or whole numbers"
            ) from None

    def _column(self, rows: pa.RecordBatch, name: str) -> pa.Array:
        import pyarrow as pa

        column = rows.column(rows.schema.get_field_index(name))
        if pa.types.is_binary(column.type) or pa.types.is_large_binary(column.type):
            raise SourceError(f"{self.where}: the column {name!r} contains bytes: decode it to text first")
        return column


def parquet_reader(path: Path, file: io.BytesIO | None, skipped: Skipped) -> TableReader:
    """The reader of a Parquet file, or of its bytes if the file is compressed."""
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
    """The reader of an Arrow file, a Feather file or an Arrow stream."""
    import pyarrow as pa

    try:
        source = pa.BufferReader(file.getvalue()) if file else pa.OSFile(str(path))
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


def frame_reader(frame: ArrowStream | ArrowArray, skipped: Skipped) -> TableReader:
    """The reader of Arrow data: a frame of pandas or polars, an Arrow table, a DuckDB relation."""
    import pyarrow as pa

    try:
        if hasattr(frame, "__arrow_c_stream__"):
            stream = pa.RecordBatchReader.from_stream(frame)
        else:
            stream = pa.Table.from_batches([pa.record_batch(frame)]).to_reader()
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise SourceError(f"the frame cannot be read as Arrow data: {error}") from error
    names = [name for name in stream.schema.names if not name.startswith(_PANDAS_INDEX)]
    return TableReader(sliced(stream), names, "frame", f"the {type(frame).__name__}", skipped)


def sliced(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows in batches of at most `ROWS`, without the index of pandas."""
    for whole in batches:
        batch = whole.drop_columns([name for name in whole.schema.names if name.startswith(_PANDAS_INDEX)])
        for start in range(0, batch.num_rows, ROWS):
            yield batch.slice(start, ROWS)

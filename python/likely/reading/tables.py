"""Tables by way of Arrow: files of Parquet and Arrow, frames, lists of dicts, queries in SQLite and DuckDB.

Who imports this module checks with `extra` before that pyarrow is installed.
"""

from __future__ import annotations

import warnings
from dataclasses import InitVar, dataclass, field
from functools import partial
from typing import TYPE_CHECKING, BinaryIO, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from likely import _native
from likely.arrow_data import PANDAS_INDEX
from likely.errors import DataWarning, SourceError, frames_of_ours
from likely.extras import extra
from likely.labels import coded
from likely.reading.batch import Batch, Chosen, Reader, Skipped, Table, check_names, in_parts, without_problem
from likely.reading.columns import read_groups, read_weights
from likely.reading.formats import ARROW_FILE, SQLITE
from likely.reading.frames import Foreign, are_rows, first_values, is_lazy, is_pandas
from likely.reading.records import SAMPLE
from likely.reading.stream import CHUNK, name_of, unopened
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from likely.types import Array, ArrowArray, ArrowStream, Mask


NOT_UTF8 = "not valid UTF-8"
NOT_WHOLE = "a label is text or a whole number, not a fraction"

_BYTES = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary(), pa.string_view(): pa.binary_view()}
"""The types of strings, and those of bytes with the same layout."""


def check_sound(column: pa.Array, name: str, where: str) -> None:
    """Raise ``SourceError`` if a column points outside of its data."""
    try:
        _as_bytes(column).validate(full=True)
    except pa.ArrowException as problem:
        raise SourceError(
            f"{where}: the column {printable(name)!r} is damaged ({problem}): write the file or the frame again"
        ) from problem


def _as_bytes(column: pa.Array) -> pa.Array:
    """The column with bytes instead of strings, without a copy."""
    if isinstance(column, pa.DictionaryArray):
        return pa.DictionaryArray.from_arrays(column.indices, _as_bytes(column.dictionary), safe=False)
    return column.view(_BYTES[column.type]) if column.type in _BYTES else column


def plain(column: pa.Array, name: str, where: str) -> pa.Array:
    """A column with each string in its row, which is checked: neither in a dictionary nor as a view.

    Examples
    --------
    >>> import pyarrow as pa
    >>> plain(pa.array(["a", "b", "a"]).dictionary_encode(), "text", "a.arrow").to_pylist()
    ['a', 'b', 'a']
    """
    check_sound(column, name, where)
    return _decoded(without_views(column))


def _decoded(column: pa.Array) -> pa.Array:
    return column.dictionary_decode() if isinstance(column, pa.DictionaryArray) else column


def without_views(column: pa.Array) -> pa.Array:
    """The column with strings instead of views of strings, which pyarrow cannot filter."""
    if isinstance(column, pa.DictionaryArray) and pa.types.is_string_view(column.dictionary.type):
        return pa.DictionaryArray.from_arrays(column.indices, without_views(column.dictionary))
    return column.cast(pa.large_string()) if pa.types.is_string_view(column.type) else column


def is_text(column: pa.Array) -> bool:
    """Whether a plain column contains strings."""
    return column.type in _BYTES


def problems_in(column: pa.Array, what: str) -> dict[int, str]:
    r"""Why values of a plain column cannot be read, by their places. An empty label is missing, an empty text is not.

    Examples
    --------
    >>> import pyarrow as pa
    >>> problems_in(pa.array([b"good", b"\xff", None, b""]).view(pa.string()), "label")
    {1: 'not valid UTF-8', 2: 'no label', 3: 'no label'}
    """
    gone = missing(column)
    found = dict.fromkeys(np.flatnonzero(unreadable(column)).tolist(), NOT_UTF8)
    if what == "label" and is_text(column):
        gone |= _mask(pc.equal(column, "").fill_null(False))
    elif what == "label" and (pa.types.is_floating(column.type) or pa.types.is_uint64(column.type)):
        numbers = column.cast(pa.float64(), safe=False)
        is_whole = pc.and_(pc.equal(numbers, pc.floor(numbers)), pc.less(pc.abs(numbers), 2.0**63))
        found = dict.fromkeys(np.flatnonzero(~_mask(is_whole.fill_null(True))).tolist(), NOT_WHOLE)
    return found | dict.fromkeys(np.flatnonzero(gone).tolist(), f"no {what}")


def unreadable(column: pa.Array) -> Mask:
    """True for each value of a sound column that is not valid UTF-8."""
    try:
        column.validate(full=True)
    except pa.ArrowException:
        return np.array([not _is_utf8(value) for value in _as_bytes(column).to_pylist()], np.bool_)
    return np.zeros(len(column), np.bool_)


def _is_utf8(value: object) -> bool:
    try:
        return not isinstance(value, bytes) or value.decode() is not None
    except UnicodeDecodeError:
        return False


def missing(column: pa.Array) -> Mask:
    """True for each value of a plain column that is missing: null, or not a number."""
    return _mask(column.is_null(nan_is_null=True))


def _mask(values: pa.Array) -> Mask:
    mask: Mask = np.array(values.to_numpy(zero_copy_only=False))
    return mask


def shown(column: pa.Array) -> list[str]:
    """The values of a column as text, without those that are missing or cannot be read; empty if it cannot be shown.

    Examples
    --------
    >>> import pyarrow as pa
    >>> shown(pa.array([1, None, 2])), shown(pa.array([2**62], pa.timestamp("us")))
    (['1', '2'], [])
    """
    try:
        column = plain(column, "", "")
        values = column.filter(pa.array(~unreadable(column)))
        return [str(value) for value in values.to_pylist() if value is not None]
    except Exception:  # dates, zones and nested values are refused in many ways, and nobody has asked for the column
        return []


def passed_on(column: pa.Array, name: str, where: str) -> pa.Array:
    r"""The column as it is written out: dates that Python does not have as text, bytes that are not UTF-8 replaced.

    Examples
    --------
    >>> import pyarrow as pa
    >>> passed_on(pa.array([b"caf\xe9"]).view(pa.string()), "place", "a.parquet").to_pylist()
    ['caf\ufffd']
    """
    check_sound(column, name, where)
    if unreadable(column).any():
        values = [
            None if value is None else value.decode("utf-8", "replace") for value in _as_bytes(column).to_pylist()
        ]
        return pa.array(values, pa.large_string())
    if not pa.types.is_temporal(column.type):
        return column
    try:
        column.to_pylist()
    except Exception:  # each kind of date is refused in its own way
        return _written(column, name, where)
    return column


def _written(column: pa.Array, name: str, where: str) -> pa.Array:
    """A column of dates as text; in UTC if the time zone is not known."""
    try:
        try:
            return column.cast(pa.string())
        except pa.ArrowInvalid:
            return column.cast(pa.timestamp(column.type.unit, "UTC")).cast(pa.string())
    except pa.ArrowException as problem:
        raise SourceError(
            f"{where}: the column {printable(name)!r} cannot be passed on ({problem}): leave it out of the data"
        ) from problem


ROWS = 32768
"""The largest number of rows of a batch."""


def bounded(rows: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """The same rows in batches of at most `ROWS` rows and, except for single rows, about 16 MB.

    Examples
    --------
    >>> import pyarrow as pa
    >>> [batch.num_rows for batch in bounded(pa.record_batch({"text": ["a" * 6_000_000] * 5}))]
    [2, 1, 2]
    """
    if any(pa.types.is_dictionary(field.type) for field in rows.schema):
        rows = _without_views(rows)
    for start in range(0, rows.num_rows, ROWS):
        yield from _halved(_without_views(rows.slice(start, ROWS)))


def _without_views(rows: pa.RecordBatch) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([without_views(column) for column in rows.columns], rows.schema.names)


def _halved(rows: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    if rows.num_rows <= 1 or sum(map(_bytes_in, rows.columns)) <= CHUNK:
        yield rows
        return
    half = rows.num_rows // 2
    yield from _halved(rows.slice(0, half))
    yield from _halved(rows.slice(half))


def _bytes_in(column: pa.Array) -> int:
    """The number of bytes of a sound column, counting the value of each row even if a dictionary has it once."""
    if not (isinstance(column, pa.DictionaryArray) and is_text(column.dictionary)):
        return int(column.nbytes)
    return int(pc.sum(pc.binary_length(column.dictionary).take(column.indices)).as_py() or 0)


@dataclass(eq=False)
class TableReader(Reader):
    """Reads a table that comes in batches.

    Attributes
    ----------
    source : iterable of pyarrow.RecordBatch
        The rows.
    columns : list of str
        The names of the columns.
    format : str
        The format.
    where : str
        The name of the source in messages.
    skipped : Skipped
        Records the rows that cannot be read.
    narrow : callable, optional
        Starts again with only some columns, if the others then need not be read.
    preview : callable, optional
        Returns the first values of each column, if that does not need a batch of all columns.
    schema : pyarrow.Schema, optional
        The types of the columns, if they are known without rows.
    bytes, rows_in_all : int
        The numbers of bytes and of rows in all, if they are known.
    release : callable, optional
        Closes the file or the connection.
    """

    source: InitVar[Iterable[pa.RecordBatch]]
    columns: list[str]
    format: str
    where: str
    skipped: Skipped
    narrow: Callable[[list[str]], Iterator[pa.RecordBatch]] | None = None
    preview: Callable[[], dict[str, list[str]]] | None = None
    schema: pa.Schema | None = None
    bytes: int = 0
    rows_in_all: int = 0
    release: Callable[[], object] = lambda: None
    _row: int = field(default=0, init=False)
    _ahead: list[pa.RecordBatch] = field(default_factory=list, init=False)

    def __post_init__(self, source: Iterable[pa.RecordBatch]) -> None:
        check_names(self.columns, self.where)
        self._batches = iter(source)

    def position(self) -> int:
        """About the number of bytes that have been read."""
        return self.bytes * self._row // self.rows_in_all if self.rows_in_all else 0

    def size(self) -> int:
        """The number of bytes in all, or 0 if it is not known."""
        return self.bytes

    def close(self) -> None:
        """Close the file or the connection."""
        self.release()

    def sample(self) -> dict[str, list[str]]:
        """The first values of each column, as text. A column that cannot be shown has none."""
        if self.preview:
            return self.preview()
        first = self._next()
        if first is None:
            return super().sample()
        self._ahead = [first]
        return {name: shown(first.column(name).slice(0, SAMPLE)) for name in self.columns}

    def _next(self) -> pa.RecordBatch | None:
        try:
            return next(self._batches, None)
        except SourceError:
            raise
        except Exception as error:  # pyarrow, DuckDB and sqlite3 have errors of their own
            raise SourceError(f"{self.where}: cannot be read: {error}") from error

    def batches(self, chosen: Chosen, *, whole: bool) -> Iterator[Batch]:
        """All rows, in batches. If ``whole`` is False, other columns than those chosen are not looked at."""
        wanted = chosen.names
        if self.narrow and not whole:
            self._batches, self._ahead = self.narrow(wanted), []
        while (rows := self._ahead.pop() if self._ahead else self._next()) is not None:
            if rows.num_rows:
                yield from self._checked(rows if whole else rows.select(wanted), chosen)

    def no_rows(self) -> Batch:
        """A batch without rows, from which an empty table can be written, if the types of the columns are known."""
        empty = pa.RecordBatch.from_pylist([], schema=self.schema)
        return Batch(_native.Strings([]), None, lambda: dict(zip(empty.schema.names, empty.columns, strict=True)))

    def _checked(self, rows: pa.RecordBatch, chosen: Chosen) -> Iterator[Batch]:
        """The rows in bounded batches. Those that cannot be read are recorded, and stay if no labels are read."""
        for name in rows.schema.names:
            check_sound(rows.column(name), name, self.where)
        for some in bounded(rows):
            batch = self._batch(some, chosen)
            self._row += some.num_rows
            if len(batch.texts):
                yield batch

    def _batch(self, rows: pa.RecordBatch, chosen: Chosen) -> Batch:
        weights, unweighted = self._weights(rows, chosen.weight)
        bad = self._recorded(rows, chosen, unweighted)
        if chosen.label is not None and bad:
            good = without_problem(rows.num_rows, bad)
            rows, weights, bad = rows.filter(pa.array(good)), None if weights is None else weights[good], {}
        texts = texts_of(self._column(rows, chosen.text), bad)
        labels = None if chosen.label is None else coded(self._labels(rows, chosen.label))
        groups = None if chosen.group is None else read_groups(self._column(rows, chosen.group).to_pylist(), texts)
        return Batch(texts, labels, partial(self._table, rows), None, bad, weights, groups)

    def _weights(self, rows: pa.RecordBatch, name: str | None) -> tuple[Array | None, dict[int, str]]:
        """The weights of rows, and the problem of each row whose weight cannot be read."""
        if name is None:
            return None, {}
        column = self._column(rows, name)
        is_number = pa.types.is_integer(column.type) or pa.types.is_floating(column.type)
        numbers = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False) if is_number else None
        return read_weights(column.to_pylist() if numbers is None else numbers)

    def _recorded(self, rows: pa.RecordBatch, chosen: Chosen, unweighted: Mapping[int, str]) -> dict[int, str]:
        """The problem of each row that has one, which is recorded."""
        text = self._column(rows, chosen.text)
        if not is_text(text) and not missing(text).all():
            raise SourceError(
                f"{self.where}: the column {printable(chosen.text)!r} is of type {text.type}, not text: name another "
                "one with text=... (--text-column)"
            )
        of_label = {} if chosen.label is None else problems_in(self._column(rows, chosen.label), "label")
        found = {**unweighted, **of_label, **problems_in(text, "text")}
        for at, problem in sorted(found.items()):
            self.skipped.add(self.where, self._row + at + 1, problem, label=_label_at(rows, chosen.label, at))
        return found

    def _table(self, rows: pa.RecordBatch) -> Table:
        return {name: passed_on(rows.column(name), name, self.where) for name in rows.schema.names}

    def _labels(self, rows: pa.RecordBatch, name: str) -> pa.Array:
        """The labels. Whole numbers that pandas converted to doubles, because one was missing, are converted back."""
        column = self._column(rows, name)
        return column.cast(pa.int64()) if pa.types.is_floating(column.type) else column

    def _column(self, rows: pa.RecordBatch, name: str) -> pa.Array:
        column = rows.column(name)
        kinds = (pa.types.is_binary, pa.types.is_large_binary, pa.types.is_binary_view)
        if any(is_kind(column.type) for is_kind in kinds):
            raise SourceError(f"{self.where}: the column {name!r} contains bytes: decode it to text first")
        return _decoded(column)


def texts_of(column: pa.Array, bad: Collection[int]) -> _native.Strings:
    """The texts of a column, with an empty text where there is a problem."""
    if not bad:
        return _native.Strings(column)
    good = without_problem(len(column), bad)
    texts = np.full(len(column), "", dtype=object)
    texts[good] = column.filter(pa.array(good)).to_pylist()
    return _native.Strings(texts.tolist())


def _label_at(rows: pa.RecordBatch, name: str | None, at: int) -> str | None:
    """The label of a row, if it can be read."""
    found = [] if name is None else shown(rows.column(name).slice(at, 1))
    return found[0] if found and found[0] else None


def parquet_reader(path: Path, file: BinaryIO | None, skipped: Skipped) -> TableReader:
    """The reader of a Parquet file, or of its bytes if the file is compressed."""
    import pyarrow.parquet as pq

    try:
        parquet = pq.ParquetFile(file or path, pre_buffer=False)
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"{name_of(path)}: cannot be read as Parquet: {error}") from error

    def batches(columns: list[str] | None = None) -> Iterator[pa.RecordBatch]:
        for at in range(parquet.num_row_groups):
            group = parquet.metadata.row_group(at)
            size = max(1, min(ROWS, CHUNK * group.num_rows // max(group.total_byte_size, 1)))
            yield from parquet.iter_batches(size, row_groups=[at], columns=columns)

    reader = TableReader(batches(), parquet.schema_arrow.names, "parquet", name_of(path), skipped, batches)
    reader.release = lambda: parquet.close(force=True)
    reader.schema = parquet.schema_arrow
    reader.rows_in_all = parquet.metadata.num_rows
    reader.bytes = 0 if file else path.stat().st_size
    return reader


def arrow_reader(path: Path, file: BinaryIO | None, skipped: Skipped) -> TableReader:
    """The reader of an Arrow file, a Feather file or an Arrow stream."""
    try:
        source = pa.PythonFile(file, mode="r") if file else pa.OSFile(str(path))
        schema = _arrow_batches(source, None)[0]
    except (pa.ArrowException, OSError) as error:
        raise SourceError(f"{name_of(path)}: cannot be read as Arrow: {error}") from error
    reader = TableReader(_arrow_batches(source, None)[1], schema.names, "arrow", name_of(path), skipped)
    reader.narrow = lambda columns: _arrow_batches(source, [schema.get_field_index(name) for name in columns])[1]
    reader.release = source.close
    return reader


def _arrow_batches(source: pa.NativeFile, fields: list[int] | None) -> tuple[pa.Schema, Iterator[pa.RecordBatch]]:
    """The schema of an Arrow file or stream, and its batches with some columns, read from the start."""
    options = pa.ipc.IpcReadOptions(included_fields=fields)
    source.seek(0)
    is_file = source.read(len(ARROW_FILE)) == ARROW_FILE
    source.seek(0)
    if not is_file:
        stream = pa.ipc.open_stream(source, options=options)
        return stream.schema, iter(stream)
    opened = pa.ipc.open_file(source, options=options)
    return opened.schema, (opened.get_batch(at) for at in range(opened.num_record_batches))


# Tables in memory -----------------------------------------------------------------------------------------------

Row: TypeAlias = "tuple[object, ...]"


def row_batches(rows: Iterable[Row], names: list[str], where: str) -> Iterator[pa.RecordBatch]:
    """Batches of at most `ROWS` rows and about 16 MB, in which every column has one type.

    A column that begins with text is text in all batches.

    Examples
    --------
    >>> [batch.to_pydict() for batch in row_batches([("a", 1), ("b", "two")], ["text", "label"], "a.db")]
    [{'text': ['a', 'b'], 'label': ['1', 'two']}]
    """
    types: dict[str, pa.DataType] = {}
    for some in in_parts(rows, _size, CHUNK, ROWS):
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


def _size(row: Row) -> int:
    return sum(len(value) for value in row if isinstance(value, str | bytes))


def _typed(values: Sequence[object], known: pa.DataType | None) -> pa.Array:
    """The values as an Arrow array; as text if they have several types, or if there was text before."""
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


def frame_reader(frame: Foreign, skipped: Skipped) -> TableReader:
    """The reader of a frame of pandas or polars, an Arrow table, a DuckDB relation, or a list of dicts."""
    where = f"the {type(frame).__name__}"
    if are_rows(frame):
        names = list(dict.fromkeys(str(name) for row in frame for name in row))
        values = (tuple(row.get(name) for name in names) for row in frame)
        return TableReader(row_batches(values, names, where), names, "frame", where, skipped)
    if is_pandas(frame):
        return _pandas_reader(frame, where, skipped)
    if is_lazy(frame):
        return _lazy_reader(frame, where, skipped)
    return _arrow_reader(frame, where, skipped)


def _pandas_reader(frame: Foreign, where: str, skipped: Skipped) -> TableReader:
    """The reader of a frame of pandas, of which only the columns that are wanted are converted."""
    columns = {str(name): name for name in frame.columns}

    def batches(names: list[str], text: str | None = None) -> Iterator[pa.RecordBatch]:
        arrays = {name: _pandas_column(frame[columns[name]], name, where, is_text=name == text) for name in names}
        yield from pa.table(arrays).to_batches()

    def preview() -> dict[str, list[str]]:
        return {name: _pandas_values(frame[key]) for name, key in columns.items()}

    names = [str(name) for name in frame.columns]
    return TableReader(
        batches(names), names, "frame", where, skipped, lambda chosen: batches(chosen, chosen[0]), preview
    )


def _pandas_values(column: Foreign) -> list[str]:
    values = first_values(column)
    return [str(value) for value in column.head(SAMPLE).dropna().tolist()] if values is None else values


def _pandas_column(column: Foreign, name: str, where: str, *, is_text: bool) -> pa.Array | pa.ChunkedArray:
    """A column of pandas as Arrow data; as text if its values are of several types, which texts should not be."""
    try:
        return pa.array(column)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        if is_text:
            kinds = ", ".join(sorted({type(value).__name__ for value in column.dropna()}))
            told = f"{where}: the values of the column {printable(name)!r} are of several types ({kinds})"
            warnings.warn(f"{told}: all of them are read as text", DataWarning, stacklevel=frames_of_ours())
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
    return TableReader(batches(names), names, "frame", where, skipped, batches, preview)


def _arrow_reader(frame: ArrowStream | ArrowArray, where: str, skipped: Skipped) -> TableReader:
    try:
        stream = _stream(frame)
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise SourceError(f"{where} cannot be read as Arrow data: {error}") from error
    names = [name for name in stream.schema.names if not name.startswith(PANDAS_INDEX)]
    return TableReader((batch.select(names) for batch in stream), names, "frame", where, skipped)


def _stream(frame: ArrowStream | ArrowArray) -> pa.RecordBatchReader:
    """The batches of Arrow data. Those of pyarrow are taken as they are: they know the sizes of their buffers."""
    if isinstance(frame, pa.RecordBatchReader):
        return frame
    if isinstance(frame, pa.Table):
        return frame.to_reader()
    if hasattr(frame, "__arrow_c_stream__"):
        return pa.RecordBatchReader.from_stream(frame)
    batch = pa.record_batch(frame)
    return pa.RecordBatchReader.from_batches(batch.schema, [batch])


# Queries --------------------------------------------------------------------------------------------------------


def sql_reader(query: str, database: Path | None, skipped: Skipped) -> TableReader:
    """The reader of the rows that a query returns.

    The query runs in SQLite or DuckDB if ``database`` is a file of theirs, and in DuckDB, which reads any file, if it
    is None.
    """
    if database is not None and _is_sqlite(database):
        connection, rows_of, where = _sqlite(database), _sqlite_rows, name_of(database)
    else:
        connection, rows_of, where = _duckdb(database), _duckdb_rows, "the query"
    try:
        names, rows = rows_of(connection, query, where)
    except Exception as error:  # pyarrow, DuckDB and sqlite3 have errors of their own
        connection.close()
        raise SourceError(f"the query failed: {error}") from error
    if not names:
        connection.close()
        raise SourceError("the query returns no rows: it must be a select")
    return TableReader(rows, names, "sql", where, skipped, release=connection.close)


def _duckdb(database: Path | None) -> Foreign:
    """A connection to DuckDB."""
    duckdb = extra("duckdb", "SQL")
    where = name_of(database) if database else ":memory:"
    try:
        return duckdb.connect(str(database) if database else where, read_only=database is not None)
    except duckdb.Error as error:
        raise SourceError(
            f"{where} is not a database ({error}): give a DuckDB or SQLite file, or name other files in the "
            "query, as in: from 'data.csv'"
        ) from error


def _duckdb_rows(connection: Foreign, query: str, where: str) -> tuple[list[str], Iterable[pa.RecordBatch]]:
    del where
    result = connection.sql(query)
    if result is None:
        return [], ()
    stream = pa.RecordBatchReader.from_stream(result)
    return stream.schema.names, stream


def _is_sqlite(path: Path) -> bool:
    """Whether a file is an SQLite database."""
    try:
        with path.open("rb") as file:
            return file.read(len(SQLITE)) == SQLITE
    except OSError as error:
        raise unopened(path, error) from error


def _sqlite(database: Path) -> Foreign:
    """A connection to an SQLite database."""
    import sqlite3
    from urllib.parse import quote

    try:
        # The rows are read in another thread than the one that closes the connection.
        place = f"file:{quote(str(database.resolve()))}?mode=ro"
        return sqlite3.connect(place, uri=True, check_same_thread=False)
    except sqlite3.Error as error:  # SQLite opens paths of at most 511 bytes, for example
        raise SourceError(f"{name_of(database)}: cannot be read: {error}") from error


def _sqlite_rows(connection: Foreign, query: str, where: str) -> tuple[list[str], Iterable[pa.RecordBatch]]:
    cursor = connection.execute(query)
    names = [column[0] for column in cursor.description or ()]
    return names, row_batches(cursor, names, where)

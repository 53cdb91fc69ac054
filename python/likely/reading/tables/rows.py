"""Rows of Python values, such as those of SQLite or of a list of dicts, as batches of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.errors import SourceError
from likely.extras import extra
from likely.reading.files.stream import CHUNK
from likely.reading.tables.batches import ROWS
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa

Row = tuple[object, ...]


def row_batches(rows: Iterable[Row], names: list[str], where: str) -> Iterator[pa.RecordBatch]:
    """Batches of at most `ROWS` rows and about 16 MB, in which every column has one type.

    A column that begins with text is text in all batches.

    Examples
    --------
    >>> [batch.to_pydict() for batch in row_batches([("a", 1), ("b", "two")], ["text", "label"], "a.db")]
    [{'text': ['a', 'b'], 'label': ['1', 'two']}]
    """
    extra("pyarrow", "Reading rows")
    import pyarrow as pa

    types: dict[str, pa.DataType] = {}
    for some in _in_parts(rows):
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


def _in_parts(rows: Iterable[Row]) -> Iterator[list[Row]]:
    part: list[Row] = []
    size = 0
    for row in rows:
        part.append(row)
        size += sum(len(value) for value in row if isinstance(value, str | bytes))
        if len(part) == ROWS or size >= CHUNK:
            yield part
            part, size = [], 0
    if part:
        yield part


def _typed(values: Sequence[object], known: pa.DataType | None) -> pa.Array:
    """The values as an Arrow array; as text if they have several types, or if there was text before."""
    import pyarrow as pa

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

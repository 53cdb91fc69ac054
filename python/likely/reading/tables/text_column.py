"""The column with the texts of a frame, for the methods that take texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from likely.arrow_data import PANDAS_INDEX
from likely.errors import SourceError, TextError
from likely.extras import extra
from likely.reading.batch import check_names
from likely.reading.columns import choose
from likely.reading.records.reader import SAMPLE
from likely.reading.tables.frames import are_rows, first_values, is_lazy
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.reading.tables.frames import Foreign
    from likely.types import Texts


def text_column(texts: object, known: str | None) -> Texts:
    """The texts, if they are not a frame; or else the column ``known``, if the frame has it, or one that is guessed.

    Examples
    --------
    >>> text_column([{"review": "so good", "stars": 5}, {"review": "so bad", "stars": 1}], "review")
    ['so good', 'so bad']
    >>> text_column(["so good"], "review")
    ['so good']
    """
    if are_rows(texts):
        return _column_of(_as_columns(texts), known, "the list of dicts")
    if not (is_lazy(texts) or hasattr(texts, "columns") or hasattr(texts, "schema")):
        return cast("Texts", texts)
    return _column_of(_in_memory(texts), known, f"the {type(texts).__name__}")


def _as_columns(rows: list[Mapping[str, object]]) -> dict[str, list[object]]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}


def _in_memory(frame: Foreign) -> Foreign:
    """A frame whose columns are found by their names."""
    if is_lazy(frame):
        return frame.collect()
    if hasattr(frame, "__getitem__") and not hasattr(frame, "fetchall"):
        return frame
    extra("pyarrow", "Reading a frame")
    import pyarrow as pa

    try:  # a reader, or a relation of DuckDB
        return pa.table(frame) if not isinstance(frame, pa.RecordBatchReader) else frame.read_all()
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise TextError(f"the {type(frame).__name__} cannot be read as Arrow data: {error}") from error


def _column_of(frame: Foreign, known: str | None, where: str) -> Texts:
    keys = {str(key): key for key in _keys(frame)}
    check_names([str(key) for key in _keys(frame)], where)
    if known in keys:
        return cast("Texts", frame[keys[known]])
    sample = {name: _shown(frame[key]) for name, key in keys.items()}
    try:
        text = choose(sample, None, None, where, labelled=False).text
    except SourceError as error:
        raise TextError(
            f"texts is a table with the columns {', '.join(map(printable, keys))}, and it is not clear which one has "
            f"the texts: give one of them, as in table[{next(iter(keys), 'text')!r}]"
        ) from error
    return cast("Texts", frame[keys[text]])


def _keys(frame: Foreign) -> list[Foreign]:
    """The names of the columns, without the index of pandas in Arrow data."""
    if hasattr(frame, "schema") and hasattr(frame.schema, "metadata"):
        return [name for name in frame.schema.names if not name.startswith(PANDAS_INDEX)]
    return list(frame if isinstance(frame, dict) else frame.columns)


def _shown(column: Foreign) -> list[str]:
    """The first values of a column, as text."""
    found = first_values(column)
    if found is not None:
        return found
    values = column[:SAMPLE] if isinstance(column, list) else column.head(SAMPLE).to_list()
    return [str(value) for value in values if isinstance(value, str)] or [str(value) for value in values]

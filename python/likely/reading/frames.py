"""What is a frame: pandas, polars, Arrow, DuckDB, lists of dicts; and the column of texts of one."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypeGuard, cast

from likely.arrow_data import PANDAS_INDEX, is_arrow, is_of
from likely.errors import SourceError, TextError
from likely.extras import extra
from likely.reading.batch import check_names
from likely.reading.columns import choose
from likely.reading.records import SAMPLE
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.types import Texts


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
    from likely.reading.tables import shown

    first = column.slice(0, SAMPLE)
    return [value for array in getattr(first, "chunks", [first]) for value in shown(array)]


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
        names = dict.fromkeys(name for row in texts for name in row)
        columns = {name: [row.get(name) for row in texts] for name in names}
        return _column_of(columns, known, "the list of dicts")
    if not (is_lazy(texts) or hasattr(texts, "columns") or hasattr(texts, "schema")):
        return cast("Texts", texts)
    return _column_of(_in_memory(texts), known, f"the {type(texts).__name__}")


def _in_memory(frame: Foreign) -> Foreign:
    """A frame whose columns are found by their names."""
    if is_lazy(frame):
        return frame.collect()
    if hasattr(frame, "__getitem__") and not hasattr(frame, "fetchall"):
        return frame
    pa = extra("pyarrow", "Reading a frame")
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


def database_of(source: object) -> Path | None:
    """The database that runs a query, or None for DuckDB itself.

    Examples
    --------
    >>> database_of(["reviews.db"]), database_of(None)
    (PosixPath('reviews.db'), None)
    """
    if isinstance(source, list | tuple) and len(source) == 1:
        source = source[0]
    if source is None or isinstance(source, str | os.PathLike):
        return None if source is None else Path(source)
    raise SourceError("with sql, the source must be one database file, or None if the query names the files")

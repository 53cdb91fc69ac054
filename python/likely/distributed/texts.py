"""The column with the texts of a record batch: which of its rows cannot be read, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.errors import SourceError
from likely.extras import extra
from likely.reading.tables import NOT_UTF8, is_text, missing, unreadable
from likely.terminal import named, printable

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

MOST_NAMED = 20
"""At most this many columns are named in a message."""


def record_batches(rows: pa.RecordBatch | pa.Table) -> list[pa.RecordBatch]:
    """The record batches of a table; one without rows if the table has none. ``SourceError`` if it is neither.

    Examples
    --------
    >>> import pyarrow as pa
    >>> [batch.num_rows for batch in record_batches(pa.table({"text": pa.array([], pa.string())}))]
    [0]
    """
    pa = extra("pyarrow", "Reading record batches")
    if isinstance(rows, pa.RecordBatch):
        return [rows]
    if not isinstance(rows, pa.Table):
        raise SourceError(
            f"expected record batches, but found a {type(rows).__name__}: give a list of them, as table.to_batches()"
        )
    return rows.to_batches() or [pa.RecordBatch.from_pylist([], schema=rows.schema)]


def check_column(columns: Sequence[str], name: str) -> None:
    """Raise ``SourceError`` if there is not exactly one column of this name.

    Examples
    --------
    >>> check_column(["id", "body"], "text")
    Traceback (most recent call last):
    likely.errors.SourceError: there is no column 'text', but 'id', 'body': name another one
    """
    if not isinstance(name, str):
        raise SourceError(f"a column is named by a value of type {type(name).__name__}: give its name as a str")
    found = sum(each == name for each in columns)
    if found > 1:
        raise SourceError(f"there are {found} columns named {printable(name)!r}: rename all but one of them")
    if not found:
        shown = named(list(columns), MOST_NAMED, lambda each: repr(printable(each)))
        raise SourceError(f"there is no column {printable(name)!r}, but {shown}: name another one")


def text_problems(column: pa.Array) -> list[str | None]:
    """Why each text cannot be read, None if it can: one element per row.

    Examples
    --------
    >>> import pyarrow as pa
    >>> text_problems(pa.array(["good", None])), text_problems(pa.array([1]))
    ([None, 'no text'], ['not a text, but int64'])
    """
    problems: list[str | None] = [None] * len(column)
    if not is_text(column):
        kind = f"not a text, but {column.type}"
        return ["no text" if gone else kind for gone in missing(column).tolist()]
    for problem, where in ((NOT_UTF8, unreadable(column, "text", "the record batch")), ("no text", missing(column))):
        for at in np.flatnonzero(where).tolist():
            problems[at] = problems[at] or problem
    return problems

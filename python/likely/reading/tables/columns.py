"""Columns of tables: whether they are sound, which of their values can be read, and how they are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.errors import SourceError
from likely.extras import extra
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable

    import pyarrow as pa

    from likely.types import Mask, Starts


def unreadable(column: pa.Array, name: str, where: str) -> Mask:
    r"""True for each value that is not valid UTF-8. ``SourceError`` if the column points outside of its data.

    Examples
    --------
    >>> import pyarrow as pa
    >>> unreadable(pa.array([b"good", b"\xff"]).view(pa.string()), "text", "a.arrow")
    array([False,  True])
    """
    pa = extra("pyarrow", "Reading a table")
    try:
        column.validate(full=True)
    except pa.ArrowException:
        return _not_utf8(column, name, where)
    return np.zeros(len(column), np.bool_)


def _not_utf8(column: pa.Array, name: str, where: str) -> Mask:
    import pyarrow as pa

    raw = _as_bytes(column)
    try:
        raw.validate(full=True)
    except pa.ArrowException as problem:
        raise SourceError(
            f"{where}: the column {printable(name)!r} is damaged ({problem}): write the file or the frame again"
        ) from problem
    return _per_row(
        raw, lambda values: np.array([not _is_utf8(value) for value in values.to_pylist()], np.bool_), False
    )


def _is_utf8(value: object) -> bool:
    try:
        return not isinstance(value, bytes) or value.decode() is not None
    except UnicodeDecodeError:
        return False


def _as_bytes(column: pa.Array) -> pa.Array:
    """The column with bytes instead of strings, without a copy."""
    import pyarrow as pa

    if isinstance(column, pa.DictionaryArray):
        return pa.DictionaryArray.from_arrays(column.indices, _as_bytes(column.dictionary), safe=False)
    for text, raw in _texts().items():
        if column.type == text:
            return column.view(raw)
    return column


def _texts() -> dict[pa.DataType, pa.DataType]:
    """The types of strings, and those of bytes with the same layout."""
    import pyarrow as pa

    return {
        pa.string(): pa.binary(),
        pa.large_string(): pa.large_binary(),
        pa.string_view(): pa.binary_view(),
    }


def is_text(column: pa.Array) -> bool:
    """Whether a column contains strings, each of them in its row or in a dictionary."""
    import pyarrow as pa

    kind = column.type.value_type if isinstance(column, pa.DictionaryArray) else column.type
    return kind in _texts()


def missing(column: pa.Array) -> Mask:
    """True for each value of a sound column that is missing: null, or not a number."""
    return _per_row(column, lambda values: _mask(values.is_null(nan_is_null=True)), True)


def empty(column: pa.Array) -> Mask:
    """True for each value of a sound column that is the empty string."""
    pc = extra("pyarrow.compute", "Reading a table")
    if not is_text(column):
        return np.zeros(len(column), np.bool_)
    return _per_row(column, lambda values: _mask(pc.equal(without_views(values), "").fill_null(False)), False)


def _mask(values: pa.Array) -> Mask:
    mask: Mask = values.to_numpy(zero_copy_only=False)
    return mask


def _per_row(column: pa.Array, of_values: Callable[[pa.Array], Mask], null: bool) -> Mask:
    """What ``of_values`` says of the value of each row, and ``null`` where there is none in the dictionary."""
    import pyarrow as pa

    if not isinstance(column, pa.DictionaryArray):
        return of_values(column)
    return np.append(of_values(column.dictionary), np.bool_(null))[_keys(column)]


def _keys(column: pa.DictionaryArray) -> Starts:
    """The key of each row in the dictionary, and the size of the dictionary for a null."""
    import pyarrow as pa

    keys: Starts = column.indices.cast(pa.int64()).fill_null(len(column.dictionary)).to_numpy(zero_copy_only=False)
    return keys


def without_views(column: pa.Array) -> pa.Array:
    """The column with strings instead of views of strings, which pyarrow cannot filter."""
    import pyarrow as pa

    if isinstance(column, pa.DictionaryArray) and pa.types.is_string_view(column.dictionary.type):
        return pa.DictionaryArray.from_arrays(column.indices, without_views(column.dictionary))
    return column.cast(pa.large_string()) if pa.types.is_string_view(column.type) else column


def compact(column: pa.Array) -> pa.Array:
    """The column with a dictionary of at most one value per row, if it has a dictionary.

    Examples
    --------
    >>> import pyarrow as pa
    >>> compact(pa.array(["a", "b", "c"]).dictionary_encode().slice(2)).dictionary.to_pylist()
    ['c']
    """
    import pyarrow as pa

    if not isinstance(column, pa.DictionaryArray) or len(column.dictionary) <= len(column):
        return column
    used, at = np.unique(_keys(column), return_inverse=True)
    is_null = used == len(column.dictionary)
    values = column.dictionary.take(pa.array(used[~is_null]))
    return pa.DictionaryArray.from_arrays(pa.array(at, mask=is_null[at]), values)


def bytes_in(column: pa.Array) -> int:
    """The number of bytes of a sound column, counting the value of each row even if a dictionary has it once."""
    import pyarrow as pa

    pc = extra("pyarrow.compute", "Reading a table")
    if not (isinstance(column, pa.DictionaryArray) and is_text(column)):
        return int(column.nbytes)
    lengths = pc.binary_length(without_views(column.dictionary)).fill_null(0).to_numpy(zero_copy_only=False)
    return int(np.append(lengths.astype(np.int64), 0)[_keys(column)].sum())


def shown(column: pa.Array) -> list[str]:
    """The values of a column as text, without those that are missing or cannot be read; empty if it cannot be shown.

    Examples
    --------
    >>> import pyarrow as pa
    >>> shown(pa.array([1, None, 2])), shown(pa.array([2**62], pa.timestamp("us")))
    (['1', '2'], [])
    """
    import pyarrow as pa

    try:
        readable = ~unreadable(column, "", "")
        values = column if readable.all() else without_views(column).filter(pa.array(readable))
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
    import pyarrow as pa

    if unreadable(column, name, where).any():
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
    import pyarrow as pa

    try:
        try:
            return column.cast(pa.string())
        except pa.ArrowInvalid:
            return column.cast(pa.timestamp(column.type.unit, "UTC")).cast(pa.string())
    except pa.ArrowException as problem:
        raise SourceError(
            f"{where}: the column {printable(name)!r} cannot be passed on ({problem}): leave it out of the data"
        ) from problem

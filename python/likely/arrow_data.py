"""Arrow data of other programs: the arrays in it, each checked before anything reads it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeGuard, cast

import numpy as np

from likely.errors import MissingExtraError, TextError
from likely.extras import extra

if TYPE_CHECKING:
    import pyarrow as pa

    from likely.errors import LabelError
    from likely.types import ArrowArray, ArrowStream, Texts

PANDAS_INDEX = "__index_level_"
"""How the columns begin in which pandas passes its index on."""

LIST_METHODS = ("to_pylist", "to_list", "tolist")
"""The methods that return a list: of Arrow, of pandas and polars, of numpy."""


def is_arrow(data: object) -> TypeGuard[ArrowStream | ArrowArray]:
    """Whether an object offers Arrow data.

    Examples
    --------
    >>> import pyarrow as pa
    >>> is_arrow(pa.array(["a"])), is_arrow(["a"])
    (True, False)
    """
    return hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")


def arrays_of(data: object, what: str, error: type[TextError] | type[LabelError]) -> list[pa.Array] | None:
    """The arrays of which Arrow data consists. They are valid, or ``error`` says what is wrong with ``what``.

    None if the data is not Arrow data, or if it is better read as a list: a pandas column of Python objects, or a
    column of pandas or polars where pyarrow is not installed.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from likely.errors import LabelError
    >>> [array.to_pylist() for array in arrays_of(pa.chunked_array([["a"], ["b"]]), "labels", LabelError)]
    [['a'], ['b']]
    """
    if not is_arrow(data):
        return None
    try:
        pa = extra("pyarrow", "Reading Arrow data")
    except MissingExtraError:
        if any(hasattr(data, method) for method in LIST_METHODS):
            return None
        raise
    try:
        if is_of(data, "pyarrow") and hasattr(data, "validate"):  # it checks sizes, which may be wrong
            data.validate()
        arrays = _imported(data)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as problem:
        if hasattr(data, "to_list"):
            return None
        raise error(f"{what} is not valid Arrow data: {problem}") from problem
    arrays = [_only_column(array, what, error) for array in arrays]
    for array in arrays:
        _check(array, what, error)
    return arrays


def listed(data: object, what: str, error: type[TextError] | type[LabelError]) -> list[object] | None:
    """The values of Arrow data as a list, None for a null; None if `arrays_of` returns None.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from likely.errors import TextError
    >>> listed(pa.array(["a", None]), "texts", TextError)
    ['a', None]
    """
    arrays = arrays_of(data, what, error)
    return None if arrays is None else [value for array in arrays for value in array.to_pylist()]


def listed_texts(texts: Texts) -> list[str]:
    """The texts of any container as a list.

    Examples
    --------
    >>> import numpy as np
    >>> listed_texts(np.array(["a", "b"]))
    ['a', 'b']
    """
    return cast("list[str]", as_list(texts, "texts", TextError))


def as_list(data: object, what: str, error: type[TextError] | type[LabelError]) -> list[object]:
    """The elements of any container as a list, whatever their types are; ``error`` for what is not a container.

    Examples
    --------
    >>> from likely.errors import LabelError
    >>> as_list(("a", 1), "labels", LabelError)
    ['a', 1]
    """
    if isinstance(data, list):
        return data
    found = listed(data, what, error)
    if found is not None:
        return found
    data = one_column(data, what, error)
    for method in LIST_METHODS:
        if hasattr(data, method):
            data = getattr(data, method)()
            break
    one = what.removesuffix("s")
    if isinstance(data, str | bytes):
        raise error(f"{what} is a single {type(data).__name__}: for one {one} write [{one}]")
    if not isinstance(data, Iterable):
        raise error(f"{what} is of type {type(data).__name__}: give a list or another iterable of {what}")
    return data if isinstance(data, list) else list(data)


def one_column(data: object, what: str, error: type[TextError] | type[LabelError]) -> object:
    """The data in one dimension, also if it is an array or a frame with one column, as scikit-learn passes them on.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.errors import LabelError
    >>> one_column(np.array([[1], [2]]), "labels", LabelError)
    array([1, 2])
    """
    shape = getattr(data, "shape", None)
    if not isinstance(shape, tuple) or len(shape) != 2:
        return data
    if shape[1] != 1:
        raise error(f"{what} is a table with {shape[1]} columns: give one of them")
    return np.asarray(data).reshape(-1)


def _imported(data: ArrowStream | ArrowArray) -> list[pa.Array]:
    import pyarrow as pa

    if isinstance(data, pa.Array):
        return [data]
    if isinstance(data, pa.ChunkedArray):
        return list(data.chunks)
    if is_of(data, "pandas") and hasattr(data, "array"):
        return _imported(pa.array(data))
    return list(pa.chunked_array(data).chunks) if hasattr(data, "__arrow_c_stream__") else [pa.array(data)]


def is_of(data: object, library: str) -> bool:
    """Whether an object is of a class of this library, which need not be installed."""
    return type(data).__module__.partition(".")[0] == library


def _only_column(array: pa.Array, what: str, error: type[TextError] | type[LabelError]) -> pa.Array:
    """The only column of a table that has one, besides the index of pandas; or the array as it is."""
    import pyarrow as pa

    if not pa.types.is_struct(array.type):
        return array
    names = [field.name for field in array.type]
    columns = [name for name in names if not name.startswith(PANDAS_INDEX)]
    if len(columns) != 1:
        raise error(f"{what} is a table: give one of its columns {columns}")
    return array.field(names.index(columns[0]))


def _check(array: pa.Array, what: str, error: type[TextError] | type[LabelError]) -> None:
    import pyarrow as pa

    try:
        array.validate(full=True)
    except pa.ArrowException as problem:
        raise error(f"{what} is not valid Arrow data: {problem}") from problem

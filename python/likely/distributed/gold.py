"""The column with the gold labels of a record batch, as the type of the labels of a model."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from likely.errors import LabelError
from likely.extras import extra
from likely.labels import CodedLabels, python_label
from likely.reading.tables import NOT_UTF8, unreadable

if TYPE_CHECKING:
    import pyarrow as pa

    from likely.types import Label

NO_LABEL = "no label"


def gold_labels(column: pa.Array, kind: type) -> tuple[CodedLabels, list[str | None]]:
    """The labels of rows as str, int or bool, and why each cannot be read, None if it can.

    A row that has a problem has the first of the labels.

    Examples
    --------
    >>> import pyarrow as pa
    >>> labels, problems = gold_labels(pa.array(["1", None, "2", "x"]), int)
    >>> list(labels)[0], list(labels)[2], problems
    (1, 2, [None, 'no label', None, "the label 'x' cannot be read as int"])
    """
    pa = extra("pyarrow", "Reading labels")
    if pa.types.is_nested(column.type):
        return CodedLabels([], np.zeros(len(column), np.uint32)), [f"not a label, but {column.type}"] * len(column)
    damaged = unreadable(column, "label", "the record batch")
    if damaged.any():
        column = column.take(pa.array(np.arange(len(column)), mask=damaged))
    encoded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    found = [_read(value, kind) for value in encoded.dictionary.to_pylist()]
    codes = encoded.indices.cast(pa.int64()).fill_null(len(found)).to_numpy(zero_copy_only=False)
    told = [*(problem for _, problem in found), NO_LABEL]
    problems = [told[code] for code in codes.tolist()]
    for at in np.flatnonzero(damaged).tolist():
        problems[at] = NOT_UTF8
    readable = [label for label, _ in found if label is not None]
    places = {(type(label), label): place for place, label in enumerate(readable)}
    of_value = [0 if label is None else places[type(label), label] for label, _ in found]
    return CodedLabels(readable, np.array([*of_value, 0], np.uint32)[codes]), problems


def _read(value: object, kind: type) -> tuple[Label | None, str | None]:
    """The label that a value stands for, or else why there is none."""
    if value is None or value in ("", b"") or (isinstance(value, float) and math.isnan(value)):
        return None, NO_LABEL
    try:
        return CodedLabels([python_label(value)], np.zeros(1, np.uint32)).as_kind(kind).values[0], None
    except LabelError:
        return None, f"the label {value!r} cannot be read as {kind.__name__}"

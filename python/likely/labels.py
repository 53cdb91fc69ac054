"""Labels to class numbers and back. Labels are str, int or bool and come back as what they were."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from likely.errors import LabelError, UnknownClassError

Label: TypeAlias = str | int | bool
Codes: TypeAlias = npt.NDArray[np.uint32]

_KINDS: tuple[type, ...] = (bool, int, str)  # bool first: it is a kind of int
_NUMPY_KINDS: dict[type, Callable[[Any], Label]] = {np.bool_: bool, np.integer: int, np.str_: str}


class LabelIndex:
    """Class numbers, handed out in order of appearance.

    Examples
    --------
    >>> index = LabelIndex()
    >>> index.encode(["spam", "ham", "spam"])
    array([0, 1, 0], dtype=uint32)
    >>> index.labels
    ['spam', 'ham']
    """

    def __init__(self, labels: Iterable[Label] = ()) -> None:
        self.labels: list[Label] = []
        self._numbers: dict[Label, int] = {}
        for label in labels:
            self.number(label)

    def number(self, label: Label) -> int:
        """The number of a label, a new one if it is new; its kind must be that of the others."""
        if self.labels and type(self.labels[0]) is not type(label):
            old, new = type(self.labels[0]).__name__, type(label).__name__
            raise LabelError(f"label {label!r} is of type {new}, but the labels so far are of type {old}")
        if label not in self._numbers:
            self._numbers[label] = len(self.labels)
            self.labels.append(label)
        return self._numbers[label]

    def find(self, label: Any) -> int:
        """The number of a known label, or an error that lists the known ones."""
        kind = type(self.labels[0]) if self.labels else None
        number = self._numbers.get(label) if type(label) is kind else None
        if number is None:
            known = ", ".join(repr(known) for known in sorted(self.labels)[:20])
            raise UnknownClassError(f"the model knows no class {label!r}: it knows {known or 'none yet'}")
        return number

    def encode(self, labels: Any) -> Codes:
        """The numbers of many labels: a list, a numpy array, a pandas or polars Series, Arrow data."""
        if isinstance(labels, str | bytes):
            raise LabelError(f"labels is a single {type(labels).__name__}: for one label write [label]")
        if hasattr(labels, "__arrow_c_stream__") or hasattr(labels, "__arrow_c_array__"):
            return self._encode_arrow(labels)
        values = python_labels(labels)
        for label in dict.fromkeys(values):
            self.number(label)
        return np.fromiter(map(self._numbers.__getitem__, values), np.uint32, len(values))

    def _encode_arrow(self, labels: Any) -> Codes:
        import pyarrow as pa

        is_stream = hasattr(labels, "__arrow_c_stream__")
        chunks = pa.chunked_array(labels).chunks if is_stream else [pa.array(labels)]
        codes, before = [np.zeros(0, np.uint32)], 0
        for chunk in chunks:
            distinct, at = _distinct(chunk)
            if None in distinct:
                row = before + int((at == distinct.index(None)).argmax())
                raise LabelError(f"the label in row {row} is missing: fill it in or leave the row out")
            numbers = np.array([self.number(label) for label in python_labels(distinct)], np.uint32)
            codes.append(numbers[at])
            before += len(chunk)
        return np.concatenate(codes)


def python_labels(labels: Any) -> list[Label]:
    """Labels as a list of str, int or bool; ``LabelError`` names the first row that is none of these.

    Examples
    --------
    >>> import numpy as np
    >>> python_labels(np.array([1, 2]))
    [1, 2]
    """
    if hasattr(labels, "to_list"):  # pandas, polars
        labels = labels.to_list()
    elif hasattr(labels, "tolist"):  # numpy, pyarrow
        labels = labels.tolist()
    if not isinstance(labels, Iterable):
        raise LabelError(f"labels is a {type(labels).__name__}: give a list or other iterable of labels")
    values = list(labels)
    kinds = set(map(type, values))
    if len(kinds) <= 1 and kinds <= set(_KINDS):
        return values
    values = [_python_label(value, row) for row, value in enumerate(values)]
    for row, value in enumerate(values):
        if type(value) is not type(values[0]):
            kind = type(values[0]).__name__
            raise LabelError(f"the label {value!r} in row {row} is no {kind} as that in row 0: use one kind")
    return values


def _python_label(value: Any, row: int) -> Label:
    for numpy_kind, numpy_label in _NUMPY_KINDS.items():
        if isinstance(value, numpy_kind):
            return numpy_label(value)
    for kind in _KINDS:
        if isinstance(value, kind):
            label: Label = kind(value) if kind is not str else str.__str__(value)
            return label
    if value is None or (isinstance(value, float) and math.isnan(value)) or type(value).__name__ == "NAType":
        raise LabelError(f"the label in row {row} is missing: fill it in or leave the row out")
    name = type(value).__name__
    raise LabelError(f"the label {value!r} in row {row} is of type {name}: labels are str, int or bool")


def _distinct(chunk: Any) -> tuple[list[Any], npt.NDArray[np.int64]]:
    """The distinct values of an Arrow array, None for null, and for each row which it has."""
    import pyarrow as pa

    if pa.types.is_struct(chunk.type):
        raise LabelError(f"labels is a table: give one of its columns {[field.name for field in chunk.type]}")
    if isinstance(chunk, pa.DictionaryArray):
        values = [*chunk.dictionary.to_pylist(), None]
        return _distinct_values([values[-1 if at is None else at] for at in chunk.indices.to_pylist()])
    try:
        encoded = chunk.dictionary_encode(null_encoding="encode")
    except pa.ArrowNotImplementedError:
        return _distinct_values(chunk.to_pylist())
    return encoded.dictionary.to_pylist(), encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)


def _distinct_values(values: list[Any]) -> tuple[list[Any], npt.NDArray[np.int64]]:
    places: dict[Any, int] = {}
    at = [places.setdefault(value, len(places)) for value in values]
    return list(places), np.array(at, np.int64)


def label_array(labels: list[Label]) -> npt.NDArray[Any]:
    """Labels as a numpy array that gives them back unchanged.

    Examples
    --------
    >>> label_array(["+", "-"])
    array(['+', '-'], dtype='<U1')
    """
    if labels and isinstance(labels[0], str) and any(str(label).endswith("\0") for label in labels):
        return np.array(labels, dtype=object)  # numpy's own strings lose a NUL at the end
    if labels and type(labels[0]) is int and not all(-(2**63) <= int(label) < 2**63 for label in labels):
        return np.array(labels, dtype=object)
    return np.array(labels)


def check_among(labels: Any, classes: Any) -> None:
    """Raise ``UnknownClassError`` for a label that is not one of the classes."""
    known = set(python_labels(classes))
    for row, label in enumerate(python_labels(labels)):
        if label not in known:
            raise UnknownClassError(f"the label {label!r} in row {row} is not among the classes given")

"""Labels to class numbers and back. Labels are str, int or bool and come back as what they were."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.errors import LabelError, UnknownClassError

if TYPE_CHECKING:
    from likely.types import Label

Codes: TypeAlias = npt.NDArray[np.uint32]

_LEAST, _MOST = -(2**63), 2**63 - 1
_NUMPY_KINDS: dict[type, Callable[[Any], Label]] = {np.bool_: bool, np.integer: int, np.str_: str}


@dataclass(frozen=True)
class CodedLabels:
    """Many labels of few kinds: the distinct ones, and for each row which it has.

    Examples
    --------
    >>> list(CodedLabels(["spam", "ham"], np.array([0, 1, 0], np.uint32)))
    ['spam', 'ham', 'spam']
    """

    values: list[Label]
    codes: Codes

    def __len__(self) -> int:
        return len(self.codes)

    def __iter__(self) -> Iterator[Label]:
        return map(self.values.__getitem__, self.codes.tolist())

    def chosen(self, wanted: npt.NDArray[np.bool_]) -> CodedLabels:
        """Only the rows that are wanted."""
        return CodedLabels(self.values, self.codes[wanted])

    def as_kind(self, kind: type) -> CodedLabels:
        """The labels as the kind that others are: a file of text may say "1" where a table says 1.

        Examples
        --------
        >>> CodedLabels(["1", "0"], np.array([0, 1], np.uint32)).as_kind(int).values
        [1, 0]
        """
        return CodedLabels([_as_kind(value, kind) for value in self.values], self.codes)


def _as_kind(label: Label, kind: type) -> Label:
    if type(label) is kind:
        return label
    text = str(label).lower() if isinstance(label, bool) else str(label)
    if kind is str:
        return text
    if kind is bool and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if kind is int and not isinstance(label, bool) and re.fullmatch(r"[+-]?[0-9]{1,18}", text):
        return int(text)
    raise LabelError(f"the label {label!r} is no {kind.__name__}, as the labels of the model are")


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

    def encode(self, labels: Any) -> Codes:
        """The numbers of many labels: a list, a numpy array, a pandas or polars Series, Arrow data, `CodedLabels`."""
        if isinstance(labels, CodedLabels):
            return np.array([self.number(label) for label in labels.values], np.uint32)[labels.codes]
        encoded = self._encode_arrow(labels)
        if encoded is not None:
            return encoded
        values = _listed(labels)
        distinct: dict[Any, int] = {}
        codes = _native.encode_labels(values, distinct)
        if codes is None or not _are_plain(list(distinct)):
            distinct = {}
            codes = _native.encode_labels(python_labels(values), distinct)
        numbers = np.array([self.number(label) for label in distinct], np.uint32)
        return numbers[codes] if codes is not None and len(codes) else np.zeros(0, np.uint32)

    def _encode_arrow(self, labels: Any) -> Codes | None:
        """As `encode` for Arrow data, by way of their distinct values; None for what is no Arrow data."""
        is_stream = hasattr(labels, "__arrow_c_stream__")
        if not is_stream and not hasattr(labels, "__arrow_c_array__"):
            return None
        import pyarrow as pa

        try:
            chunks = pa.chunked_array(labels).chunks if is_stream else [pa.array(labels)]
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            return None  # such as a pandas column of Python objects
        codes, before = [np.zeros(0, np.uint32)], 0
        for chunk in chunks:
            distinct, at = _distinct(chunk)
            if None in distinct:
                raise _missing(before + int((at == distinct.index(None)).argmax()))
            numbers = np.array([self.number(label) for label in python_labels(distinct)], np.uint32)
            codes.append(numbers[at])
            before += len(chunk)
        return np.concatenate(codes)


def coded(labels: Any) -> CodedLabels:
    """Labels of any container as distinct ones and codes.

    Examples
    --------
    >>> coded(["b", "a", "b"])
    CodedLabels(values=['b', 'a'], codes=array([0, 1, 0], dtype=uint32))
    """
    index = LabelIndex()
    codes = index.encode(labels)
    return CodedLabels(index.labels, codes)


def python_labels(labels: Any) -> list[Label]:
    """Labels as a list of str, int or bool; ``LabelError`` names the first row that is none of these.

    Examples
    --------
    >>> import numpy as np
    >>> python_labels(np.array([1, 2]))
    [1, 2]
    """
    values = _listed(labels)
    if _are_plain(values):
        return values
    values = [_python_label(value, row) for row, value in enumerate(values)]
    for row, value in enumerate(values):
        if type(value) is not type(values[0]):
            kind = type(values[0]).__name__
            raise LabelError(f"the label {value!r} in row {row} is no {kind} as that in row 0: use one kind")
    return values


def _listed(labels: Any) -> list[Any]:
    """Labels of any container as a list, whatever they are."""
    for method in ("to_pylist", "to_list", "tolist"):  # Arrow; pandas and polars; numpy
        if hasattr(labels, method):
            labels = getattr(labels, method)()
            break
    if isinstance(labels, str | bytes):
        raise LabelError(f"labels is a single {type(labels).__name__}: for one label write [label]")
    if not isinstance(labels, Iterable):
        raise LabelError(f"labels is a {type(labels).__name__}: give a list or other iterable of labels")
    return labels if isinstance(labels, list) else list(labels)


def python_label(label: Any) -> Label:
    """One label as str, int or bool.

    Examples
    --------
    >>> import numpy as np
    >>> python_label(np.str_("spam"))
    'spam'
    """
    return python_labels([label])[0]


def _are_plain(values: list[Any]) -> bool:
    """Whether labels can be taken as they are, judged by their distinct values."""
    kinds = set(map(type, values))
    return kinds <= {bool} or (kinds in ({str}, {int}) and all(map(_is_storable, set(values))))


def _is_storable(label: Label) -> bool:
    """Whether a label fits a column of text or of 64-bit numbers."""
    if isinstance(label, str):
        return label.isascii() or not any("\ud800" <= c <= "\udfff" for c in label)
    return _LEAST <= label <= _MOST


def _python_label(value: Any, row: int) -> Label:
    for numpy_kind, python_kind in _NUMPY_KINDS.items():
        if isinstance(value, numpy_kind):
            value = python_kind(value)
    if value is None or (isinstance(value, float) and math.isnan(value)) or type(value).__name__ == "NAType":
        raise _missing(row)
    label: Label
    if isinstance(value, bool):
        label = value
    elif isinstance(value, int):
        label = int(value)
    elif isinstance(value, str):
        label = str.__str__(value)
    else:
        name = type(value).__name__
        raise LabelError(f"the label {value!r} in row {row} is of type {name}: labels are str, int or bool")
    if not _is_storable(label):
        raise LabelError(f"the label {label!r} in row {row} is no valid Unicode, or does not fit 64 bits")
    return label


def _missing(row: int) -> LabelError:
    return LabelError(f"the label in row {row} is missing: fill it in or leave the row out")


def _distinct(chunk: Any) -> tuple[list[Any], npt.NDArray[np.int64]]:
    """The distinct values of an Arrow array, None for null, and for each row which it has."""
    import pyarrow as pa

    if pa.types.is_struct(chunk.type) and chunk.type.num_fields == 1:
        return _distinct(chunk.field(0))
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
    try:
        at = [places.setdefault(value, len(places)) for value in values]
    except TypeError:
        raise LabelError("labels are lists or other containers: labels are str, int or bool") from None
    return list(places), np.array(at, np.int64)


def label_array(labels: list[Label]) -> npt.NDArray[Any]:
    """Labels as a numpy array that gives them back unchanged.

    Examples
    --------
    >>> label_array(["+", "-"])
    array(['+', '-'], dtype='<U1')
    """
    texts = [label for label in labels if isinstance(label, str)]
    # numpy's own strings lose a NUL at the end, and are all as long as the longest.
    if any(text.endswith("\0") for text in texts) or len(texts) * max(map(len, texts), default=0) > 1 << 20:
        return np.array([*labels, None], dtype=object)[:-1]
    return np.array(labels)


def label_like(text: str, labels: list[Label]) -> Label:
    """The label that a text, as typed on a command line, stands for.

    Examples
    --------
    >>> label_like("1", [0, 1])
    1
    """
    for label in labels:
        if str(label) == text:
            return label
    close = difflib.get_close_matches(text, map(str, labels), n=1)
    known = ", ".join(map(str, labels[:10])) + (" ..." if len(labels) > 10 else "")
    hint = f"did you mean {close[0]!r}?" if close else f"its classes are {known}"
    raise UnknownClassError(f"the model knows no class {text!r}: {hint}")


def check_among(labels: list[Label], classes: Any) -> None:
    """Raise ``UnknownClassError`` for a label that is not one of the classes."""
    known = set(python_labels(classes))
    for row, label in enumerate(labels):
        if label not in known:
            raise UnknownClassError(f"the label {label!r} in row {row} is not among the classes given")

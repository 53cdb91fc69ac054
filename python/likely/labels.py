"""Labels to class numbers and places, and back. A label is a str, int or bool, and is returned as it was given."""

from __future__ import annotations

import difflib
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias, TypeGuard

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.arrow_data import arrays_of, as_list
from likely.errors import ArgumentError, LabelError
from likely.terminal import counted, named

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    import pyarrow as pa

    from likely.types import Label, LabelArray, Labels, Mask, Places

Codes: TypeAlias = npt.NDArray[np.uint32]

MOST_NAMED = 20
"""At most this many classes are named in a message."""

_LEAST, _MOST = -(2**63), 2**63 - 1


@dataclass(frozen=True)
class CodedLabels:
    """Many labels in little memory: the distinct labels, and for each row the place of its label among them.

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

    def chosen(self, wanted: Mask) -> CodedLabels:
        """The labels of some rows; ``wanted`` is True or False per row. Labels that no row has are dropped.

        Examples
        --------
        >>> CodedLabels(["spam", "ham"], np.array([0, 1, 1], np.uint32)).chosen(np.array([False, True, True]))
        CodedLabels(values=['ham'], codes=array([0, 0], dtype=uint32))
        """
        used, codes = np.unique(self.codes[wanted], return_inverse=True)
        return CodedLabels([self.values[at] for at in used.tolist()], codes.astype(np.uint32))

    def as_kind(self, kind: type) -> CodedLabels:
        """The same labels as str, int or bool: a text file may have "1" where a table has 1.

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
    is_number = kind is int and not isinstance(label, bool) and re.fullmatch(r"[+-]?[0-9]{1,19}", text)
    if is_number and _is_storable(int(text)):
        return int(text)
    raise LabelError(f"the label {label!r} cannot be read as {kind.__name__}, the type of the labels of the model")


class LabelIndex:
    """The number of each class, in the order in which the classes first appear.

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
        """The number of a label. A new label gets the next number; it must be of the same type as the others."""
        if self.labels and type(self.labels[0]) is not type(label):
            old, new = type(self.labels[0]).__name__, type(label).__name__
            raise LabelError(f"the label {label!r} is of type {new}, but the labels so far are of type {old}")
        if label not in self._numbers:
            self._numbers[label] = len(self.labels)
            self.labels.append(label)
        return self._numbers[label]

    def encode(self, labels: Labels) -> Codes:
        """The number of each label, one per row; labels come as any container, or as `CodedLabels`."""
        if isinstance(labels, CodedLabels):
            return np.array([self.number(label) for label in labels.values], np.uint32)[labels.codes]
        encoded = self._encode_arrow(labels)
        if encoded is not None:
            return encoded
        values = as_list(labels, "labels", LabelError)
        distinct: dict[Label, int] = {}
        codes = _native.encode_labels(values, distinct)
        if codes is None or not _are_plain(list(distinct)):
            distinct = {}
            codes = _native.encode_labels(python_labels(values), distinct)
        numbers = np.array([self.number(label) for label in distinct], np.uint32)
        return numbers[codes] if codes is not None and len(codes) else np.zeros(0, np.uint32)

    def _encode_arrow(self, labels: Labels) -> Codes | None:
        """The result of `encode` for Arrow data, by way of its distinct values; None if it is not Arrow data."""
        chunks = arrays_of(labels, "labels", LabelError)
        if chunks is None:
            return None
        codes, before = [np.zeros(0, np.uint32)], 0
        for chunk in chunks:
            distinct, at = _distinct(chunk)
            if missing := [place for place, label in enumerate(distinct) if _is_missing(label)]:
                raise _missing(before + int(np.isin(at, missing).argmax()) + 1)
            numbers = np.array([self.number(label) for label in python_labels(distinct)], np.uint32)
            codes.append(numbers[at])
            before += len(chunk)
        return np.concatenate(codes)


def coded(labels: Labels) -> CodedLabels:
    """Labels of any container as `CodedLabels`.

    Examples
    --------
    >>> coded(["b", "a", "b"])
    CodedLabels(values=['b', 'a'], codes=array([0, 1, 0], dtype=uint32))
    """
    if isinstance(labels, CodedLabels):
        return labels
    index = LabelIndex()
    codes = index.encode(labels)
    return CodedLabels(index.labels, codes)


def python_labels(labels: object) -> list[Label]:
    """Labels of any container as a list of str, int or bool; ``LabelError`` names the first row with another type.

    Examples
    --------
    >>> import numpy as np
    >>> python_labels(np.array([1, 2]))
    [1, 2]
    """
    values = as_list(labels, "labels", LabelError)
    if _are_plain(values):
        return values
    converted = [_python_label(value, row) for row, value in enumerate(values, 1)]
    for row, value in enumerate(converted, 1):
        if type(value) is not type(converted[0]):
            kind = type(converted[0]).__name__
            raise LabelError(
                f"the label {value!r} in row {row} has a different type from row 1 ({kind}): use one type"
            )
    return converted


def python_label(label: object) -> Label:
    """One label as str, int or bool.

    Examples
    --------
    >>> import numpy as np
    >>> python_label(np.str_("spam"))
    'spam'
    """
    return python_labels([label])[0]


def _are_plain(values: list[object]) -> TypeGuard[list[Label]]:
    """Whether labels can be used without conversion: they are all str, all int or all bool, and can be stored."""
    kinds = set(map(type, values))
    return kinds <= {bool} or (kinds in ({str}, {int}) and all(map(_is_storable, set(values))))


def _is_storable(label: object) -> bool:
    """Whether a label fits into a column of valid Unicode or of 64-bit numbers."""
    if isinstance(label, str):
        return label.isascii() or not any("\ud800" <= c <= "\udfff" for c in label)
    return isinstance(label, int) and _LEAST <= label <= _MOST


def _python_label(value: object, row: int) -> Label:
    if isinstance(value, np.bool_):
        value = bool(value)
    elif isinstance(value, np.integer):
        value = int(value)
    if _is_missing(value):
        raise _missing(row)
    if isinstance(value, float | np.floating):
        if not float(value).is_integer():
            what = "is a fraction: labels are text, whole numbers or bool"
            raise LabelError(f"the label {float(value)!r} in row {row} {what}")
        value = int(value)
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
        raise LabelError(f"the label {label!r} in row {row} is not valid Unicode, or does not fit into 64 bits")
    return label


def _is_missing(value: object) -> bool:
    is_nan = isinstance(value, float | np.floating) and math.isnan(value)
    return value is None or is_nan or type(value).__name__ == "NAType"


def _missing(row: int) -> LabelError:
    return LabelError(f"the label in row {row} is missing: fill it in or leave the row out")


def _distinct(chunk: pa.Array) -> tuple[list[object], npt.NDArray[np.int64]]:
    """The distinct values of an Arrow array (None for null), and for each row the place of its value among them."""
    import pyarrow as pa

    if isinstance(chunk, pa.DictionaryArray):
        values = [*chunk.dictionary.to_pylist(), None]
        return _distinct_values([values[-1 if at is None else at] for at in chunk.indices.to_pylist()])
    if chunk.null_count:  # pyarrow encodes a null among string views, which polars passes on, as an empty string
        return _distinct_values(chunk.to_pylist())
    try:
        encoded = chunk.dictionary_encode(null_encoding="encode")
    except pa.ArrowNotImplementedError:
        return _distinct_values(chunk.to_pylist())
    return encoded.dictionary.to_pylist(), encoded.indices.to_numpy(zero_copy_only=False).astype(np.int64)


def _distinct_values(values: list[object]) -> tuple[list[object], npt.NDArray[np.int64]]:
    """The distinct values of a list, and for each row the place of its value among them."""
    places: dict[object, int] = {}
    try:
        at = [places.setdefault(value, len(places)) for value in values]
    except TypeError:
        raise LabelError("labels are lists or other containers: labels are str, int or bool") from None
    return list(places), np.array(at, np.int64)


def unequal(labels: int, texts: int | None) -> ArgumentError:
    """The error for labels and texts whose numbers differ; None stands for more texts than labels.

    Examples
    --------
    >>> unequal(1, 2), unequal(3, None)
    (ArgumentError('1 label for 2 texts: give one label per text'),
     ArgumentError('3 labels for more texts: give one label per text'))
    """
    found = "more texts" if texts is None else counted(texts, "text")
    return ArgumentError(f"{counted(labels, 'label')} for {found}: give one label per text")


def label_array(labels: list[Label]) -> LabelArray:
    """Labels as a numpy array, whose ``tolist()`` returns them unchanged.

    Examples
    --------
    >>> label_array(["+", "-"])
    array(['+', '-'], dtype='<U1')
    """
    texts = [label for label in labels if isinstance(label, str)]
    # An array of numpy's own strings loses a NUL at the end of one, and gives all the length of the longest.
    if any(text.endswith("\0") for text in texts) or len(texts) * max(map(len, texts), default=0) > 1 << 20:
        return np.array([*labels, None], dtype=object)[:-1]
    return np.array(labels)


# Classes ---------------------------------------------------------------------------------------------------------


class ClassPlaces:
    """The place of each class among the classes of a model, for one label or for many.

    The classes are given in the order of the columns, which is sorted everywhere in `likely`. A label of another
    type is never a class: ``True`` is not ``1``.

    Examples
    --------
    >>> places = ClassPlaces(["ham", "spam"])
    >>> places.of("spam")
    1
    >>> places.of_all(["spam", "ham", "spam"])
    array([1, 0, 1])
    >>> places.of_all(["ham", "spa"])
    Traceback (most recent call last):
    likely.errors.LabelError: the label 'spa' in row 2 is not one of the classes 'ham', 'spam'
    >>> places.found(["ham", "spa"])
    array([ 0, -1])
    """

    def __init__(self, classes: Iterable[Label]) -> None:
        self.labels = list(classes)
        self._places = {(type(label), label): place for place, label in enumerate(self.labels)}

    def __len__(self) -> int:
        """The number of classes."""
        return len(self.labels)

    def __contains__(self, label: object) -> bool:
        return isinstance(label, str | int) and (type(label), label) in self._places

    def of(self, label: object) -> int:
        """The place of one class; ``LabelError`` if the label is not one of the classes."""
        wanted = python_label(label)
        if wanted not in self:
            raise unknown_class(wanted, self.labels)
        return self._places[type(wanted), wanted]

    def of_all(self, labels: Labels) -> Places:
        """The place of each label, one per row; ``LabelError`` names the first label that is not a class."""
        given = coded(labels)
        places = self.found(given)
        if (unknown := places < 0).any():
            row = int(unknown.argmax())
            raise unknown_class(given.values[given.codes[row]], self.labels, row + 1)
        return places

    def found(self, labels: Labels) -> Places:
        """The place of each label, one per row; -1 for a label that is not one of the classes."""
        given = coded(labels)
        places = [self._places.get((type(label), label), -1) for label in given.values]
        return np.array(places, np.intp)[given.codes]


def label_like(text: str, labels: list[Label]) -> Label:
    """The label that a text from the command line stands for.

    Examples
    --------
    >>> label_like("1", [0, 1])
    1
    """
    for label in labels:
        if str(label) == text:
            return label
    raise unknown_class(text, labels, close=difflib.get_close_matches(text, map(str, labels)))


def unknown_class(
    label: Label, classes: Sequence[Label], row: int | None = None, close: Sequence[str] = ()
) -> LabelError:
    """The error for a label that is not one of the classes. Its message names both, and the row (from 1).

    If some classes are ``close`` to it, only these are named among many.

    Examples
    --------
    >>> unknown_class("c", ["a", "b"], row=3)
    LabelError("the label 'c' in row 3 is not one of the classes 'a', 'b'")
    """
    where = "" if row is None else f" in row {row}"
    hint = f": did you mean {' or '.join(map(repr, close))}?" if close else ""
    shown = f"{len(classes):,} classes" if close and len(classes) > MOST_NAMED else f"classes {class_names(classes)}"
    return LabelError(f"the label {label!r}{where} is not one of the {shown}{hint}")


def class_names(classes: Sequence[Label]) -> str:
    """The classes as a list for a message.

    Examples
    --------
    >>> class_names(["ham", "spam"])
    "'ham', 'spam'"
    """
    return named(classes, MOST_NAMED, repr)

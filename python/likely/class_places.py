"""The place of a label among the classes of a model, and the error for a label that is not one of them."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

import numpy as np

from likely.errors import UnknownClassError
from likely.labels import coded, python_label, python_labels
from likely.terminal import named

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from likely.types import Label, Labels, Places

MOST_NAMED = 20
"""At most this many classes are named in a message."""


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
    likely.errors.UnknownClassError: the label 'spa' in row 2 is not one of the classes 'ham', 'spam'
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
        """The place of one class; ``UnknownClassError`` if the label is not one of the classes."""
        wanted = python_label(label)
        if wanted not in self:
            raise unknown_class(wanted, self.labels)
        return self._places[type(wanted), wanted]

    def of_all(self, labels: Labels) -> Places:
        """The place of each label, one per row; ``UnknownClassError`` names the first label that is not a class."""
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
) -> UnknownClassError:
    """The error for a label that is not one of the classes. Its message names both, and the row (from 1).

    If some classes are ``close`` to it, only these are named among many.

    Examples
    --------
    >>> unknown_class("c", ["a", "b"], row=3)
    UnknownClassError("the label 'c' in row 3 is not one of the classes 'a', 'b'")
    """
    where = "" if row is None else f" in row {row}"
    hint = f": did you mean {' or '.join(map(repr, close))}?" if close else ""
    shown = f"{len(classes):,} classes" if close and len(classes) > MOST_NAMED else f"classes {class_names(classes)}"
    return UnknownClassError(f"the label {label!r}{where} is not one of the {shown}{hint}")


def class_names(classes: Sequence[Label]) -> str:
    """The classes as a list for a message.

    Examples
    --------
    >>> class_names(["ham", "spam"])
    "'ham', 'spam'"
    """
    return named(classes, MOST_NAMED, repr)


def check_among(labels: list[Label], classes: Labels) -> None:
    """Raise ``UnknownClassError`` for a label that is not one of the classes."""
    ClassPlaces(python_labels(classes)).of_all(labels)

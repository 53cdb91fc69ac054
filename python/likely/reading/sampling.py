"""Samples and folds of texts. They depend on the texts alone, not on their order or their batches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeGuard, cast

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.errors import LengthError
from likely.labels import CodedLabels, python_labels

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from likely.types import Label, Labels, Places, Texts

FOLDS = 5
"""The number of folds of a cross-validation."""


@dataclass(frozen=True)
class Sample:
    """A sample of texts and their labels, in an order that depends on the texts alone.

    Attributes
    ----------
    texts : list of str
        The texts of the sample.
    labels : list of str, int or bool
        One label per text.
    of : int
        The number of documents from which the sample was drawn.
    """

    texts: list[str]
    labels: list[Label]
    of: int

    def __len__(self) -> int:
        """The number of documents of the sample."""
        return len(self.texts)

    def first(self, size: int) -> Sample:
        """A smaller sample: the one that a sampler of this size would have drawn."""
        return Sample(self.texts[:size], self.labels[:size], self.of)


class Scalar(Protocol):
    """An element of an Arrow array."""

    def as_py(self) -> str:
        """The element as an object of Python."""


class Strings(Protocol):
    """An Arrow array of strings."""

    nbytes: int

    def __len__(self) -> int: ...

    def __getitem__(self, at: int) -> Scalar: ...

    def __iter__(self) -> Iterator[Scalar]: ...

    def to_pylist(self) -> list[str]:
        """The strings."""


class Sampler:
    """Draws a sample of at most ``size`` documents (or a few more, if some texts are equal).

    Examples
    --------
    >>> sampler = Sampler(2)
    >>> sampler.add(["a", "b"], ["+", "-"])
    >>> sampler.add(["c", "d"], ["+", "-"])
    >>> other = Sampler(2)
    >>> other.add(["d", "c", "b", "a"], ["-", "+", "-", "+"])
    >>> sampler.sample() == other.sample(), len(sampler.sample())
    (True, 2)
    """

    def __init__(self, size: int) -> None:
        self.size, self.of = size, 0
        self._most = np.uint64(2**64 - 1)
        self.bytes = 0
        self._found: list[tuple[npt.NDArray[np.uint64], list[str], list[Label]]] = []
        self._kept = 0

    def watch(self, batches: Iterable[tuple[Texts, Labels]]) -> Iterator[tuple[Texts, Labels]]:
        """The same batches of texts and labels. The sample is drawn while they pass."""
        for texts, labels in batches:
            self.add(texts, labels)
            yield texts, labels

    def add(self, texts: Texts, labels: Labels) -> None:
        """Draw from more texts, a list or an Arrow array, with one label per text."""
        drawn = _native.sample_numbers(texts)
        self.bytes += bytes_of(texts)
        self.of += len(drawn)
        places = np.flatnonzero(drawn <= self._most)
        # `take` is not used, because pyarrow would import modules for it that take longer to import.
        chosen = _texts_at(texts, places)
        self._found.append((drawn[places], chosen, _taken(labels, places, len(drawn))))
        self._kept += len(places)
        if self._kept > 2 * self.size:
            self._thin()

    def _thin(self) -> None:
        """Keep only the documents with the smallest numbers, and ignore larger numbers from now on."""
        if self._kept <= self.size:
            return
        drawn = np.concatenate([each for each, _, _ in self._found])
        self._most = np.partition(drawn, self.size - 1)[self.size - 1]
        thinned = []
        for numbers, texts, labels in self._found:
            stay = np.flatnonzero(numbers <= self._most).tolist()
            thinned.append((numbers[stay], [texts[at] for at in stay], [labels[at] for at in stay]))
        self._found, self._kept = thinned, sum(len(numbers) for numbers, _, _ in thinned)

    def sample(self) -> Sample:
        """The sample, in the order of the numbers drawn."""
        self._thin()
        found = [
            row for numbers, texts, labels in self._found for row in zip(numbers.tolist(), texts, labels, strict=True)
        ]
        # Texts with equal numbers are almost always equal. Then the labels decide.
        found.sort(key=lambda row: (row[0], row[1], row[2]))
        return Sample([text for _, text, _ in found], [label for _, _, label in found], self.of)


def _is_arrow(texts: object) -> TypeGuard[Strings]:
    return hasattr(texts, "to_pylist")


def _texts_at(texts: Texts, places: Places) -> list[str]:
    """The texts at some places."""
    if _is_arrow(texts):
        return [str(texts[at]) for at in places.tolist()]
    return [cast("Sequence[str]", texts)[at] for at in places.tolist()]


def _taken(labels: Labels, places: Places, size: int) -> list[Label]:
    """The labels at some places."""
    if not isinstance(labels, CodedLabels):
        return [cast("Sequence[Label]", labels)[at] for at in places]
    wanted = np.zeros(size, np.bool_)
    wanted[places] = True
    return list(labels.chosen(wanted))


def in_memory(texts: Texts, labels: Labels) -> tuple[Texts, list[Label]]:
    """The texts and labels in memory, so that they can be read more than once. Their numbers must be equal."""
    # A single string is not a list of its characters. The functions that use the texts raise an error for it.
    if not (isinstance(texts, list | str | bytes) or _is_arrow(texts)):
        texts = list(cast("Iterable[str]", texts))
    found = python_labels(labels)
    size = len(cast("list[str] | Strings", texts))
    if size != len(found) and not isinstance(texts, str | bytes):
        raise LengthError(f"there are {size} texts but {len(found)} labels: give one label per text")
    return cast("Texts", texts), found


def bytes_of(texts: Texts) -> int:
    """About the number of bytes of some texts."""
    if hasattr(texts, "nbytes"):
        return int(texts.nbytes)
    return sum(len(text) for text in cast("Iterable[object]", texts) if isinstance(text, str | bytes))


def folds_of(texts: Texts, folds: int = FOLDS) -> npt.NDArray[np.int64]:
    """The fold of each text, from 0 to ``folds - 1``. Equal texts are always in the same fold.

    Examples
    --------
    >>> bool((folds_of(["a", "b", "a"]) == folds_of(["a", "b", "a"], 5)).all())
    True
    """
    return (_native.sample_numbers(texts) % np.uint64(folds)).astype(np.int64)

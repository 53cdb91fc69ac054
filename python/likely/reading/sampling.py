"""Samples and folds of texts. They depend on the texts alone, not on their order or their batches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeGuard, cast

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.arrow_data import one_column
from likely.errors import TextError
from likely.labels import coded, python_labels, unequal
from likely.reading.labelled import Labelled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from likely.reading.labelled import Batches
    from likely.types import Label, Labels, Places, Texts

FOLDS = 5
"""The number of folds of a cross-validation."""

MOST_BYTES = 256 << 20
"""The largest number of characters of the texts of a sample, about."""


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
    """Draws a sample of at most ``size`` documents.

    It keeps the texts with the smallest numbers, each one once, with the number of its copies per label: at most
    ``size`` texts, and at most `MOST_BYTES` of them. If the copies make more documents than ``size``, evenly spaced
    ones are taken.

    Examples
    --------
    >>> sampler = Sampler(2)
    >>> sampler.add(Labelled(["a", "b"], ["+", "-"]))
    >>> sampler.add(Labelled(["c", "d"], ["+", "-"]))
    >>> other = Sampler(2)
    >>> other.add(Labelled(["d", "c", "b", "a"], ["-", "+", "-", "+"]))
    >>> sampler.sample() == other.sample(), len(sampler.sample())
    (True, 2)
    """

    def __init__(self, size: int, most_bytes: int = MOST_BYTES) -> None:
        self.size, self.of = size, 0
        self.bytes = 0
        self._most_bytes = most_bytes
        self._most = np.uint64(2**64 - 1)
        self._texts: dict[int, str] = {}
        """The texts by their numbers. Texts with equal numbers are almost always equal, and taken as equal."""
        self._copies: dict[int, dict[Label, int]] = {}
        """By the same numbers: how many copies of a text have each label."""
        self._kept_bytes = 0

    def watch(self, batches: Batches) -> Iterator[Labelled]:
        """The same batches. The sample is drawn while they pass."""
        for batch in batches:
            self.add(batch)
            yield batch

    def add(self, batch: Labelled) -> None:
        """Draw from more documents, whose texts are a list or an Arrow array."""
        texts, labels = batch.texts, batch.labels
        drawn = _native.sample_numbers(texts)
        self.bytes += bytes_of(texts)
        self.of += len(drawn)
        smallest = np.unique(drawn[drawn <= self._most])[: self.size]
        if len(smallest) == self.size:  # the others of this batch cannot be in the sample
            self._most = smallest[-1]
        places = np.flatnonzero(drawn <= self._most)
        numbers, first, at = np.unique(drawn[places], return_index=True, return_inverse=True)
        for number, text in zip(numbers.tolist(), _texts_at(texts, places[first]), strict=True):
            self._keep(number, text)
        given = coded(labels)
        kinds = max(len(given.values), 1)
        pairs, copies = np.unique(at.astype(np.int64) * kinds + given.codes[places], return_counts=True)
        drawn_pairs = zip(numbers[pairs // kinds].tolist(), (pairs % kinds).tolist(), copies.tolist(), strict=True)
        for number, code, times in drawn_pairs:
            labelled = self._copies.setdefault(number, {})
            labelled[given.values[code]] = labelled.get(given.values[code], 0) + times
        if len(self._texts) > 2 * self.size or self._kept_bytes > 2 * self._most_bytes:
            self._thin()

    def _keep(self, number: int, text: str) -> None:
        known = self._texts.get(number)
        if known is None:
            self._kept_bytes += len(text)
        self._texts[number] = text if known is None else min(known, text)

    def _thin(self) -> None:
        """Keep only the texts with the smallest numbers. From now on, ignore the other numbers and larger ones."""
        numbers = sorted(self._texts)
        sizes = np.cumsum([len(self._texts[number]) for number in numbers])
        fit = max(min(self.size, int(np.searchsorted(sizes, self._most_bytes, side="right"))), 1)
        if len(numbers) <= fit:
            return
        self._most = np.uint64(numbers[fit] - 1)
        self._texts = {number: self._texts[number] for number in numbers[:fit]}
        self._copies = {number: self._copies[number] for number in numbers[:fit]}
        self._kept_bytes = int(sizes[fit - 1])

    def sample(self) -> Sample:
        """The sample, in the order of the numbers drawn. Further copies of a text have numbers of their own."""
        self._thin()
        pairs = sorted((number, label) for number, labelled in self._copies.items() for label in labelled)
        chosen = _evenly([self._copies[number][label] for number, label in pairs], self.size)
        again = [
            f"{number} {copy}" for (number, _), times in zip(pairs, chosen, strict=True) for copy in range(1, times)
        ]
        others = iter(_native.sample_numbers(again).tolist())
        rows = [
            (next(others) if copy else number, number, label)
            for (number, label), times in zip(pairs, chosen, strict=True)
            for copy in range(times)
        ]
        rows.sort()
        return Sample([self._texts[number] for _, number, _ in rows], [label for _, _, label in rows], self.of)


def _evenly(copies: list[int], size: int) -> list[int]:
    """How many of the copies of each element remain if ``size`` of all copies are taken, evenly spaced.

    Examples
    --------
    >>> _evenly([1, 6, 1], 4), _evenly([1, 1], 4)
    ([1, 3, 0], [1, 1])
    """
    ends = np.cumsum(np.array(copies, np.int64))
    total = int(ends[-1]) if len(ends) else 0
    taken = np.arange(min(size, total), dtype=np.int64) * total // max(min(size, total), 1)
    found: list[int] = np.bincount(np.searchsorted(ends, taken, side="right"), minlength=len(copies)).tolist()
    return found


def _is_arrow(texts: object) -> TypeGuard[Strings]:
    return hasattr(texts, "to_pylist")


def _texts_at(texts: Texts, places: Places) -> list[str]:
    """The texts at some places."""
    if _is_arrow(texts) and not isinstance(texts, _native.Strings):
        return [texts[at].as_py() for at in places.tolist()]
    return [cast("Sequence[str]", texts)[at] for at in places.tolist()]


def in_memory(texts: Texts, labels: Labels) -> Labelled:
    """The texts and labels in memory, so that they can be read more than once. Their numbers must be equal."""
    # A single string is not a list of its characters. The functions that use the texts raise an error for it.
    if not (isinstance(texts, list | str | bytes) or _is_arrow(texts)):
        texts = list(cast("Iterable[str]", one_column(texts, "texts", TextError)))
    found = python_labels(labels)
    size = len(cast("list[str] | Strings", texts))
    if size != len(found) and not isinstance(texts, str | bytes):
        raise unequal(len(found), size)
    return Labelled(cast("Texts", texts), found)


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

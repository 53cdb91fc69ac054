"""A sample of texts as they come: which ones depends on the texts alone, not on their order or batches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.errors import LengthError
from likely.labels import python_labels

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from likely.types import Label


@dataclass(frozen=True)
class Sample:
    """Texts and their labels, in an order that depends on nothing but them; and of how many they are."""

    texts: list[str]
    labels: list[Label]
    of: int

    def __len__(self) -> int:
        """How many documents."""
        return len(self.texts)

    def first(self, size: int) -> Sample:
        """A smaller sample, as if it had been drawn as such."""
        return Sample(self.texts[:size], self.labels[:size], self.of)


class Sampler:
    """Draws a sample of at most so many documents (a few more where texts are the same).

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
        self._found: list[tuple[npt.NDArray[np.uint64], list[str], list[Any]]] = []
        self._kept = 0

    def watch(self, batches: Iterable[tuple[Any, Any]]) -> Iterator[tuple[Any, Any]]:
        """The same batches of texts and labels, drawn from as they pass by."""
        for texts, labels in batches:
            self.add(texts, labels)
            yield texts, labels

    def add(self, texts: Any, labels: Any) -> None:
        """Draw from further texts: a list, or an Arrow array, and as many labels."""
        drawn = _native.drawn(texts)
        self.bytes += bytes_of(texts)
        self.of += len(drawn)
        places = np.flatnonzero(drawn <= self._most)
        # Not with `take`: what pyarrow imports for that takes longer.
        chosen = [texts[at].as_py() if hasattr(texts, "to_pylist") else texts[at] for at in places.tolist()]
        self._found.append((drawn[places], chosen, _taken(labels, places, len(drawn))))
        self._kept += len(places)
        if self._kept > 2 * self.size:
            self._thin()

    def _thin(self) -> None:
        """Keep the smallest numbers, and never again look at larger ones."""
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
        """What was drawn, sorted by number."""
        self._thin()
        found = [
            row for numbers, texts, labels in self._found for row in zip(numbers.tolist(), texts, labels, strict=True)
        ]
        # Of the same number are the same texts, nearly always: then the labels decide, and then nothing does.
        found.sort(key=lambda row: (row[0], row[1], row[2]))
        return Sample([text for _, text, _ in found], [label for _, _, label in found], self.of)


def _taken(labels: Any, places: npt.NDArray[np.intp], size: int) -> list[Any]:
    """The labels in some places."""
    if not hasattr(labels, "chosen"):
        return [labels[at] for at in places]
    wanted = np.zeros(size, np.bool_)
    wanted[places] = True
    return list(labels.chosen(wanted))


def in_memory(texts: Any, labels: Any) -> tuple[Any, list[Label]]:
    """Texts and labels that can be read more than once, as many of the one as of the other."""
    # A text alone is no list of its characters: whoever counts it will say so.
    if not (isinstance(texts, list | str | bytes) or hasattr(texts, "to_pylist")):
        texts = list(texts)
    labels = python_labels(labels)
    if len(texts) != len(labels) and not isinstance(texts, str | bytes):
        raise LengthError(f"there are {len(texts)} texts but {len(labels)} labels: give one label a text")
    return texts, labels


def bytes_of(texts: Any) -> int:
    """About how many bytes texts have."""
    return (
        int(texts.nbytes) if hasattr(texts, "nbytes") else sum(len(text) for text in texts if hasattr(text, "join"))
    )


FOLDS = 5


def folds_of(texts: Any, folds: int = FOLDS) -> npt.NDArray[np.int64]:
    """A fold for each text, which depends on nothing but the text: the same texts are never in two.

    Examples
    --------
    >>> bool((folds_of(["a", "b", "a"]) == folds_of(["a", "b", "a"], 5)).all())
    True
    """
    return (_native.drawn(texts) % np.uint64(folds)).astype(np.int64)

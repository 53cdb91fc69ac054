"""A sample of texts as they come: which ones depends on the texts alone, not on their order or batches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely import _native

if TYPE_CHECKING:
    from likely.labels import Label


@dataclass(frozen=True)
class Sample:
    """Texts and their labels, in an order that depends on nothing but them; and of how many they are."""

    texts: list[str]
    labels: list[Label]
    of: int

    def __len__(self) -> int:
        """How many documents."""
        return len(self.texts)


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
        self._found: list[tuple[npt.NDArray[np.uint64], list[str], list[Any]]] = []
        self._kept = 0

    def add(self, texts: Any, labels: Any) -> None:
        """Draw from further texts: a list, or an Arrow array, and a list of as many labels."""
        drawn = _native.drawn(texts)
        self.of += len(drawn)
        places = np.flatnonzero(drawn <= self._most)
        chosen = texts.take(places).to_pylist() if hasattr(texts, "to_pylist") else [texts[at] for at in places]
        self._found.append((drawn[places], chosen, [labels[at] for at in places]))
        self._kept += len(places)
        if self._kept > 2 * self.size:
            self._thin()

    def _thin(self) -> None:
        """Keep the smallest numbers, and never again look at larger ones."""
        drawn = np.concatenate([each for each, _, _ in self._found])
        if len(drawn) <= self.size:
            return
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

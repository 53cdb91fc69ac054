"""`KeptRows`: the documents that a sampler keeps, one row per group, text and label, as columns."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.types import Array, Label, Places

OVERHEAD = 200
"""About the number of bytes that a text needs in memory beside its characters."""
MOST_SPELLINGS = 16
"""Of the texts that are copies of each other but not equal, at most this many are kept. What is counted of the others
is counted for the first of them."""
UNIT = 2**64
"""Weights are summed as whole multiples of 1 / UNIT, which is exact in any order; the kernel counts them so too."""


@dataclass(frozen=True, eq=False)
class KeptRows:
    """Documents as columns. `joined` sorts them by group and text, and makes equal ones one row.

    Attributes
    ----------
    groups, numbers : array of uint64
        The number of the group, and the number of the text: texts with the same number are equal.
    codes : array
        The number of the label.
    texts : array of objects
        The text; None for copies of a text whose own spelling is not kept.
    sizes : array
        About the number of bytes of the text.
    copies : array
        The number of documents.
    weights : array of objects, or None
        The weight of the documents as a multiple of 1 / `UNIT`; None if each document weighs 1.

    Examples
    --------
    >>> numbers = np.array([7, 7, 8], np.uint64)
    >>> rows = KeptRows.of(numbers, numbers, np.array([0, 0, 1]), ["a", "a", "b"], np.array([1, 2, 1]), None)
    >>> one = KeptRows.joined([rows])
    >>> one.texts.tolist(), one.times()
    (['a', 'b'], [3.0, 1.0])
    """

    groups: npt.NDArray[np.uint64]
    numbers: npt.NDArray[np.uint64]
    codes: npt.NDArray[np.integer]
    texts: npt.NDArray[np.object_]
    sizes: npt.NDArray[np.int64]
    copies: npt.NDArray[np.int64]
    weights: npt.NDArray[np.object_] | None

    def __len__(self) -> int:
        return len(self.groups)

    @classmethod
    def of(
        cls,
        groups: npt.NDArray[np.uint64],
        numbers: npt.NDArray[np.uint64],
        codes: npt.NDArray[np.integer],
        texts: list[str],
        copies: npt.NDArray[np.int64],
        weights: Array | None,
    ) -> KeptRows:
        """The rows of some documents. Those whose weight is too small for a multiple of 1 / `UNIT` are left out."""
        sizes = np.fromiter(map(len, texts), np.int64, len(texts)) + OVERHEAD
        rows = cls(groups, numbers, codes, np.array(texts, np.object_), sizes, copies, None)
        if weights is None:
            return rows
        exact = [int(weight * UNIT) * times for weight, times in zip(weights.tolist(), copies.tolist(), strict=True)]
        rows = replace(rows, weights=np.array(exact, np.object_))
        return rows if all(exact) else rows.at(np.flatnonzero(exact))

    @classmethod
    def none(cls) -> KeptRows:
        """The rows of nothing."""
        return cls.of(np.zeros(0, np.uint64), np.zeros(0, np.uint64), np.zeros(0, int), [], np.zeros(0, int), None)

    @classmethod
    def joined(cls, parts: Sequence[KeptRows]) -> KeptRows:
        """The rows of all parts, sorted by group, text and label. Equal ones are one row."""
        weights = None
        if any(part.weights is not None for part in parts):
            weights = np.concatenate([part._exact_weights() for part in parts])
        return cls(
            np.concatenate([part.groups for part in parts]),
            np.concatenate([part.numbers for part in parts]),
            np.concatenate([part.codes for part in parts]),
            np.concatenate([part.texts for part in parts]),
            np.concatenate([part.sizes for part in parts]),
            np.concatenate([part.copies for part in parts]),
            weights,
        )._merged()

    def _exact_weights(self) -> npt.NDArray[np.object_]:
        return self.copies.astype(np.object_) * UNIT if self.weights is None else self.weights

    def _merged(self) -> KeptRows:
        order = np.lexsort((self.codes, self.numbers, self.groups))
        rows = self.at(order)
        keys = (rows.groups, rows.numbers, rows.codes)
        is_new = np.any([key[1:] != key[:-1] for key in keys], axis=0)
        if is_new.all():
            return rows
        starts = np.append(0, 1 + np.flatnonzero(is_new))
        weights = None if rows.weights is None else np.add.reduceat(rows.weights, starts)
        return replace(rows.at(starts), copies=np.add.reduceat(rows.copies, starts), weights=weights)

    def at(self, places: Places | slice) -> KeptRows:
        """The rows at these places."""
        return KeptRows(
            self.groups[places],
            self.numbers[places],
            self.codes[places],
            self.texts[places],
            self.sizes[places],
            self.copies[places],
            None if self.weights is None else self.weights[places],
        )

    @property
    def total_size(self) -> int:
        """About the number of bytes of the texts."""
        return int(self.sizes.sum())

    def starts(self) -> Places:
        """The place where each group starts."""
        is_new = self.groups[1:] != self.groups[:-1]
        return np.append(0, 1 + np.flatnonzero(is_new)) if len(self) else np.zeros(0, np.intp)

    def groups_within(self, most_bytes: int) -> int:
        """How many groups, the first ones, have at most this many bytes together."""
        starts = self.starts()
        sizes = np.cumsum(np.add.reduceat(self.sizes, starts)) if len(starts) else starts
        return int(np.searchsorted(sizes, most_bytes, side="right"))

    def spelled(self) -> KeptRows:
        """The same documents with at most `MOST_SPELLINGS` texts per group, the smallest ones."""
        texts, beyond = self.texts.copy(), []
        for start, end in self._larger_groups(MOST_SPELLINGS):
            known = sorted({text for text in self.texts[start:end].tolist() if text is not None})
            others = set(known[MOST_SPELLINGS:])
            beyond += [at for at in range(start, end) if self.texts[at] in others]
        if not beyond:
            return self
        sizes, numbers = self.sizes.copy(), self.numbers.copy()
        texts[beyond], sizes[beyond], numbers[beyond] = None, 0, 0
        return replace(self, texts=texts, sizes=sizes, numbers=numbers)._merged()

    def whole(self) -> KeptRows:
        """The same documents. Copies whose own text is not kept count for the first text of their group."""
        texts, sizes, numbers = self.texts.copy(), self.sizes.copy(), self.numbers.copy()
        for start, end in self._larger_groups(1):
            kept = [at for at in range(start, end) if self.texts[at] is not None]
            if len(kept) == end - start:
                continue
            first = min(kept, key=lambda at: str(self.texts[at]))
            for at in set(range(start, end)).difference(kept):
                texts[at], sizes[at], numbers[at] = texts[first], sizes[first], numbers[first]
        return replace(self, texts=texts, sizes=sizes, numbers=numbers)._merged()

    def in_order(self, labels: Sequence[Label]) -> Places:
        """The places of the rows, sorted by group, text and label; ``labels`` are the labels by their numbers."""
        places = np.arange(len(self))
        for start, end in self._larger_groups(1):
            keys = [(self.texts[at], labels[self.codes[at]]) for at in range(start, end)]
            places[start:end] = start + np.array(sorted(range(end - start), key=keys.__getitem__))
        return places

    def _larger_groups(self, size: int) -> list[tuple[int, int]]:
        """Where each group that has more rows than this starts and ends."""
        edges = np.append(self.starts(), len(self))
        larger = np.flatnonzero(np.diff(edges) > size)
        return list(zip(edges[larger].tolist(), edges[larger + 1].tolist(), strict=True))

    def times(self) -> list[float]:
        """The weight of the documents of each row; without weights, their number."""
        if self.weights is None:
            found: list[float] = self.copies.astype(np.float64).tolist()
            return found
        return [weight / UNIT for weight in self.weights]

"""`Outside`: all terms, grouped by document frequency, for sums over all terms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.counting.counts import Counts
    from likely.types import Array, Ids, Mask, Places


MOST_COUNTED = 1 << 24
"""If no document frequency is above this, the distinct ones are found by counting, else by sorting."""
_UNIT = 2.0**26
"""Numbers are summed as whole multiples of 1 / _UNIT and of 1 / _UNIT^2, which is exact in any order."""


@dataclass(frozen=True)
class Outside:
    """Terms, grouped by document frequency and by whether they are negators: the scale depends on these only."""

    frequencies: Array
    negate: Mask
    sizes: Array
    """The number of terms of each group."""
    counts: Array
    """The sum of the counts: one row per group, one column per class."""
    documents: Array
    """The sum of the document frequencies: one row per group, one column per class."""

    @classmethod
    def of(cls, counts: Counts, ids: Ids, marks: Ids, places: Ids, width: int) -> Outside:
        """The groups of the terms with these ids.

        ``marks`` is above 0 for negators, ``places`` has the place of each class by its number, and ``width`` is the
        number of classes.
        """
        cells, native = counts.cells(ids), counts.native
        of_cells = places[cells.classes], native.cells(ids, False), native.cells(ids, True)
        return cls.of_cells(cells.rows, *of_cells, np.ones(len(ids)), marks, width)

    @classmethod
    def of_cells(
        cls,
        rows: Places,
        classes: Ids,
        counts: Array,
        documents: Array,
        sizes: Array,
        marks: Ids | Mask,
        width: int,
    ) -> Outside:
        """The groups of cells; row ``r`` stands for ``sizes[r]`` terms."""
        frequencies = np.bincount(rows, weights=documents, minlength=len(sizes)).astype(np.float64)
        keys, groups = _distinct(frequencies, marks)
        cells = (groups[rows] * width + classes).astype(np.intp)
        times = sizes[rows]

        def summed(numbers: Array) -> Array:
            return exact_sums(cells, numbers * times, len(keys) * width).reshape(len(keys), width)

        terms = np.bincount(groups, weights=sizes, minlength=len(keys)).astype(np.float64)
        return cls(np.abs(keys), keys < 0, terms, summed(counts), summed(documents))


def _distinct(frequencies: Array, marks: Ids | Mask) -> tuple[Array, Places]:
    """The distinct frequencies, negative for marked terms, and the place of each term's frequency among them."""
    most = int(frequencies.max(initial=0.0))
    if most > MOST_COUNTED or not _whole(frequencies):
        return np.unique(np.where(marks > 0, -frequencies, frequencies), return_inverse=True)
    numbers = frequencies.astype(np.int64) + (marks > 0) * (most + 1)
    found = np.bincount(numbers, minlength=2 * (most + 1)) > 0
    places = np.cumsum(found) - 1
    keys = np.flatnonzero(found)
    return np.where(keys > most, most + 1 - keys, keys).astype(np.float64), places[numbers]


def _whole(numbers: Array) -> bool:
    return bool((numbers == np.floor(numbers)).all())


def exact_sums(places: npt.NDArray[np.integer], numbers: Array, size: int) -> Array:
    """The sum of the numbers at each place; it does not depend on their order."""
    if _whole(numbers):
        return np.bincount(places, weights=numbers, minlength=size).astype(np.float64)
    upper = np.floor(numbers * _UNIT)
    lower = np.floor((numbers * _UNIT - upper) * _UNIT)
    sums = (np.bincount(places, weights=part, minlength=size) for part in (upper, lower))
    high, low = sums
    total: Array = (high + low / _UNIT) / _UNIT
    return total

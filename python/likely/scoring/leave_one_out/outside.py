"""All terms by the number of documents they are in: what sums over all of them need to know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from likely.counting.counts import Counts
    from likely.types import Array, Ids, Mask, Places


MOST_COUNTED = 1 << 24
"""Up to so many documents frequencies are told apart by counting, not by sorting."""
_UNIT = 2.0**26
"""Numbers are summed in whole multiples of its inverse, then of its square's: exact in any order."""


@dataclass(frozen=True)
class Outside:
    """Terms by document frequency, and by whether they are negators: how much a term counts depends on that alone."""

    frequencies: Array
    negate: Mask
    sizes: Array
    """How many terms there are of each."""
    counts: Array
    """What they count in all, a column a class; and the same of documents."""
    documents: Array

    @classmethod
    def of(cls, counts: Counts, ids: Ids, marks: Ids, places: Ids, width: int) -> Outside:
        """Those of some terms, with marks for negators; ``places`` are those of the classes by number."""
        native = counts.native
        rows = np.repeat(np.arange(len(ids)), native.row_lengths(ids))
        classes = places[native.cell_classes(ids)]
        return cls.of_cells(
            rows, classes, native.cells(ids, False), native.cells(ids, True), np.ones(len(ids)), marks, width
        )

    @classmethod
    def of_cells(
        cls,
        rows: Places,
        classes: Ids,
        counts: Array,
        documents: Array,
        sizes: Array,
        marks: npt.NDArray[Any],
        width: int,
    ) -> Outside:
        """Those of rows of cells, so many terms each."""
        frequencies = np.bincount(rows, weights=documents, minlength=len(sizes)).astype(np.float64)
        keys, groups = _distinct(frequencies, marks)
        cells = (groups[rows] * width + classes).astype(np.intp)
        times = sizes[rows]

        def summed(numbers: Array) -> Array:
            return exact_sums(cells, numbers * times, len(keys) * width).reshape(len(keys), width)

        terms = np.bincount(groups, weights=sizes, minlength=len(keys)).astype(np.float64)
        return cls(np.abs(keys), keys < 0, terms, summed(counts), summed(documents))


def _distinct(frequencies: Array, marks: npt.NDArray[Any]) -> tuple[Array, Places]:
    """The distinct frequencies, those of marked terms as negative numbers, and which of them each is."""
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


def exact_sums(places: npt.NDArray[Any], numbers: Array, size: int) -> Array:
    """The sums of numbers by place, the same whatever their order."""
    if _whole(numbers):
        return np.bincount(places, weights=numbers, minlength=size).astype(np.float64)
    upper = np.floor(numbers * _UNIT)
    lower = np.floor((numbers * _UNIT - upper) * _UNIT)
    sums = (np.bincount(places, weights=part, minlength=size) for part in (upper, lower))
    high, low = sums
    total: Array = (high + low / _UNIT) / _UNIT
    return total

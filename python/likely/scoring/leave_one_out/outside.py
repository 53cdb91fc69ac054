"""`Outside`: all terms, grouped by document frequency, for sums over all terms."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.core.counts import Counts
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
    _counted: Counts
    _ids: Ids
    _places: Places
    """The place of each cell of the terms in a table with one row per group and one column per class."""
    _width: int

    @classmethod
    def of(cls, counts: Counts, ids: Ids, marks: Ids, places: Ids, width: int) -> Outside:
        """The groups of the terms with these ids.

        ``marks`` is above 0 for negators, ``places`` has the place of each class by its number, and ``width`` is the
        number of classes.
        """
        keys, groups = _distinct(counts.document_frequencies(ids), marks)
        cells = counts.cells(ids)
        of_cells = cells.repeat(groups * width) + places[cells.classes]
        sizes = np.bincount(groups, minlength=len(keys)).astype(np.float64)
        return cls(np.abs(keys), keys < 0, sizes, counts, ids, of_cells, width)

    @cached_property
    def counts(self) -> Array:
        """The sum of the counts: one row per group, one column per class."""
        return self._summed(documents=False)

    @cached_property
    def documents(self) -> Array:
        """The sum of the document frequencies: one row per group, one column per class."""
        return self._summed(documents=True)

    def _summed(self, *, documents: bool) -> Array:
        rows = len(self.sizes)
        sums = exact_sums(self._places, self._counted.native.cells(self._ids, documents), rows * self._width)
        return sums.reshape(rows, self._width)


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

"""The ragged table: rows of different lengths, stored one after another."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.types import Array, Mask, Places, Starts

T = TypeVar("T", bound=np.generic)


@dataclass(frozen=True, eq=False)
class Ragged:
    """Rows of different lengths: the entries of row ``r`` are those from ``starts[r]`` up to ``starts[r + 1]``.

    Tables with columns derive from it: the terms of documents, the counts of terms, learned weights.

    Examples
    --------
    >>> table = Ragged.of_lengths(np.array([2, 0, 1]))
    >>> table.starts, table.rows
    (array([0, 2, 2, 3]), array([0, 0, 2]))
    >>> table.sum(np.array([1.0, 2.0, 5.0])), table.repeat(np.array([7, 8, 9]))
    (array([3., 0., 5.]), array([7, 7, 9]))
    """

    starts: Starts

    @classmethod
    def of_lengths(cls, lengths: npt.NDArray[np.int64]) -> Ragged:
        """The table whose rows have these lengths."""
        return Ragged(starts_of(lengths))

    def __len__(self) -> int:
        """The number of rows."""
        return len(self.starts) - 1

    @cached_property
    def lengths(self) -> npt.NDArray[np.int64]:
        """The number of entries of each row."""
        return np.diff(self.starts)

    @cached_property
    def rows(self) -> Places:
        """The row of each entry."""
        return np.repeat(np.arange(len(self)), self.lengths)

    def repeat(self, of_rows: npt.NDArray[T]) -> npt.NDArray[T]:
        """One value per row, repeated for each entry of the row."""
        return np.repeat(of_rows, self.lengths)

    def sum(self, entries: Array | Mask) -> Array:
        """The sum of the values of each row's entries."""
        return np.bincount(self.rows, weights=entries, minlength=len(self)).astype(np.float64)

    def entries_of(self, rows: npt.NDArray[np.integer]) -> tuple[Starts, Places]:
        """The entries of the given rows, in that order: where each of these rows starts, and the entries' indices.

        Examples
        --------
        >>> Ragged.of_lengths(np.array([2, 0, 1])).entries_of(np.array([2, 0]))
        (array([0, 1, 3]), array([2, 0, 1]))
        """
        lengths = self.lengths[rows]
        starts = starts_of(lengths)
        return starts, np.arange(starts[-1]) + np.repeat(self.starts[rows] - starts[:-1], lengths)


def starts_of(lengths: npt.NDArray[np.integer]) -> Starts:
    """The start of each row of these lengths, and the end of the last one.

    Examples
    --------
    >>> starts_of(np.array([2, 0, 1]))
    array([0, 2, 2, 3])
    """
    starts = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    return starts

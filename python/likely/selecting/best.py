"""`Best`: the rows with the largest keys so far, in memory that does not grow with the rows."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Numbers = npt.NDArray[np.int64]

_SPARE = 1 << 16
"""At least this many rows wait before the best are looked for again."""


@dataclass
class Best:
    """The ``number`` rows with the largest keys. Of rows with the same key, the first ones are better.

    Rows may be added in any order and by several threads: the result is the same.

    Examples
    --------
    >>> best = Best(2)
    >>> best.add(np.array([5, 9, 5]), np.array([0, 1, 2]), np.array([50, 90, 50]))
    >>> [column.tolist() for column in best.ranked()]
    [[1, 0], [90, 50]]
    """

    number: int
    spare: int = _SPARE
    _kept: list[tuple[Numbers, Numbers, Numbers]] = field(default_factory=list)
    _waiting: int = 0
    _least: int | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, keys: Numbers, rows: Numbers, weights: Numbers) -> None:
        """Add rows: their keys, their numbers and their weights."""
        with self._lock:
            if self._least is not None:
                better = keys >= self._least
                keys, rows, weights = keys[better], rows[better], weights[better]
            self._kept.append((keys, rows, weights))
            self._waiting += len(keys)
            if self._waiting > self.number + max(self.number, self.spare):
                self._settle()

    def ranked(self) -> tuple[Numbers, Numbers]:
        """The numbers and the weights of the best rows, the best first."""
        with self._lock:
            self._settle()
            _, rows, weights = self._kept[0]
        return rows, weights

    def _settle(self) -> None:
        """Drop all rows but the best."""
        empty = np.zeros(0, np.int64)
        columns = zip(*self._kept, strict=True) if self._kept else [[empty]] * 3
        keys, rows, weights = (np.concatenate(column) for column in columns)
        order = np.lexsort((rows, -keys))[: self.number]
        self._kept, self._waiting = [(keys[order], rows[order], weights[order])], len(order)
        if len(order) == self.number:
            self._least = int(keys[order[-1]])

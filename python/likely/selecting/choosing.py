"""Which rows are chosen, if several targets want the same ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.selecting.best import Best
from likely.selecting.importance import UNIT

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.types import Array


def rankings(numbers: list[int]) -> list[Best]:
    """One ranking per target, each with as many rows as the target may need.

    The targets before it may take as many of its best rows as they want, so that it needs these, too.

    Examples
    --------
    >>> [best.number for best in rankings([7, 3])]
    [7, 10]
    """
    return [Best(sum(numbers[: at + 1])) for at in range(len(numbers))]


def chosen(rankings: list[Best], numbers: list[int]) -> tuple[npt.NDArray[np.int64], Array, npt.NDArray[np.int64]]:
    """The chosen rows in order, their log weights and the index of the target of each.

    The targets choose one after the other, each the best rows that are left, as in the reference package.
    """
    taken = np.zeros(0, np.int64)
    found = []
    for at, (best, number) in enumerate(zip(rankings, numbers, strict=True)):
        rows, weights = best.ranked()
        free = np.flatnonzero(~np.isin(rows, taken))[:number]
        taken = np.concatenate([taken, rows[free]])
        found.append((rows[free], weights[free], np.full(len(free), at)))
    rows, weights, targets = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.argsort(rows)
    return rows[order], weights[order] / UNIT, targets[order]

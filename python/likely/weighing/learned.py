"""Weights that were learned beside the counts, all documents at once: a number a term and class, and one a class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from likely.types import Array, Places
    from likely.weighing.terms import Rules


@dataclass(frozen=True, eq=False)
class Linear:
    """Learned weights, of the terms as they are sorted and of the classes as they are: rows of those that are not 0.

    Examples
    --------
    >>> dense = np.array([[0.5, -0.5], [0.0, 0.0], [0.0, 2.0]], np.float32)
    >>> linear = Linear.of(np.array([7, 5, 6], np.uint32), dense, np.array([0.0, 1.0]), rules=None)
    >>> linear.starts, linear.classes, linear.rows(np.array([2, 0]))
    (array([0, 2, 2, 3]), array([0, 1, 1], dtype=uint32), array([[ 0. ,  2. ],
           [ 0.5, -0.5]]))
    """

    ids: npt.NDArray[np.uint32]
    """The ids of the terms, sorted by term."""
    starts: npt.NDArray[np.int64]
    classes: npt.NDArray[np.uint32]
    weights: npt.NDArray[np.float32]
    bias: Array
    rules: Rules | None
    """What they were learned by, if that is known."""

    @classmethod
    def of(
        cls, ids: npt.NDArray[np.uint32], dense: npt.NDArray[np.float32], bias: Array, rules: Rules | None
    ) -> Linear:
        """Those of a matrix: a row a term, a column a class."""
        terms, classes = np.nonzero(dense)
        lengths = np.bincount(terms, minlength=len(dense))
        return cls(ids, starts_of(lengths), classes.astype(np.uint32), dense[terms, classes], bias, rules)

    def rows(self, terms: Places) -> Array:
        """The weights of some terms, by their places among all: a row a term, a column a class."""
        lengths = np.diff(self.starts)[terms]
        dense = np.zeros((len(terms), len(self.bias)))
        at = np.repeat(self.starts[terms], lengths) + _within(lengths)
        dense[np.repeat(np.arange(len(terms)), lengths), self.classes[at]] = self.weights[at]
        return dense

    def of_terms(self, stay: npt.NDArray[np.bool_]) -> Linear:
        """Those of some terms only."""
        lengths = np.diff(self.starts)
        cells = np.repeat(stay, lengths)
        return replace(
            self,
            ids=self.ids[stay],
            starts=starts_of(lengths[stay]),
            classes=self.classes[cells],
            weights=self.weights[cells],
        )


def starts_of(lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Where rows of some lengths start, and where the last one ends."""
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def _within(lengths: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """0, 1, 2 ... for each row of these lengths."""
    return np.arange(int(lengths.sum())) - np.repeat(np.cumsum(lengths) - lengths, lengths)

"""`Learned`: the weights of the variant nbsvm, which are learned from all documents at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from likely.counting.ragged import Ragged, starts_of

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.types import Array, Ids, Mask, Places
    from likely.weighing.rules import Rules


@dataclass(frozen=True, eq=False)
class Learned(Ragged):
    """The learned weights that are not 0: one row per term (sorted by term), one entry per class (by place).

    Examples
    --------
    >>> dense = np.array([[0.5, -0.5], [0.0, 0.0], [0.0, 2.0]], np.float32)
    >>> learned = Learned.of(np.array([7, 5, 6], np.uint32), dense, np.array([0.0, 1.0]), rules=None)
    >>> learned.starts, learned.classes, learned.dense(np.array([2, 0]))
    (array([0, 2, 2, 3]), array([0, 1, 1], dtype=uint32), array([[ 0. ,  2. ],
           [ 0.5, -0.5]]))
    """

    ids: Ids
    """The ids of the terms."""
    classes: Ids
    weights: npt.NDArray[np.float32]
    bias: Array
    """One number per class."""
    rules: Rules | None
    """The rules by which the weights were learned, if they are known."""

    @classmethod
    def of(cls, ids: Ids, dense: npt.NDArray[np.float32], bias: Array, rules: Rules | None) -> Learned:
        """The weights of a matrix: one row per term, one column per class."""
        terms, classes = np.nonzero(dense)
        starts = starts_of(np.bincount(terms, minlength=len(dense)))
        return cls(starts, ids, classes.astype(np.uint32), dense[terms, classes], bias, rules)

    def dense(self, terms: Places) -> Array:
        """The weights of some terms, by place: one row per term, one column per class."""
        starts, entries = self.entries_of(terms)
        dense = np.zeros((len(terms), len(self.bias)))
        dense[Ragged(starts).rows, self.classes[entries]] = self.weights[entries]
        return dense

    def of_terms(self, stay: Mask, ids: Ids | None = None) -> Learned:
        """The weights of the terms for which ``stay`` is true; ``ids`` are their new ids, if these change."""
        cells = self.repeat(stay)
        return replace(
            self,
            starts=starts_of(self.lengths[stay]),
            ids=self.ids[stay] if ids is None else ids,
            classes=self.classes[cells],
            weights=self.weights[cells],
        )

"""`Grouped`: many values as a few groups of similar ones, from which a bootstrap draws fast."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from likely.types import Array, Places

GROUPS = 256
"""The number of groups of a measure."""
_ROUNDING = 1e-13
"""A variance that is smaller relative to the mean square is a rounding error: the values are equal."""


@dataclass(frozen=True, eq=False)
class Grouped:
    """One value per document, in groups: the number of values, their sum and that of their squares, per group.

    Examples
    --------
    >>> import numpy as np
    >>> found = grouped(np.array([0.1, 0.3]), np.array([0, 2]), 3) + grouped(np.array([0.5]), np.array([2]), 3)
    >>> found.sizes, found.sums
    (array([1., 0., 2.]), array([0.1, 0. , 0.8]))
    """

    sizes: Array
    sums: Array
    squares: Array

    def __add__(self, other: Grouped) -> Grouped:
        return Grouped(self.sizes + other.sizes, self.sums + other.sums, self.squares + other.squares)

    @property
    def documents(self) -> int:
        """The number of values."""
        return round(float(self.sizes.sum()))

    def resampled(self, generator: np.random.Generator, replicates: int) -> Array:
        """The sums per group in bootstrap samples of the documents: one row per sample, one column per group.

        The number of documents that a sample has of each group is drawn from the multinomial distribution, exactly as
        if documents were drawn one by one. Given that number, the sum of their values is drawn from the normal
        distribution with its mean and variance: the groups are narrow, so that hardly matters.
        """
        found = np.flatnonzero(self.sizes)
        sizes = self.sizes[found]
        means = self.sums[found] / sizes
        mean_squares = self.squares[found] / sizes
        variances = mean_squares - means**2
        spreads = np.sqrt(np.where(variances > _ROUNDING * mean_squares, variances, 0.0))
        counts = generator.multinomial(self.documents, sizes / sizes.sum(), replicates)
        noise = generator.standard_normal(counts.shape) * (np.sqrt(counts) * spreads)
        drawn = np.zeros((replicates, len(self.sizes)))
        drawn[:, found] = counts * means + noise
        return drawn

    def resampled_means(self, generator: np.random.Generator, replicates: int) -> Array:
        """The mean of all values in each of the bootstrap samples."""
        means: Array = self.resampled(generator, replicates).sum(axis=1) / self.documents
        return means


def grouped(values: Array, groups: Places, number: int) -> Grouped:
    """The values, each in the group of this number."""
    sizes, sums, squares = (
        np.bincount(groups, weights=weights, minlength=number).astype(np.float64)
        for weights in (None, values, values * values)
    )
    return Grouped(sizes, sums, squares)


def in_equal_steps(values: Array) -> Grouped:
    """The values in `GROUPS` groups of equal width between the least and the largest value.

    Examples
    --------
    >>> import numpy as np
    >>> in_equal_steps(np.array([-1.0, 0.5, 3.0])).documents
    3
    """
    least, width = float(values.min()), float(np.ptp(values))
    places = (values - least) * ((GROUPS - 1) / width) if width > 0 else np.zeros(len(values))
    return grouped(values, places.astype(np.intp), GROUPS)

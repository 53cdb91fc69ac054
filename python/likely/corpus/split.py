"""Holding rows back: which ones depends on their number alone, so two readings agree."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Split:
    """A share of the rows, or all the others.

    Attributes
    ----------
    share : float
        How large the share is.
    inside : bool
        Whether the share itself is wanted, or the rest.
    """

    share: float
    inside: bool

    def rows(self, start: int, count: int) -> npt.NDArray[np.bool_]:
        """For each of some rows, from number ``start`` on, whether it is wanted.

        Examples
        --------
        >>> inside, outside = Split(0.25, True).rows(0, 10_000), Split(0.25, False).rows(0, 10_000)
        >>> bool(0.23 < inside.mean() < 0.27), bool((inside ^ outside).all())
        (True, True)
        """
        drawn = _mixed(np.arange(start, start + count, dtype=np.uint64)) < np.uint64(int(self.share * 2.0**64))
        return drawn if self.inside else ~drawn


def _mixed(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Numbers that look random: the finalizer of SplitMix64 (Steele, Lea and Flood, 2014)."""
    mixed = (numbers + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))

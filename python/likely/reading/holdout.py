"""Holding rows back: which ones depends on their texts alone, so two readings agree and no text is on both sides."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import pyarrow as pa


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

    def rows(self, texts: pa.Array) -> npt.NDArray[np.bool_]:
        """For each of some texts whether it is wanted.

        Examples
        --------
        >>> import pyarrow as pa
        >>> texts = pa.array([str(number) for number in range(10_000)])
        >>> inside, outside = Split(0.25, True).rows(texts), Split(0.25, False).rows(texts)
        >>> bool(0.23 < inside.mean() < 0.27), bool((inside ^ outside).all())
        (True, True)
        """
        sums = np.array([zlib.crc32(text.encode()) for text in texts.to_pylist()], np.uint64)
        drawn = _mixed(sums) < np.uint64(int(self.share * 2.0**64))
        return drawn if self.inside else ~drawn


def _mixed(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Numbers that look random: the finalizer of SplitMix64 (Steele, Lea and Flood, 2014)."""
    mixed = (numbers + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))

"""Held-out rows. The text alone decides, so that each reading holds out the same rows, and equal texts together."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from likely import _native


@dataclass(frozen=True)
class Split:
    """A share of the rows, or all other rows.

    Attributes
    ----------
    share : float
        The share of the rows that are held out, from 0 to 1.
    inside : bool
        Whether the held-out rows are read, or all other rows.
    """

    share: float
    inside: bool

    def rows(self, texts: _native.Strings) -> npt.NDArray[np.bool_]:
        """True for each text that is read.

        Examples
        --------
        >>> from likely import _native
        >>> texts = _native.Strings([str(number) for number in range(10_000)])
        >>> inside, outside = Split(0.25, True).rows(texts), Split(0.25, False).rows(texts)
        >>> bool(0.23 < inside.mean() < 0.27), bool((inside ^ outside).all())
        (True, True)
        """
        sums = np.array([zlib.crc32(text.encode()) for text in texts.to_pylist()], np.uint64)
        drawn = _mixed(sums) < np.uint64(int(self.share * 2.0**64))
        return drawn if self.inside else ~drawn


def _mixed(numbers: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint64]:
    """Pseudo-random numbers, one per number: SplitMix64 (Steele, Lea and Flood, 2014).

    `_native.drawn` uses the same function, but on another hash of the text, so it would hold out other rows.
    """
    mixed = (numbers + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))

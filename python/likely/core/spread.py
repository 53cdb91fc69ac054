"""`Spread`: a sample of a stream that is spread evenly over it, whatever its batches and its length."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypedDict

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.types import Mask, Places


_STRIDE = np.uint64(0x9E3779B97F4A7C15)
"""2^64 divided by the golden ratio: its multiples modulo 2^64 are spread evenly, without a period."""


MOST_BYTES = 64 << 20
"""The largest size of the texts of a sample in memory, about."""


class Drawn(NamedTuple):
    """What changes in a sample as more rows come."""

    new: Places
    """The places of those new rows that are added at the end of the sample."""
    stay: Mask
    """Whether each row of the sample, after that, stays in it."""


class SpreadDict(TypedDict):
    """A `Spread` as plain data."""

    seen: int
    most: int
    limit: int
    ranks: bytes


class Spread:
    """Says which rows of a stream are in a sample of at most ``most`` rows.

    Each row has a rank, which follows from its number in the stream; the rows with the smallest ranks are the sample.

    Examples
    --------
    >>> spread, sample = Spread(3), []
    >>> for batch in (["a", "b", "c"], ["d", "e"], ["f"]):
    ...     drawn = spread.draw(len(batch))
    ...     sample += [batch[at] for at in drawn.new]
    ...     sample = [row for row, stays in zip(sample, drawn.stay) if stays]
    >>> sample
    ['a', 'c', 'f']
    """

    def __init__(self, most: int) -> None:
        self.seen = 0
        self._most = most
        self._limit = np.uint64(2**64 - 1)
        self._ranks: npt.NDArray[np.uint64] = np.zeros(0, np.uint64)

    def plus(self, other: Spread) -> tuple[Spread, Mask]:
        """The sample of two streams together, and whether each row of this sample and then of the other stays in it.

        Of both streams the rows up to the same rank stay, so that each of them has its share of the sample.

        Examples
        --------
        >>> one, other = Spread(4), Spread(4)
        >>> _ = one.draw(4), other.draw(400)
        >>> both, stay = one.plus(other)
        >>> both.seen, len(stay), int(stay.sum())
        (404, 8, 4)
        """
        joined = Spread(self._most)
        joined.seen = self.seen + other.seen
        joined._limit = min(self._limit, other._limit)
        ranks = np.concatenate([self._ranks, other._ranks])
        stay: Mask = ranks <= joined._limit
        joined._ranks = ranks[stay]
        stay[np.flatnonzero(stay)] = joined.narrow(self._most)
        return joined, stay

    def to_dict(self) -> SpreadDict:
        """All of it as plain data."""
        return {
            "seen": self.seen,
            "most": self._most,
            "limit": int(self._limit),
            "ranks": self._ranks.astype("<u8").tobytes(),
        }

    @classmethod
    def from_dict(cls, data: SpreadDict) -> Spread:
        """What was written by `to_dict`.

        Examples
        --------
        >>> spread = Spread(3)
        >>> _ = spread.draw(100)
        >>> Spread.from_dict(spread.to_dict()).draw(100).new.tolist() == spread.draw(100).new.tolist()
        True
        """
        spread = cls(data["most"])
        spread.seen, spread._limit = data["seen"], np.uint64(data["limit"])
        spread._ranks = np.frombuffer(data["ranks"], "<u8").astype(np.uint64)
        return spread

    def draw(self, rows: int) -> Drawn:
        """See the next rows of the stream: how many there are."""
        with np.errstate(over="ignore"):
            ranks = np.arange(self.seen, self.seen + rows, dtype=np.uint64) * _STRIDE
        self.seen += rows
        drawn = ranks <= self._limit
        self._ranks = np.concatenate([self._ranks, ranks[drawn]])
        return Drawn(np.flatnonzero(drawn), self.narrow(self._most))

    def narrow(self, most: int) -> Mask:
        """Make the sample smaller, from now on: at most ``most`` rows. Returns whether each row stays in it."""
        self._most = most
        stay: Mask = np.ones(len(self._ranks), np.bool_)
        if len(self._ranks) > most:
            self._limit = np.partition(self._ranks, most - 1)[most - 1]
            stay = self._ranks <= self._limit
            self._ranks = self._ranks[stay]
        return stay


class SpreadTexts:
    """A sample of at most ``most`` texts of a stream, and of at most ``most_bytes`` characters, about.

    Examples
    --------
    >>> sample = SpreadTexts(3)
    >>> for batch in (["a", "b", "c"], ["d", "e"], ["f"]):
    ...     sample.see(batch)
    >>> sample.texts
    ['a', 'c', 'f']
    """

    def __init__(self, most: int, most_bytes: int = MOST_BYTES) -> None:
        self.texts: list[str] = []
        self._spread = Spread(most)
        self._most_bytes = most_bytes

    def see(self, texts: Sequence[str]) -> None:
        """See the next texts of the stream."""
        drawn = self._spread.draw(len(texts))
        self.texts += [texts[at] for at in drawn.new.tolist()]
        self._keep(drawn.stay)
        while len(self.texts) > 1 and sum(map(len, self.texts)) > self._most_bytes:
            self._keep(self._spread.narrow(len(self.texts) // 2))

    def _keep(self, stay: Mask) -> None:
        self.texts = [text for text, stays in zip(self.texts, stay.tolist(), strict=True) if stays]

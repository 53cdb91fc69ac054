"""`Rates`: how many corrections each sender may still make, counted by one process or by several together."""

from __future__ import annotations

import json
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.server.shared_file import SharedFile


class Rates(Protocol):
    """Who keeps the buckets of the senders."""

    def take(self, sender: str | None, number: int, rate: float, burst: int) -> float:
        """Take from the bucket of a sender; returns 0, or the seconds to wait if there is not enough in it."""


@dataclass
class Bucket:
    """A token bucket: it fills at a constant rate, and every correction takes one.

    Examples
    --------
    >>> bucket = Bucket(2, 0.0)
    >>> [bucket.take(1, at, rate=1.0, burst=2) for at in (0.0, 0.0, 0.0, 1.0)]
    [0.0, 0.0, 1.0, 0.0]
    """

    level: float
    at: float

    def take(self, number: int, now: float, rate: float, burst: int) -> float:
        """Take from the bucket; returns 0, or the seconds to wait if there is not enough in it."""
        self.level, self.at = min(float(burst), self.level + (now - self.at) * rate), now
        if number > self.level:
            return (number - self.level) / rate
        self.level -= number
        return 0.0


class OwnRates:
    """The buckets of one process.

    Examples
    --------
    >>> rates = OwnRates(clock=lambda: 0.0)
    >>> [rates.take("ann", 1, rate=1.0, burst=2) for _ in range(3)], rates.take("bob", 1, rate=1.0, burst=2)
    ([0.0, 0.0, 1.0], 0.0)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._turn = clock, threading.Lock()
        self._buckets: dict[str, Bucket] = {}

    def take(self, sender: str | None, number: int, rate: float, burst: int) -> float:
        """Take from the bucket of a sender; returns 0, or the seconds to wait if there is not enough in it."""
        with self._turn:
            return _take(self._buckets, sender, number, self._clock(), rate, burst)


class SharedRates:
    """The buckets of several processes of one machine, in a file that they share.

    Examples
    --------
    >>> from likely.server.shared_file import SharedFile
    >>> file = SharedFile.create()
    >>> one, other = SharedRates(file, clock=lambda: 0.0), SharedRates(file, clock=lambda: 0.0)
    >>> [rates.take("ann", 1, rate=1.0, burst=2) for rates in (one, other, one)]
    [0.0, 0.0, 1.0]
    >>> file.close()
    """

    def __init__(self, file: SharedFile, clock: Callable[[], float] = time.monotonic) -> None:
        self._file, self._clock = file, clock  # the monotonic clock is that of the machine

    def take(self, sender: str | None, number: int, rate: float, burst: int) -> float:
        """Take from the bucket of a sender; returns 0, or the seconds to wait if there is not enough in it."""
        with self._file.changing() as data:
            buckets = {name: Bucket(*pair) for name, pair in json.loads(data or b"{}").items()}
            wait = _take(buckets, sender, number, self._clock(), rate, burst)
            data[:] = json.dumps({name: (each.level, each.at) for name, each in buckets.items()}).encode()
        return wait


def _take(buckets: dict[str, Bucket], sender: str | None, number: int, now: float, rate: float, burst: int) -> float:
    bucket = buckets.setdefault(sender or "", Bucket(burst, now))
    return bucket.take(number, now, rate, burst)

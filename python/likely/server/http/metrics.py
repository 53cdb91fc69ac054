"""`Metrics`: what has happened, as numbers."""

from __future__ import annotations

import os
import resource
from bisect import bisect_left
from typing import TYPE_CHECKING

from msgspec import Struct, field

from likely.server.http.messages import AnyLabel  # noqa: TC001 - msgspec reads the types

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import TypeVar

    K = TypeVar("K")
    N = TypeVar("N", int, float)

BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0)
"""The upper bounds of the histogram of times, in seconds."""


class Metrics(Struct):
    """Counts requests, predictions and corrections. All of it is done in one thread, that of the event loop.

    Attributes
    ----------
    in_flight : int
        Requests in work or waiting.
    requests : dict
        Requests by route and status.
    times, seconds : dict
        Requests by route and by the buckets of their times, and the sums of the times.
    corrections : dict
        What became of corrections.
    labels : dict
        Predictions by class; None is for texts without an answer.
    known, texts : float, int
        The sum of the shares of known terms of texts, and the number of these texts.
    terms, known_terms : float
        The number of terms of these texts, and of those that are known.

    Examples
    --------
    >>> metrics = Metrics()
    >>> metrics.requested("/predict", 200, 0.0007)
    >>> metrics.predicted(["spam"], 0.5)
    >>> metrics.plus(metrics).requests
    {('/predict', 200): 2}
    """

    in_flight: int = 0
    requests: dict[tuple[str, int], int] = field(default_factory=dict)
    times: dict[str, list[int]] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)
    corrections: dict[str, int] = field(default_factory=dict)
    labels: dict[AnyLabel | None, int] = field(default_factory=dict)
    known: float = 0.0
    texts: int = 0
    terms: float = 0.0
    known_terms: float = 0.0

    def requested(self, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self.requests[route, status] = self.requests.get((route, status), 0) + 1
        times = self.times.get(route)
        if times is None:
            times = self.times[route] = [0] * (len(BUCKETS) + 1)
            self.seconds[route] = 0.0
        times[bisect_left(BUCKETS, seconds)] += 1
        self.seconds[route] += seconds

    def predicted(self, labels: Iterable[AnyLabel | None], known: float) -> None:
        """Count the predictions of texts, whose shares of known terms add up to this number."""
        for label in labels:
            self.labels[label] = self.labels.get(label, 0) + 1
            self.texts += 1
        self.known += known

    def corrected(self, what: str) -> None:
        """Count a correction."""
        self.corrections[what] = self.corrections.get(what, 0) + 1

    def copied(self) -> Metrics:
        """These numbers as they are now, while others are counted."""
        return self.plus(Metrics())

    def plus(self, other: Metrics) -> Metrics:
        """The sums of these numbers and others."""
        return Metrics(
            self.in_flight + other.in_flight,
            added(self.requests, other.requests),
            {
                route: [one + more for one, more in zip(self._times_of(route), other._times_of(route), strict=True)]
                for route in {**self.times, **other.times}
            },
            added(self.seconds, other.seconds),
            added(self.corrections, other.corrections),
            added(self.labels, other.labels),
            self.known + other.known,
            self.texts + other.texts,
            self.terms + other.terms,
            self.known_terms + other.known_terms,
        )

    def _times_of(self, route: str) -> list[int]:
        return self.times.get(route) or [0] * (len(BUCKETS) + 1)


def added(one: Mapping[K, N], other: Mapping[K, N]) -> dict[K, N]:
    """The sums of numbers by key.

    Examples
    --------
    >>> added({"a": 1}, {"a": 2, "b": 3})
    {'a': 3, 'b': 3}
    """
    found = dict(one)
    for key, number in other.items():
        found[key] = found[key] + number if key in found else number
    return found


def resident_bytes() -> int:
    """The memory that the process has now; the most that it ever had, where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

"""`Metrics`: what has happened, as numbers, in the text format of Prometheus."""

from __future__ import annotations

import os
import resource
from bisect import bisect_left
from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from likely.server.keeper import KeeperStatus
    from likely.types import Label

BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0)
"""The upper bounds of the histogram of times, in seconds."""
MOST_LABELS = 50
"""At most this many classes have numbers of their own; the others are added up."""


class Metrics:
    r"""Counts requests, predictions and corrections. All of it is done in one thread, that of the event loop.

    Examples
    --------
    >>> metrics = Metrics()
    >>> metrics.requested("/predict", 200, 0.0007)
    >>> metrics.predicted(["spam"], 0.5)
    >>> print(*metrics.lines({})[:3], sep="\n")
    # HELP likely_requests_total Requests by route and status.
    # TYPE likely_requests_total counter
    likely_requests_total{route="/predict",code="200"} 1
    """

    def __init__(self) -> None:
        self.in_flight = 0
        self._requests: Counter[tuple[str, int]] = Counter()
        self._times: dict[str, list[int]] = {}
        self._seconds: Counter[str] = Counter()
        self._corrections: Counter[str] = Counter()
        self._labels: Counter[Label | None] = Counter()
        self._known, self._texts = 0.0, 0

    def requested(self, route: str, status: int, seconds: float) -> None:
        """Count a request."""
        self._requests[route, status] += 1
        times = self._times.get(route)
        if times is None:
            times = self._times[route] = [0] * (len(BUCKETS) + 1)
        times[bisect_left(BUCKETS, seconds)] += 1
        self._seconds[route] += seconds  # type: ignore[assignment]

    def predicted(self, labels: Iterable[Label | None], known: float) -> None:
        """Count the predictions of texts, whose shares of known terms add up to this number."""
        for label in labels:
            self._labels[label] += 1
            self._texts += 1
        self._known += known

    def corrected(self, what: str) -> None:
        """Count a correction."""
        self._corrections[what] += 1

    def lines(self, shares: Mapping[Label, float], status: KeeperStatus | None = None) -> list[str]:
        """The numbers as lines; ``shares`` are those of the classes in training."""
        found = [*_head("likely_requests_total", "counter", "Requests by route and status.")]
        for (route, code), number in sorted(self._requests.items()):
            found.append(f'likely_requests_total{{route="{_escaped(route)}",code="{code}"}} {number}')
        found += self._histogram()
        found += _gauge("likely_requests_in_flight", "Requests in work or waiting.", self.in_flight)
        found += _head("likely_corrections_total", "counter", "What became of corrections.")
        found += [f'likely_corrections_total{{what="{what}"}} {n}' for what, n in sorted(self._corrections.items())]
        found += self._drift(shares)
        found += _gauge("process_resident_memory_bytes", "Memory of the process.", resident_bytes())
        return found + (_status(status) if status is not None else [])

    def _histogram(self) -> list[str]:
        name = "likely_request_seconds"
        found = [*_head(name, "histogram", "Time from the headers of a request to its answer.")]
        for route, times in sorted(self._times.items()):
            total = 0
            for bound, number in zip((*map(str, BUCKETS), "+Inf"), times, strict=True):
                total += number
                found.append(f'{name}_bucket{{route="{_escaped(route)}",le="{bound}"}} {total}')
            found.append(f'{name}_sum{{route="{_escaped(route)}"}} {self._seconds[route]:.6f}')
            found.append(f'{name}_count{{route="{_escaped(route)}"}} {total}')
        return found

    def _drift(self, shares: Mapping[Label, float]) -> list[str]:
        """Predictions by class, beside the shares in training, and the share of known terms."""
        largest = sorted(shares, key=lambda label: (-shares[label], str(label)))[:MOST_LABELS]
        others = sum(self._labels.values()) - self._labels[None] - sum(self._labels[label] for label in largest)
        found = [*_head("likely_predictions_total", "counter", "Predictions by class.")]
        found += [f'likely_predictions_total{{class="{_escaped(each)}"}} {self._labels[each]}' for each in largest]
        found.append(f'likely_predictions_total{{class="",kind="other"}} {others}')
        found.append(f'likely_predictions_total{{class="",kind="abstained"}} {self._labels[None]}')
        found += _head("likely_training_share", "gauge", "Share of a class among the learned documents.")
        found += [f'likely_training_share{{class="{_escaped(each)}"}} {shares[each]:.9g}' for each in largest]
        found += _head("likely_known_share", "summary", "Share of the terms of a text that are known.")
        return [*found, f"likely_known_share_sum {self._known:.6f}", f"likely_known_share_count {self._texts}"]


def _status(status: KeeperStatus) -> list[str]:
    return [
        *_gauge("likely_documents", "Documents that the model has learned.", status.documents),
        *_gauge("likely_classes", "Classes of the model.", status.classes),
        *_gauge("likely_entry", "The last entry that the model contains.", status.seq),
        *_gauge("likely_folded_entry", "The last entry that is folded into a file.", status.folded),
        *_gauge("likely_can_learn", "1 if the server learns.", int(status.can_learn)),
    ]


def _head(name: str, kind: str, about: str) -> tuple[str, str]:
    return f"# HELP {name} {about}", f"# TYPE {name} {kind}"


def _gauge(name: str, about: str, value: float) -> list[str]:
    return [*_head(name, "gauge", about), f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}"]


def _escaped(value: object) -> str:
    r"""The value of a label, as the format wants it.

    Examples
    --------
    >>> _escaped('a "b"')
    'a \\"b\\"'
    """
    text = str(value).encode("utf-8", "replace").decode()
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def resident_bytes() -> int:
    """The memory that the process has now; the most that it ever had, where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

"""What is counted, and what several processes have counted together."""

from __future__ import annotations

import msgspec
from likely.server.http.metrics import Metrics, resident_bytes


def some(number: int) -> Metrics:
    metrics = Metrics(in_flight=number)
    for at in range(number):
        metrics.requested("/predict" if at % 2 else f"/terms/{at}", 200 + at % 3, 0.001 * at)
    metrics.predicted(["a", "b", None][: number % 4], 0.5)
    metrics.corrected("learned")
    metrics.terms += number
    return metrics


def test_sums_are_those_of_all() -> None:
    one, other = some(5), some(7)
    both = one.plus(other)
    assert sum(both.requests.values()) == 12
    assert {route: sum(times) for route, times in both.times.items()}["/predict"] == 5
    assert both.seconds["/predict"] == one.seconds["/predict"] + other.seconds["/predict"]
    assert both.corrections == {"learned": 2}
    assert both.labels == {"a": 2, "b": 1, None: 1}
    assert (both.in_flight, both.texts, both.known, both.terms) == (12, 4, 1.0, 12.0)
    assert one.plus(Metrics()) == Metrics().plus(one) == one


def test_a_copy_stays_as_it_is() -> None:
    metrics = some(5)
    before = metrics.copied()
    assert before == metrics
    metrics.requested("/predict", 200, 0.1)
    assert sum(before.requests.values()) == 5
    assert sum(before.times["/predict"]) == 2


def test_what_is_read_is_what_was_written() -> None:
    for labels in (["a", None], [1, 2, None], [True, False]):
        metrics = some(6)
        metrics.labels = {}
        metrics.predicted(labels, 1.0)
        read = msgspec.msgpack.decode(msgspec.msgpack.encode(metrics), type=Metrics)
        assert read == metrics
        assert list(map(type, read.labels)) == list(map(type, metrics.labels))


def test_the_process_has_memory() -> None:
    assert resident_bytes() > 1_000_000

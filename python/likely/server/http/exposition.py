"""Figures as lines: the text format of Prometheus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.server.http.metrics import BUCKETS

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from likely.server.http.messages import AnyLabel, DriftAnswer
    from likely.server.http.metrics import Metrics
    from likely.server.keeper import KeeperStatus

MOST_LABELS = 50
"""At most this many classes have numbers of their own; the others are added up."""


def lines(metrics: Metrics, drift: DriftAnswer, memory: Sequence[int], status: KeeperStatus | None) -> list[str]:
    r"""The numbers as lines; ``memory`` is that of each process.

    Examples
    --------
    >>> from likely.server.http.messages import DriftAnswer
    >>> from likely.server.http.metrics import Metrics
    >>> metrics = Metrics()
    >>> metrics.requested("/predict", 200, 0.0007)
    >>> none = DriftAnswer(0, 0, None, None, None, 0, None, [], 1)
    >>> print(*lines(metrics, none, [1_000_000], None)[:3], sep="\n")
    # HELP likely_requests_total Requests by route and status.
    # TYPE likely_requests_total counter
    likely_requests_total{route="/predict",code="200"} 1
    """
    found = [*_head("likely_requests_total", "counter", "Requests by route and status.")]
    for (route, code), number in sorted(metrics.requests.items()):
        found.append(f'likely_requests_total{{route="{_escaped(route)}",code="{code}"}} {number}')
    found += _histogram(metrics)
    found += _gauge("likely_requests_in_flight", "Requests in work or waiting.", metrics.in_flight)
    found += _head("likely_corrections_total", "counter", "What became of corrections.")
    found += [f'likely_corrections_total{{what="{what}"}} {n}' for what, n in sorted(metrics.corrections.items())]
    found += [*_predictions(metrics, drift), *_terms(metrics), *_drift(drift)]
    found += _head("process_resident_memory_bytes", "gauge", "Memory of each process.")
    found += [f'process_resident_memory_bytes{{worker="{at}"}} {size}' for at, size in enumerate(memory)]
    return found + (_status(status) if status is not None else [])


def _histogram(metrics: Metrics) -> list[str]:
    name = "likely_request_seconds"
    found = [*_head(name, "histogram", "Time from the headers of a request to its answer.")]
    for route, times in sorted(metrics.times.items()):
        total = 0
        for bound, number in zip((*map(str, BUCKETS), "+Inf"), times, strict=True):
            total += number
            found.append(f'{name}_bucket{{route="{_escaped(route)}",le="{bound}"}} {total}')
        found.append(f'{name}_sum{{route="{_escaped(route)}"}} {metrics.seconds[route]:.6f}')
        found.append(f'{name}_count{{route="{_escaped(route)}"}} {total}')
    return found


def _predictions(metrics: Metrics, drift: DriftAnswer) -> list[str]:
    """Predictions by class since the start."""
    largest, labels = _largest(drift), metrics.labels
    abstained = labels.get(None, 0)
    others = sum(labels.values()) - abstained - sum(labels.get(each, 0) for each in largest)
    found = [*_head("likely_predictions_total", "counter", "Predictions by class.")]
    found += [f'likely_predictions_total{{class="{_escaped(each)}"}} {labels.get(each, 0)}' for each in largest]
    found.append(f'likely_predictions_total{{class="",kind="other"}} {others}')
    found.append(f'likely_predictions_total{{class="",kind="abstained"}} {abstained}')
    return found


def _terms(metrics: Metrics) -> list[str]:
    return [
        *_head("likely_known_share", "summary", "Share of the terms of a text that are known."),
        f"likely_known_share_sum {metrics.known:.6f}",
        f"likely_known_share_count {metrics.texts}",
        *_head("likely_terms_total", "counter", "Terms of the texts that were predicted."),
        f"likely_terms_total {metrics.terms:.0f}",
        *_head("likely_unknown_terms_total", "counter", "Those of these terms that the model does not know."),
        f"likely_unknown_terms_total {metrics.terms - metrics.known_terms:.0f}",
    ]


def _drift(drift: DriftAnswer) -> list[str]:
    """The last texts against the training data."""
    largest = _largest(drift)
    classes = [each for each in drift.classes if each.label in largest]
    found = _gauge("likely_drift_texts", "The last texts, which the figures of drift are about.", drift.texts)
    found += _known_gauge(
        "likely_unknown_share", "Share of the terms of the last texts that are unknown.", drift.unknown
    )
    found += _known_gauge("likely_usual_unknown_share", "Share that is usually unknown.", drift.usual)
    about = "Distance (total variation) of the estimated shares of the classes from those of training."
    found += _known_gauge("likely_class_distance", about, drift.distance)
    found += _gauge(
        "likely_drift_warning", "1 if the last texts are unlike the training data.", int(bool(drift.warning))
    )
    training = ((each.label, each.training) for each in classes)
    found += _shares("likely_training_share", "Share of a class in the training data.", training)
    predicted = ((each.label, each.predicted) for each in classes)
    found += _shares("likely_predicted_share", "Share of the answers for the last texts.", predicted)
    estimated = ((each.label, each.estimated) for each in classes)
    return found + _shares("likely_estimated_share", "Share of a class in the last texts, estimated.", estimated)


def _largest(drift: DriftAnswer) -> list[AnyLabel]:
    """The classes with the largest shares in training."""
    ranked = sorted(drift.classes, key=lambda each: (-each.training, str(each.label)))
    return [each.label for each in ranked[:MOST_LABELS]]


def _shares(name: str, about: str, shares: Iterable[tuple[object, float | None]]) -> list[str]:
    known = [f'{name}{{class="{_escaped(label)}"}} {share:.9g}' for label, share in shares if share is not None]
    return [*_head(name, "gauge", about), *known]


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
    return [*_head(name, "gauge", about), f"{name} {value:.9g}" if isinstance(value, float) else f"{name} {value}"]


def _known_gauge(name: str, about: str, value: float | None) -> list[str]:
    return [*_head(name, "gauge", about)] if value is None else _gauge(name, about, value)


def _escaped(value: object) -> str:
    r"""The value of a label, as the format wants it.

    Examples
    --------
    >>> _escaped('a "b"')
    'a \\"b\\"'
    """
    text = str(value).encode("utf-8", "replace").decode()
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")

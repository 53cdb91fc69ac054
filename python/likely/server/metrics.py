"""Figures for Prometheus, and `DriftWatch`, which compares the texts that are predicted with the training data."""

from __future__ import annotations

import os
import threading
from collections import Counter as Numbers
from dataclasses import replace
from functools import cache, partial
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.process_collector import ProcessCollector

from likely.core.calibration import ENOUGH
from likely.core.shift import SeenTexts
from likely.server.messages import AnyLabel, DriftAnswer, DriftClass, ModelAnswer

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from likely.model.naive_bayes import NaiveBayes
    from likely.types import Array

MOST_CLASSES = 50
"""At most this many classes have figures of their own, whatever the model is; other predictions are added up."""
BUCKETS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0, 30.0)
"""The upper bounds of the histogram of times, in seconds."""
SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that names the folder in which several processes keep their figures."""
WINDOW = 10_000
"""The figures of drift are about the last texts: this many, up to twice as many."""
AT_ONCE = 256
"""Texts are looked at when there are this many of them, which is cheaper than one by one."""

disable_created_metrics()  # type: ignore[no-untyped-call]


class Metrics:
    """Counts requests, predictions and corrections, of all processes if `SHARED` names a folder.

    Examples
    --------
    >>> metrics = Metrics()
    >>> metrics.requested("/predict", 200, 0.0007)
    >>> 'likely_requests_total{code="200",route="/predict"} 1.0' in metrics.text([]).decode()
    True
    """

    def __init__(self) -> None:
        registry = self._registry = CollectorRegistry()
        if SHARED not in os.environ:
            ProcessCollector(registry=registry)
        counter, histogram = partial(Counter, registry=registry), partial(Histogram, registry=registry)
        gauge = partial(Gauge, registry=registry, multiprocess_mode="livesum")
        self.in_flight = 0
        self.labels: Numbers[AnyLabel | None] = Numbers()
        self._flying = gauge("likely_requests_in_flight", "Requests in progress or waiting.")
        self._requests = counter("likely_requests", "Requests by route and status.", ["route", "code"])
        about_seconds = "Time from the headers of a request to its answer."
        self._seconds = histogram("likely_request_seconds", about_seconds, ["route"], buckets=BUCKETS)
        self._corrections = counter("likely_corrections", "Corrections by what was done.", ["what"])
        self._predictions = counter("likely_predictions", "Predictions by class.", ["class", "kind"])
        self._terms = counter("likely_terms", "Terms of the texts that were predicted.")
        self._unknown = counter("likely_unknown_terms", "Terms of predicted texts that the model does not know.")

        self._of_class = cache(self._counter_of)  # to look them up takes long
        self._of_route = cache(lambda route, code: (self._requests.labels(route, code), self._seconds.labels(route)))

    def begun(self) -> None:
        """Count a request that is in work."""
        self.in_flight += 1
        self._flying.inc()

    def ended(self) -> None:
        """Count it no more."""
        self.in_flight -= 1
        self._flying.dec()

    def requested(self, route: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        requests, times = self._of_route(route, status)
        requests.inc()
        times.observe(seconds)

    def predicted(self, labels: Iterable[AnyLabel | None]) -> None:
        """Count the predictions of texts; None is a text without an answer."""
        for label, number in Numbers(labels).items():
            self.labels[label] += number
            self._of_class(label).inc(number)

    def _counter_of(self, label: AnyLabel | None) -> Counter:
        """The counter of a label that was just counted for the first time."""
        named = (str(label), "class") if len(self.labels) <= MOST_CLASSES else ("", "other")
        return self._predictions.labels(*(("", "abstained") if label is None else named))

    def corrected(self, what: str) -> None:
        """Count a correction."""
        self._corrections.labels(what).inc()

    def seen(self, terms: float, known: float) -> None:
        """Count terms, and those of them that are known."""
        self._terms.inc(terms)
        self._unknown.inc(max(0.0, terms - known))

    def text(self, now: Iterable[GaugeMetricFamily]) -> bytes:
        """All figures in the text format of Prometheus; ``now`` has those that are not counted."""
        counted = self._registry
        if SHARED in os.environ:
            counted = CollectorRegistry()
            MultiProcessCollector(counted)  # type: ignore[no-untyped-call]
        current = CollectorRegistry()
        current.collect = lambda: now  # type: ignore[method-assign]
        return generate_latest(counted) + generate_latest(current)


def figures_now(drift: DriftAnswer, about: ModelAnswer) -> Iterator[GaugeMetricFamily]:
    """The figures of drift and of the keeper. What is not known is left out."""
    single: list[tuple[str, str, float | None]] = [
        ("likely_drift_texts", "The last texts, which the drift figures cover.", drift.texts),
        ("likely_unknown_share", "Share of the terms of the last texts that are unknown.", drift.unknown),
        ("likely_usual_unknown_share", "Share that is usually unknown.", drift.usual),
        ("likely_class_distance", "Distance between the estimated and the training class shares.", drift.distance),
        ("likely_drift_warning", "1 if the last texts are unlike the training data.", drift.warning is not None),
        ("likely_documents", "Documents that the model has learned.", about.documents),
        ("likely_classes", "Classes of the model.", about.classes),
        ("likely_entry", "The last entry that the model contains.", about.learning.seq),
        ("likely_folded_entry", "The last entry that is folded into a file.", about.learning.folded_seq),
        ("likely_can_learn", "1 if the server learns.", about.learning.can_learn),
    ]
    for name, says, value in single:
        family = GaugeMetricFamily(name, says)
        if value is not None:
            family.add_metric([], value)
        yield family
    largest = sorted(drift.classes, key=lambda each: -each.training)[:MOST_CLASSES]
    for field, says in (
        ("training", "Share of a class in the training data."),
        ("predicted", "Share of the answers for the last texts."),
        ("estimated", "Share of a class in the last texts, estimated."),
    ):
        family = GaugeMetricFamily(f"likely_{field}_share", says, labels=["class"])
        for each in largest:
            share: float | None = getattr(each, field)
            if share is not None:
                family.add_metric([str(each.label)], share)
        yield family


class _Window(NamedTuple):
    """Some texts, and how many predictions there were before them."""

    seen: SeenTexts
    before: Numbers[AnyLabel | None]


class DriftWatch:
    """Keeps what is needed of the last texts. Any thread may show it texts.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["good fun", "good plot", "dull plot"], ["+", "+", "-"])
    >>> watch = DriftWatch(Metrics())
    >>> _ = model._predict_all(["good so good", "unheard of"] * 15, watch=watch)
    >>> found = watch.compared_with(model)
    >>> found.texts, found.terms, found.unknown, round(found.usual, 3)
    (30, 75, 0.6, 0.333)
    """

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._turn = threading.Lock()
        self._waiting: list[tuple[Array, Array, Array]] = []
        self._texts = 0
        self._predicted = Numbers(metrics.labels)  # before the texts that wait
        self._windows: list[_Window] = []
        self._usual: tuple[float, float | None] = (0.0, None)

    def see(self, logs: Array, known: Array, terms: Array) -> None:
        """See some texts: their log-probabilities, the shares of known terms, and the numbers of terms."""
        self._metrics.seen(float(terms.sum()), float(known @ terms))
        with self._turn:
            self._waiting.append((logs, known, terms))
            self._texts += len(terms)
            if self._texts >= AT_ONCE:
                self._look()

    def compared_with(self, model: NaiveBayes) -> DriftAnswer:
        """How far the last texts are from the training data."""
        from likely.evaluation.drift import shift_of_seen

        usual = self.usual(model)
        if not model._state.is_fitted:
            return DriftAnswer(0, 0, None, usual, None, 0, None, [])
        seen, predicted = self._recent(len(model.classes_))
        shift = shift_of_seen(model, seen, usual)
        texts = sum(predicted.values())
        if shift.documents < ENOUGH:  # too few yet
            texts, shift = 0, replace(shift, unknown=None, shares=None)
        shares = [None] * len(shift.labels) if shift.shares is None else shift.shares.tolist()
        return DriftAnswer(
            texts=shift.documents,
            terms=shift.terms,
            unknown=shift.unknown,
            usual=usual,
            distance=shift.distance,
            abstained=predicted[None],
            warning=shift.warning,
            classes=[
                DriftClass(label, training, predicted[label] / texts if texts else None, share)
                for label, training, share in zip(shift.labels, shift.expected.tolist(), shares, strict=True)
            ],
        )

    def _recent(self, classes: int) -> tuple[SeenTexts, Numbers[AnyLabel | None]]:
        """What was seen lately, and the number of texts by predicted class; None is for those without an answer."""
        seen = SeenTexts.of_classes(classes)
        with self._turn:
            self._look()
            if not self._windows:
                return seen, Numbers()
            for window in self._windows:
                seen = seen.plus(window.seen)
            return seen, self._predicted - self._windows[0].before

    def _look(self) -> None:
        waiting, self._waiting, self._texts = self._waiting, [], 0
        for classes, some in groupby(waiting, lambda each: each[0].shape[1]):
            logs, known, terms = (np.concatenate(column) for column in zip(*some, strict=True))
            self._window_for(classes).see(logs, known, terms)
        self._predicted = self._metrics.labels.copy()

    def _window_for(self, classes: int) -> SeenTexts:
        """Where the next texts belong. Texts from before the model had its classes are not compared any more."""
        if self._windows and self._windows[-1].seen.logs.shape[1] != classes:
            self._windows = []
        if not self._windows or self._windows[-1].seen.documents >= WINDOW:
            self._windows = [*self._windows[-1:], _Window(SeenTexts.of_classes(classes), self._predicted)]
        return self._windows[-1].seen

    def usual(self, model: NaiveBayes) -> float | None:
        """The share of the terms of new texts that is usually unknown; None if it is not known.

        It takes long in a large model, so it is found anew only when the model has twice as many documents.
        """
        from likely.evaluation.drift import usual_unknown_of

        documents = float(model.class_documents_.sum()) if model._state.is_fitted else 0.0
        if documents >= 2 * self._usual[0]:
            self._usual = documents, usual_unknown_of(model)
        return self._usual[1]

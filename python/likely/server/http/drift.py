"""`DriftWatch`: sees the texts that are predicted now, to compare them with the training data."""

from __future__ import annotations

import threading
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from msgspec import Struct

from likely.core.shift import SeenDict, SeenTexts
from likely.server.http.messages import AnyLabel, DriftAnswer, DriftClass
from likely.server.http.metrics import added

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from likely.model.naive_bayes import NaiveBayes
    from likely.server.http.metrics import Metrics
    from likely.types import Array

WINDOW = 10_000
"""The figures are about the last texts: this many, up to twice as many."""
AT_ONCE = 256
"""Texts are looked at when there are this many of them, which is cheaper than one by one."""


class Recent(Struct):
    """What was seen lately, as plain data, which processes exchange.

    Attributes
    ----------
    seen : SeenDict or None
        The terms and a sample of the probabilities; None if there was no text.
    predicted : dict
        The number of texts by predicted class; None is for those without an answer.
    """

    seen: SeenDict | None
    predicted: dict[AnyLabel | None, int]


class _Window(NamedTuple):
    """Some texts, and how many predictions there were before them."""

    seen: SeenTexts
    before: dict[AnyLabel | None, int]


class DriftWatch:
    """Keeps what is needed of the last texts. It may be told of texts by any thread.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.server.http.metrics import Metrics
    >>> model = NaiveBayes().fit(["good fun", "good plot", "dull plot"], ["+", "+", "-"])
    >>> watch = DriftWatch(Metrics())
    >>> _ = model._predict_all(["good so good", "unheard of"], watch=watch)
    >>> found = drift_of(model, [watch.recent()], watch.usual(model))
    >>> found.texts, found.terms, found.unknown, round(found.usual, 3)
    (2, 5, 0.6, 0.333)
    """

    def __init__(self, metrics: Metrics) -> None:
        self._metrics = metrics
        self._turn = threading.Lock()
        self._waiting: list[tuple[Array, Array, Array]] = []
        self._texts = 0
        self._predicted = dict(metrics.labels)  # before the texts that wait
        self._windows: list[_Window] = []
        self._usual: tuple[float, float | None] = (0.0, None)

    def see(self, logs: Array, known: Array, terms: Array) -> None:
        """See some texts: their log-probabilities, the shares of known terms, and the numbers of terms."""
        with self._turn:
            self._waiting.append((logs, known, terms))
            self._texts += len(terms)
            if self._texts >= AT_ONCE:
                self._look()

    def recent(self) -> Recent:
        """What was seen lately."""
        with self._turn:
            self._look()
            if not self._windows:
                return Recent(None, {})
            seen, before = self._windows[0]
            for window in self._windows[1:]:
                seen = seen.plus(window.seen)
        now = self._metrics.labels
        predicted = {label: number - before.get(label, 0) for label, number in list(now.items())}
        return Recent(seen.to_dict(), predicted)

    def _look(self) -> None:
        waiting, self._waiting, self._texts = self._waiting, [], 0
        for classes, some in groupby(waiting, lambda each: each[0].shape[1]):
            logs, known, terms = (np.concatenate(column) for column in zip(*some, strict=True))
            self._window_for(classes).see(logs, known, terms)
            self._metrics.terms += float(terms.sum())
            self._metrics.known_terms += float((known * terms).sum())
        self._predicted = dict(self._metrics.labels)

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


def drift_of(model: NaiveBayes, recents: Sequence[Recent], usual: float | None) -> DriftAnswer:
    """How far the last texts of all processes are from the training data."""
    from likely.evaluation.drift import shift_of_seen

    if not model._state.is_fitted:
        return DriftAnswer(0, 0, None, usual, None, 0, None, [], len(recents))
    seen, predicted = _together(recents, len(model.classes_))
    shift = shift_of_seen(model, seen, usual)
    texts = sum(predicted.values())
    shares = [None] * len(shift.labels) if shift.shares is None else shift.shares.tolist()
    classes = [
        DriftClass(label, training, predicted.get(label, 0) / texts if texts else None, share)
        for label, training, share in zip(shift.labels, shift.expected.tolist(), shares, strict=True)
    ]
    return DriftAnswer(
        texts=shift.documents,
        terms=shift.terms,
        unknown=shift.unknown,
        usual=usual,
        distance=shift.distance,
        abstained=predicted.get(None, 0),
        warning=shift.warning,
        classes=classes,
        processes=len(recents),
    )


def _together(recents: Iterable[Recent], classes: int) -> tuple[SeenTexts, dict[AnyLabel | None, int]]:
    seen, predicted = SeenTexts.of_classes(classes), dict[AnyLabel | None, int]()
    for recent in recents:
        if recent.seen is not None:
            seen = seen.plus(SeenTexts.from_dict(recent.seen))
        predicted = added(predicted, recent.predicted)
    return seen, predicted

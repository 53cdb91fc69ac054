"""The last texts against the training data, by one process or several."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest
from likely import NaiveBayes
from likely.sample import load_sample
from likely.server.http.batching import Wish, predictions
from likely.server.http.drift import AT_ONCE, WINDOW, DriftWatch, Recent, drift_of
from likely.server.http.metrics import Metrics

TEXTS, LABELS = load_sample()
MODEL = NaiveBayes(calibrate=True).fit(TEXTS[:400], LABELS[:400])
ONE = Wish(1, None)


class Process:
    """Predicts, counts and sees, as a server does."""

    def __init__(self) -> None:
        self.metrics = Metrics()
        self.watch = DriftWatch(self.metrics)

    def predict(self, texts: list[str], model: NaiveBayes = MODEL, wish: Wish = ONE) -> None:
        for at in range(0, len(texts), 7):
            found = predictions(model, texts[at : at + 7], wish, self.watch)
            self.metrics.predicted([each.label for each in found], sum(each.known for each in found))


def test_figures_are_those_of_the_library() -> None:
    process = Process()
    process.predict(TEXTS[300:])
    found = drift_of(MODEL, [process.watch.recent()], process.watch.usual(MODEL))
    expected = MODEL._shift(TEXTS[300:])
    assert (found.texts, found.terms, found.usual) == (expected.documents, expected.terms, expected.usual)
    assert found.unknown == pytest.approx(expected.unknown, abs=1e-12)
    assert expected.shares is not None
    assert [each.estimated for each in found.classes] == pytest.approx(expected.shares.tolist(), abs=1e-9)
    assert [each.training for each in found.classes] == pytest.approx(expected.expected.tolist())
    predicted = MODEL.predict(TEXTS[300:])
    assert [each.predicted for each in found.classes] == [
        float(np.mean(predicted == each.label)) for each in found.classes
    ]
    assert found.warning is None
    assert process.metrics.terms == expected.terms


def test_other_texts_are_warned_of() -> None:
    process = Process()
    process.predict(["gm frens wen moon lol", "ngl tbh bbq was lit fr fr"] * 30, wish=Wish(1, 0.9999))
    found = drift_of(MODEL, [process.watch.recent()], process.watch.usual(MODEL))
    assert "of the terms are unknown" in str(found.warning)
    assert found.abstained == 60


def test_several_processes_are_as_one() -> None:
    one, some = Process(), [Process(), Process(), Process()]
    one.predict(TEXTS)
    for at, process in enumerate(some):
        process.predict(TEXTS[at::3])
    recents = [process.watch.recent() for process in some]
    recents = [msgspec.msgpack.decode(msgspec.msgpack.encode(each), type=Recent) for each in recents]
    alone, together = drift_of(MODEL, [one.watch.recent()], 0.1), drift_of(MODEL, recents, 0.1)
    assert together.processes == 3
    assert (together.texts, together.terms) == (alone.texts, alone.terms)
    assert together.unknown == pytest.approx(alone.unknown)
    assert together.distance == pytest.approx(alone.distance, abs=1e-6)
    assert [each.predicted for each in together.classes] == [each.predicted for each in alone.classes]


def test_only_the_last_texts_count() -> None:
    process = Process()
    logs, known, terms = np.log(np.full((AT_ONCE, 2), 0.5)), np.ones(AT_ONCE), np.full(AT_ONCE, 10.0)
    for _ in range(3 * WINDOW // AT_ONCE):
        process.watch.see(logs, known, terms)
        process.metrics.predicted(["+"] * AT_ONCE, 0.0)
    recent = process.watch.recent()
    assert recent.seen is not None
    assert WINDOW <= recent.seen["documents"] <= 2 * WINDOW + AT_ONCE
    assert abs(recent.predicted["+"] - recent.seen["documents"]) <= AT_ONCE
    assert process.metrics.terms == 10 * AT_ONCE * (3 * WINDOW // AT_ONCE)


def test_a_new_class_begins_anew() -> None:
    process = Process()
    process.predict(TEXTS[:50])
    more = NaiveBayes().fit(["a", "b", "c"], ["x", "y", "z"])
    process.predict(["a b"] * 20, more)
    found = drift_of(more, [process.watch.recent()], None)
    assert found.texts == 20
    assert sum(each.estimated or 0 for each in found.classes) == pytest.approx(1)
    before = drift_of(MODEL, [process.watch.recent()], None)
    assert before.distance is None, "probabilities of other classes say nothing"


def test_before_anything_is_known() -> None:
    process = Process()
    assert drift_of(NaiveBayes(), [process.watch.recent()], process.watch.usual(NaiveBayes())).classes == []
    found = drift_of(MODEL, [process.watch.recent()], None)
    assert (found.texts, found.unknown, found.distance, found.warning) == (0, None, None, None)
    assert [each.predicted for each in found.classes] == [None, None]


def test_what_is_usual_is_found_anew_when_the_model_has_grown() -> None:
    process, model = Process(), NaiveBayes().fit(["good fun", "good plot"], ["+", "-"])
    first = process.watch.usual(model)
    model.learn(["good fun"], ["+"])
    assert process.watch.usual(model) == first
    model.learn(["good fun"], ["+"])
    assert process.watch.usual(model) != first

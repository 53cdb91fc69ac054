"""The last texts against the training data, and figures in the text format of Prometheus."""

from __future__ import annotations

import re

import numpy as np
import pytest
from likely import NaiveBayes
from likely.sample import load_sample
from likely.server.messages import DriftAnswer, DriftClass, Learning, ModelAnswer
from likely.server.metrics import AT_ONCE, MOST_CLASSES, WINDOW, DriftWatch, Metrics, figures_now
from likely.server.service import PredictOptions, predictions

TEXTS, LABELS = load_sample()
MODEL = NaiveBayes(calibrate=True).fit(TEXTS[:400], LABELS[:400])
ONE = PredictOptions(1, None)


class Process:
    """Predicts, counts and sees, as a server does."""

    def __init__(self) -> None:
        self.metrics = Metrics()
        self.watch = DriftWatch(self.metrics)

    def predict(self, texts: list[str], model: NaiveBayes = MODEL, wish: PredictOptions = ONE) -> None:
        for at in range(0, len(texts), 7):
            found = predictions(model, texts[at : at + 7], wish, self.watch)
            self.metrics.predicted([each.label for each in found])


def test_figures_are_those_of_the_library() -> None:
    process = Process()
    process.predict(TEXTS[300:])
    found = process.watch.compared_with(MODEL)
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
    assert f"likely_terms_total {expected.terms}.0" in process.metrics.text([]).decode().splitlines()


def test_nothing_is_estimated_from_a_few_texts() -> None:
    process = Process()
    process.predict(["gm frens wen moon lol"] * 29)
    found = process.watch.compared_with(MODEL)
    assert (found.texts, found.unknown, found.distance, found.warning) == (29, None, None, None)
    assert {(each.predicted, each.estimated) for each in found.classes} == {(None, None)}
    process.predict(["gm frens wen moon lol"])
    found = process.watch.compared_with(MODEL)
    assert (found.texts, found.unknown, sum(each.predicted or 0 for each in found.classes)) == (30, 1.0, 1.0)


def test_other_texts_are_warned_of() -> None:
    process = Process()
    process.predict(["gm frens wen moon lol", "ngl tbh bbq was lit fr fr"] * 30, wish=PredictOptions(1, 0.9999))
    found = process.watch.compared_with(MODEL)
    assert "of the terms are unknown" in str(found.warning)
    assert found.abstained == 60


def test_only_the_last_texts_count() -> None:
    process = Process()
    logs, known, terms = np.log(np.full((AT_ONCE, 2), 0.5)), np.ones(AT_ONCE), np.full(AT_ONCE, 10.0)
    for _ in range(3 * WINDOW // AT_ONCE):
        process.watch.see(logs, known, terms)
        process.metrics.predicted(["positive"] * AT_ONCE)
    found = process.watch.compared_with(MODEL)
    assert WINDOW <= found.texts <= 2 * WINDOW + AT_ONCE
    assert sum(each.predicted or 0 for each in found.classes) == 1
    assert found.terms == 10 * found.texts


def test_a_new_class_begins_anew() -> None:
    process = Process()
    process.predict(TEXTS[:50])
    more = NaiveBayes().fit(["a", "b", "c"], ["x", "y", "z"])
    process.predict(["a b"] * 30, more)
    found = process.watch.compared_with(more)
    assert found.texts == 30
    assert sum(each.estimated or 0 for each in found.classes) == pytest.approx(1)
    assert process.watch.compared_with(MODEL).distance is None, "probabilities of other classes say nothing"


def test_before_anything_is_known() -> None:
    process = Process()
    assert process.watch.compared_with(NaiveBayes()).classes == []
    found = process.watch.compared_with(MODEL)
    assert (found.texts, found.unknown, found.distance, found.warning) == (0, None, None, None)
    assert [each.predicted for each in found.classes] == [None, None]


def test_what_is_usual_is_found_anew_when_the_model_has_grown() -> None:
    process, model = Process(), NaiveBayes().fit(["good fun", "good plot"], ["+", "-"])
    first = process.watch.usual(model)
    model.learn(["good fun"], ["+"])
    assert process.watch.usual(model) == first
    model.learn(["good fun"], ["+"])
    assert process.watch.usual(model) != first


def drift(*labels: str) -> DriftAnswer:
    classes = [DriftClass(label, 1 / (at + 2), 0.25, None) for at, label in enumerate(labels)]
    return DriftAnswer(8, 100, 0.3, 0.1, 0.2, 1, "these texts are unlike the training data", classes)


def shown(metrics: Metrics, found: DriftAnswer) -> list[str]:
    about = ModelAnswer("reviews", "1.0", 5.0, 2, 9, False, {}, Learning(True, None, "sync", 7, 3, True))
    return metrics.text(figures_now(found, about)).decode().splitlines()


def test_texts_without_an_answer_have_a_figure_of_their_own() -> None:
    metrics = Metrics()
    metrics.predicted(["", "a", "a", None])
    found = metrics.text([]).decode().splitlines()
    for labels in ('class="a",kind="class"} 2.0', 'class="",kind="class"} 1.0', 'class="",kind="abstained"} 1.0'):
        assert f"likely_predictions_total{{{labels}" in found


def test_few_classes_have_figures_of_their_own() -> None:
    metrics = Metrics()
    metrics.predicted([f"c{at}" for at in range(MOST_CLASSES + 10)])
    metrics.predicted(["c0", "c59"])
    lines = shown(metrics, drift(*(f"c{at}" for at in range(MOST_CLASSES + 10))))
    counts = [line for line in lines if line.startswith("likely_predictions_total{")]
    assert len(counts) == MOST_CLASSES + 1
    assert 'likely_predictions_total{class="c0",kind="class"} 2.0' in counts
    assert 'likely_predictions_total{class="",kind="other"} 11.0' in counts
    shares = [line for line in lines if line.startswith("likely_training_share{")]
    assert len(shares) == MOST_CLASSES
    assert 'likely_training_share{class="c0"} 0.5' in shares, "the largest classes are shown"


def test_drift_and_the_keeper_have_figures() -> None:
    found = shown(Metrics(), drift("+", "-"))
    for line in (
        "likely_drift_texts 8.0",
        "likely_unknown_share 0.3",
        "likely_usual_unknown_share 0.1",
        "likely_class_distance 0.2",
        "likely_drift_warning 1.0",
        'likely_training_share{class="+"} 0.5',
        "likely_documents 5.0",
        "likely_folded_entry 3.0",
    ):
        assert line in found
    assert not any(line.startswith("likely_estimated_share{") for line in found), "it is not known"


def test_labels_cannot_break_out() -> None:
    metrics = Metrics()
    hostile = 'a"} 1\nlikely_evil 1\\'
    metrics.predicted([hostile])
    for line in shown(metrics, drift(hostile)):
        assert line.startswith("#") or re.fullmatch(r'\w+(\{(\w+="([^"\\\n]|\\.)*",?)*\})? [0-9.e+-]+', line), line

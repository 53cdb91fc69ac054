"""The methods of a model about texts that may be unlike its training data."""

from __future__ import annotations

import itertools
import threading
from typing import Any

import pytest
from likely import NaiveBayes
from likely.errors import NotFittedError, OptionError
from likely.sample import load_sample

TEXTS, LABELS = load_sample()


@pytest.mark.parametrize("variant", ["multinomial", "bernoulli", "complement_normalized", "nbsvm"])
def test_every_variant_has_a_shift(variant: Any) -> None:
    model = NaiveBayes(variant=variant, calibrate=True).fit(TEXTS[:400], LABELS[:400])
    assert model._shift(TEXTS[400:]).warning is None
    assert model._shift(["gm frens wen moon lol"] * 5).warning is not None
    assert model.evaluate(TEXTS[400:], LABELS[400:]).warnings == []


def test_without_a_calibration_shares_are_not_warned_of() -> None:
    positive = [text for text, label in zip(TEXTS, LABELS, strict=True) if label == "positive"]
    model = NaiveBayes().fit(TEXTS, LABELS)
    assert model._shift(positive).warning is None
    assert model.fit_calibration(TEXTS, LABELS)._shift(positive).warning is not None


def test_rows_of_the_training_columns_and_bad_calls() -> None:
    model = NaiveBayes(calibrate=True).fit(TEXTS, LABELS)
    assert model._shift([{"text": "good film"}, {"text": "dull"}]).documents == 2
    assert model._shift([]).documents == 0
    with pytest.raises(NotFittedError):
        NaiveBayes()._shift(["a"])
    with pytest.raises(OptionError, match="no share for class"):
        model._shift(TEXTS, prior={"positive": 1.0})


def test_a_pruned_model_does_not_know_what_is_usual() -> None:
    found = NaiveBayes(calibrate=True).fit(TEXTS, LABELS).pruned(min_documents=2)._shift(["gm frens wen moon"] * 5)
    assert (found.usual, found.warning) == (None, None)
    assert str(found) == "100.0% of the terms are unknown"


def test_an_evaluation_has_the_shift_of_its_texts() -> None:
    model = NaiveBayes(calibrate=True).fit(TEXTS[:400], LABELS[:400])
    evaluation = model.evaluate(TEXTS[400:], LABELS[400:])
    assert evaluation.shift is not None
    assert evaluation.shift.to_dict() == model._shift(TEXTS[400:]).to_dict()
    assert evaluation.gold_shares == [0.5, 0.5]
    assert evaluation.confidence == pytest.approx(evaluation.accuracy, abs=0.15)


def test_a_watch_can_be_made_while_the_model_learns() -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    stop = threading.Event()

    def learn() -> None:
        for number in itertools.count():
            model.learn([f"new{number}"], ["positive"])
            if stop.is_set():
                return

    thread = threading.Thread(target=learn)
    thread.start()
    try:
        for _ in range(50):
            assert model._watch().shift().documents == 0
    finally:
        stop.set()
        thread.join()

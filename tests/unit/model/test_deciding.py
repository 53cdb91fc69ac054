"""Choosing thresholds for a model."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes
from likely.errors import ArgumentError, OptionError
from likely.sample import load_sample

TEXTS, LABELS = load_sample()


@pytest.mark.parametrize("options", [{}, {"calibrate": True}, {"variant": "nbsvm", "calibrate": True}], ids=str)
def test_fit_chooses_what_is_wished_for(options: dict[str, Any]) -> None:
    model = NaiveBayes(thresholds="f1:positive", **options).fit(TEXTS, LABELS)
    assert list(model.thresholds_) == ["positive"]
    choice = model.threshold_choice_
    assert choice is not None
    assert choice.classes[0].f1[1] >= choice.classes[0].f1[0]
    assert choice.documents == len(TEXTS)


def test_the_threshold_is_the_best_for_the_leave_one_out_probabilities() -> None:
    model = NaiveBayes(calibrate=True, thresholds="f1:positive").fit(TEXTS, LABELS)
    record = model.calibration_
    assert record is not None
    joint = model.leave_one_out(TEXTS, LABELS)
    lengths = model._judged(TEXTS, LABELS, None, None)
    shares = np.exp(record.calibration.log_probabilities(joint, lengths[0].length))[:, 1]
    positive = np.array(LABELS) == "positive"

    def f1(threshold: float) -> float:
        said = shares >= threshold
        return float(2 * (said & positive).sum() / (said.sum() + positive.sum()))

    assert f1(model.thresholds_["positive"]) == pytest.approx(max(f1(each) for each in shares))


def test_costs_change_the_decision() -> None:
    dear = NaiveBayes(thresholds={("negative", "positive"): 20, ("positive", "negative"): 1}).fit(TEXTS, LABELS)
    even = NaiveBayes().fit(TEXTS, LABELS)
    assert (dear.predict(TEXTS) == "positive").sum() < (even.predict(TEXTS) == "positive").sum()
    assert dear.thresholds_["positive"] > 0.5


def test_given_thresholds_are_not_chosen() -> None:
    with pytest.raises(OptionError, match="nothing to choose"):
        NaiveBayes(thresholds={"positive": 0.3}).fit(TEXTS, LABELS).fit_thresholds(TEXTS, LABELS)
    with pytest.raises(OptionError, match="nothing to choose"):
        NaiveBayes(thresholds={}).fit(TEXTS, LABELS).fit_thresholds(TEXTS, LABELS, "macro-f1")
    with pytest.raises(OptionError, match="thresholds='recall'"):
        NaiveBayes().fit(TEXTS, LABELS).fit_thresholds(TEXTS, LABELS, "recall")


def test_another_wish_is_in_use_without_changing_the_option() -> None:
    model = NaiveBayes(calibrate=True).fit(TEXTS, LABELS).fit_thresholds(TEXTS, LABELS, "precision:positive=0.9")
    assert model.thresholds is None
    assert list(model.thresholds_) == ["positive"]


def test_there_must_be_something_to_choose_on() -> None:
    with pytest.raises(ArgumentError, match="cannot choose thresholds"):
        NaiveBayes(thresholds="macro-f1").fit(["a", "b"], [0, 1])


def test_weights_count_as_copies_do() -> None:
    twice = NaiveBayes(thresholds="macro-f1").fit(TEXTS, LABELS, sample_weight=[2.0] * len(TEXTS))
    assert twice.thresholds_ == NaiveBayes(thresholds="macro-f1").fit(TEXTS * 2, LABELS * 2).thresholds_ != {}


def test_a_clone_wishes_for_the_same() -> None:
    from sklearn.base import clone
    from sklearn.model_selection import cross_val_score

    model = NaiveBayes(thresholds="f1:positive", calibrate=True).fit(TEXTS, LABELS)
    assert clone(model).thresholds == "f1:positive"
    assert cross_val_score(model, TEXTS, LABELS, cv=2).min() > 0.5


def test_documents_that_cannot_be_judged_without_themselves() -> None:
    model = NaiveBayes().fit(["good", "bad"], ["+", "-"])
    with pytest.raises(ArgumentError, match="no document can be evaluated"):
        model._judge_left_out(["good", "bad"], ["+", "-"])


def test_answers_about_learned_documents_use_calibration_and_thresholds() -> None:
    texts, labels = load_sample()
    model = NaiveBayes(calibrate=True, thresholds={"positive": 0.9}).fit(texts, labels)
    found = model._judge_left_out(texts, labels)
    positive = np.exp(found.log_probabilities[:, 1]) >= 0.9
    assert (found.best == positive).all()
    plain = NaiveBayes().fit(texts, labels)._judge_left_out(texts, labels)
    assert not np.allclose(plain.log_probabilities, found.log_probabilities)
    assert np.allclose(np.exp(found.log_probabilities).sum(axis=1), 1)

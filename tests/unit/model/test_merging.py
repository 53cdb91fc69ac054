"""Merging: the counts of two models together, with the options of the first."""

from __future__ import annotations

import pytest
from likely import NaiveBayes
from likely.errors import NotAdditiveError
from likely.sample import load_sample


def test_a_merged_model_has_the_options_of_the_first_and_the_counts_of_both() -> None:
    one = NaiveBayes(alpha=0.5).fit(["good fun"], ["+"])
    other = NaiveBayes(alpha=2.0).fit(["dull"], ["-"])
    both = one + other
    assert both.alpha == 0.5
    assert both.counts_table() == NaiveBayes().fit(["good fun", "dull"], ["+", "-"]).counts_table()
    assert (both - other).counts_table() == one.counts_table()
    assert one.classes_.tolist() == ["+"]


def test_a_model_that_is_not_additive_cannot_be_merged() -> None:
    model = NaiveBayes(variant="nbsvm").fit(["good", "bad"], ["+", "-"])
    with pytest.raises(NotAdditiveError):
        _ = model + model


def test_the_sum_is_calibrated_as_the_larger_model_is() -> None:
    texts, labels = load_sample()
    large = NaiveBayes(calibrate=True).fit(texts[:400], labels[:400])
    small = NaiveBayes(calibrate=True).fit(texts[400:], labels[400:])
    plain = NaiveBayes().fit(texts[400:], labels[400:])
    assert large.calibration_ is not None
    assert small.calibration_ is not None
    expected = large.calibration_.aged(80)
    assert (large + small).calibration_ == (small + large).calibration_ == expected
    assert (large + plain).calibration_ == (plain + large).calibration_ == expected
    assert (small + NaiveBayes().fit(texts[:400], labels[:400])).calibration_ == small.calibration_.aged(400)
    assert (large + small - small).calibration_ == large.calibration_.aged(160)
    assert (0 + large).calibration_ == large.calibration_


def test_a_calibration_for_other_options_does_not_fit_the_sum() -> None:
    texts, labels = load_sample()
    one = NaiveBayes(calibrate=True).fit(texts, labels)
    assert (NaiveBayes(alpha=0.1).fit(texts, labels) + one).calibration_ is None
    assert (NaiveBayes(calibrate=False).fit(texts, labels) + one).calibration_ is None
    assert (NaiveBayes(prior="uniform").fit(texts[:9], labels[:9]) + one).calibration_ is not None


def test_a_merged_model_keeps_the_thresholds_that_were_chosen() -> None:
    texts, labels = load_sample()
    model = NaiveBayes(calibrate=True, thresholds="f1:positive").fit(texts, labels)
    both = model + NaiveBayes().fit(["so good"], ["positive"])
    assert both.thresholds_ == model.thresholds_ != {}
    model.prior = "uniform"
    assert model.thresholds_ == both.thresholds_, "they hold for any prior"

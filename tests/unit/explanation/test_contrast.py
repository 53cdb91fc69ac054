"""How strongly terms speak for one class against another."""

from __future__ import annotations

import math

import pytest
from likely import NaiveBayes
from likely.errors import LabelError
from likely.sample import load_sample

TEXTS, LABELS = ["goal match win", "vote law win", "stock rate win"], ["sport", "politics", "business"]


def test_the_ratios_of_all_terms_and_the_prior_give_the_odds() -> None:
    found = (
        NaiveBayes(prior={"sport": 0.5, "politics": 0.2, "business": 0.3}).fit(TEXTS, LABELS).explain("goal law win")
    )
    ratios = [each.ratio for each in found.contrast("sport", "politics")]
    odds = found.posterior["sport"] / found.posterior["politics"]
    assert math.prod(ratios) * 0.5 / 0.2 == pytest.approx(odds)


def test_the_strongest_come_first_and_the_classes_may_be_swapped() -> None:
    found = NaiveBayes().fit(TEXTS, LABELS).explain("win law goal goal")
    there = found.contrast("sport", "politics")
    assert [each.term for each in there] == ["goal", "law", "win"]
    back = found.contrast("politics", "sport")
    assert [each.log_ratio for each in back] == [-each.log_ratio for each in there]


def test_terms_that_are_impossible_in_both_classes_say_nothing() -> None:
    found = NaiveBayes(alpha=0).fit(TEXTS, LABELS).explain("goal stock")
    assert [(each.term, each.log_ratio) for each in found.contrast("sport", "politics")] == [
        ("goal", math.inf),
        ("stock", 0.0),
    ]
    assert found.contrast("sport", "politics")[0].ratio == math.inf


def test_unknown_classes_are_refused() -> None:
    found = NaiveBayes().fit(TEXTS, LABELS).explain("goal")
    with pytest.raises(LabelError, match="'sports' is not one of the classes"):
        found.contrast("sports", "politics")


def test_words_are_those_of_the_text_unless_the_term_says_more() -> None:
    model = NaiveBayes(stem="english", negation="on", entities={"numbers": "mask"}, spelling="on").fit(
        ["disappointing 3 terrible films", "not good"], ["-", "+"]
    )
    found = model.explain("Disappointed: 7 terible FILMS, not good").contrast("+", "-")
    assert {each.term: each.word for each in found} == {
        "disappoint": "Disappointed",
        "<number:9>": "<number:9>",
        "terribl": "terible",
        "film": "FILMS",
        "not": "not",
        "NOT_good": "NOT_good",
    }


def test_the_ratios_of_a_calibrated_model_give_its_calibrated_odds() -> None:
    texts, labels = load_sample()
    model = NaiveBayes(calibrate=True, ngrams=(1, 2)).fit(texts, labels)
    found = model.explain("Not a bad film, but the ending was a boring disappointment.")
    assert found.calibrated is not None
    assert 0 < found.factor < 1
    odds = found.calibrated["negative"] / found.calibrated["positive"]
    prior = (found.prior["negative"] / found.prior["positive"]) ** found.factor
    assert math.prod(each.ratio for each in found.contrast("negative", "positive")) * prior == pytest.approx(odds)
    raw = NaiveBayes(ngrams=(1, 2)).fit(texts, labels).explain(found.text)
    assert raw.factor == 1.0
    assert raw.contrast("negative", "positive")[0].ratio > found.contrast("negative", "positive")[0].ratio > 1

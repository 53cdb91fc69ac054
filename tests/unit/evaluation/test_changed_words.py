"""The words that explain a comparison: their evidence is that of the explanations, calibrated or not."""

from __future__ import annotations

import math

import pytest
from likely import NaiveBayes
from likely.evaluation.compare import Disagreement, changed_words
from likely.sample import load_sample

TEXTS = ["good fun", "good plot", "dull plot", "not good", "not fun"]
LABELS = ["+", "+", "-", "-", "-"]


def test_evidence_by_hand() -> None:
    words, pairs = (NaiveBayes(ngrams=(1, n)).fit(TEXTS, LABELS) for n in (1, 2))
    document = Disagreement(0, "not good", "-", "+", "-")
    found = changed_words([(document, words.explain("not good"), pairs.explain("not good"))])
    change = next(each for each in found if each.term == "not good")
    assert change.a == 0.0, "A does not know pairs of words"
    likelihood = pairs.explain("not good").terms
    expected = {each.term: math.log(each.likelihood["-"] / each.likelihood["+"]) for each in likelihood}
    assert change.b == pytest.approx(expected["not good"])
    assert change.documents == 1
    assert change.is_right_in_b
    assert all(each.effect > 0 for each in found)


def test_terms_of_the_other_side_speak_less_for_the_gold_label() -> None:
    words, pairs = (NaiveBayes(ngrams=(1, n)).fit(TEXTS, LABELS) for n in (1, 2))
    document = Disagreement(0, "not good", "+", "+", "-")
    found = changed_words([(document, words.explain("not good"), pairs.explain("not good"))])
    assert found
    assert all(each.effect < 0 and not each.is_right_in_b for each in found)


def test_an_abstention_or_an_unknown_class_explains_nothing() -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    explained = model.explain("good")
    assert changed_words([(Disagreement(0, "good", "+", None, "+"), explained, explained)]) == []
    assert changed_words([(Disagreement(0, "good", "+", "?", "+"), explained, explained)]) == []


def test_evidence_of_a_calibrated_model_is_calibrated() -> None:
    texts, labels = load_sample()
    model, other = NaiveBayes(calibrate=True).fit(texts, labels), NaiveBayes().fit(["good"], ["positive"])
    text = "The plot is broken and dull."
    explanation = model.explain(text)
    assert explanation.calibrated is not None
    document = Disagreement(0, text, "negative", "positive", "negative")
    found = changed_words([(document, other.explain(text), explanation)])
    calibrated = math.log(explanation.calibrated["negative"] / explanation.calibrated["positive"])
    raw = explanation.scores["negative"] - explanation.scores["positive"]
    most = next(each for each in found)
    of_term = next(each for each in explanation.terms if each.term == most.term)
    added = of_term.contribution["negative"] - of_term.contribution["positive"]
    assert most.b == pytest.approx(added * calibrated / raw)

"""How strong the evidence of each word is, as all reports show it."""

from __future__ import annotations

import math

import pytest
from likely import NaiveBayes
from likely.explanation.explanation import MOST_SHOWN, evidence_by_character, shown_classes, spread

TEXTS, LABELS = ["good good fun", "dull plot", "good plot"], ["+", "-", "+"]


def test_characters_have_the_evidence_of_their_words() -> None:
    explanation = NaiveBayes().fit(TEXTS, LABELS).explain("good: dull, good!")
    heights = evidence_by_character(explanation)
    by_term = {each.term: each.contribution for each in explanation.terms}
    good, dull = (by_term[term]["+"] - by_term[term]["-"] for term in ("good", "dull"))
    assert heights[:4] == heights[12:16] == [pytest.approx(good / 2)] * 4
    assert heights[6:10] == [pytest.approx(dull)] * 4
    assert heights[4:6] == heights[10:12] == [0.0, 0.0]
    assert good > 0 > dull


def test_the_rival_is_the_next_best_class() -> None:
    explanation = NaiveBayes().fit([*TEXTS, "so"], [*LABELS, "0"]).explain("good plot")
    assert (explanation.label, explanation.rival) == ("+", "-")
    alone = NaiveBayes().fit(["a"], ["x"]).explain("a")
    assert alone.rival is None
    assert evidence_by_character(alone) == [0.0]


def test_the_most_probable_of_many_classes_are_shown() -> None:
    labels = [f"c{at}" for at in range(MOST_SHOWN + 3)]
    explanation = NaiveBayes().fit([f"w{label}" for label in labels], labels).explain("wc7 wc7 wc8")
    assert shown_classes(explanation)[:2] == ["c7", "c8"]
    assert len(shown_classes(explanation)) == MOST_SHOWN
    few = NaiveBayes().fit(TEXTS, LABELS).explain("dull")
    assert shown_classes(few) == ["+", "-"], "few classes stay in their order"


def test_a_term_that_is_impossible_in_every_class_separates_none() -> None:
    model = NaiveBayes(alpha=0).fit(["a", "b"], ["x", "y"])
    (a,) = model.explain("a").terms
    assert spread(a, ["x", "y"]) == math.inf
    assert spread(a, ["y"]) == 0.0

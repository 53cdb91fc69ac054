"""How strong the evidence of each word is, as all reports show it."""

from __future__ import annotations

import math

from likely import NaiveBayes
from likely.explanation.explanation import MOST_SHOWN, shown_classes, spread

TEXTS, LABELS = ["good good fun", "dull plot", "good plot"], ["+", "-", "+"]


def test_the_rival_is_the_next_best_class() -> None:
    explanation = NaiveBayes().fit([*TEXTS, "so"], [*LABELS, "0"]).explain("good plot")
    assert (explanation.label, explanation.rival) == ("+", "-")
    alone = NaiveBayes().fit(["a"], ["x"]).explain("a")
    assert alone.rival is None


def test_the_most_probable_of_many_classes_are_shown() -> None:
    labels = [f"c{at}" for at in range(MOST_SHOWN + 3)]
    explanation = NaiveBayes().fit([f"w{label}" for label in labels], labels).explain("wc7 wc7 wc8")
    assert shown_classes(explanation)[:2] == ["c7", "c8"]
    assert len(shown_classes(explanation)) == MOST_SHOWN
    few = NaiveBayes().fit(TEXTS, LABELS).explain("dull")
    assert shown_classes(few) == ["-", "+"], "the predicted class comes first"


def test_a_term_that_is_impossible_in_every_class_separates_none() -> None:
    model = NaiveBayes(alpha=0).fit(["a", "b"], ["x", "y"])
    (a,) = model.explain("a").terms
    assert spread(a, ["x", "y"]) == math.inf
    assert spread(a, ["y"]) == 0.0

"""Evaluations as HTML."""

from __future__ import annotations

from likely import NaiveBayes, evaluate
from likely.reports.html.evaluation import MOST_CLASSES, evaluation_html

BAD = "<script>alert(1)</script>\"' \x1b[31m \u202e"


def test_the_headline_has_the_interval_and_the_baseline() -> None:
    page = evaluation_html(evaluate(["a", "a", "a", "b"], ["a", "a", "b", "b"]))
    assert "Accuracy 75.0 % (25.0 % to 100 %)" in page
    assert "Always answering a would give 75.0 %." in page
    assert page.count("average</i>") == 3


def test_the_matrix_is_blue_where_it_is_right_and_orange_where_it_is_wrong() -> None:
    page = evaluation_html(evaluate(["a", "a", "a", "a", "b"], ["a", "a", "a", "b", "b"]))
    assert 'rgba(0,114,178,0.52);" title="a as a: 3 documents, 75.0 % of a"' in page
    assert 'rgba(230,129,0,0.35);" title="a as b: 1 document, 25.0 % of a"' in page


def test_hostile_labels_are_harmless() -> None:
    page = evaluation_html(evaluate([BAD, "x", "x"], [BAD, BAD, "x"]))
    assert "<script" not in page
    assert not {"\x1b", "\u202e"} & set(page)


def test_many_classes_are_bounded_to_those_that_are_confused() -> None:
    labels = [f"c{at:04}" for at in range(3_000)]
    guesses = labels.copy()
    guesses[7], guesses[2_500] = "c0009", "c0009"
    page = evaluation_html(evaluate(labels, guesses))
    assert "These are the 3 of 3,000 classes that are confused most." in page
    assert "c2500 as c0009: 1 document" in page
    assert "and 2,980 more classes" in page
    assert page.count("<tr>") <= 2 * MOST_CLASSES + 6
    assert len(page) < 100_000


def test_abstentions_and_calibration_are_said() -> None:
    found = evaluate(["a", "a", "b"], ["a", None, "b"])
    page = evaluation_html(found)
    assert "66.7 % of the documents are answered; of these answers 100 % are right." in page
    assert "no answer" in page
    model = NaiveBayes().fit(["good", "bad"], ["+", "-"])
    assert "When it says 67 %" in evaluation_html(model.evaluate(["good", "bad"] * 40, ["+", "-"] * 40))

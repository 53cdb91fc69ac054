"""What notebooks show of evaluations, explanations and models."""

from __future__ import annotations

import re

from likely import NaiveBayes, evaluate
from likely.report.pages import MOST_CHARACTERS, MOST_IN_NOTEBOOK, evaluation_html, explanation_page, model_html

Reviews = tuple[list[str], list[str]]

BAD = "<script>alert(1)</script>\"' \x1b[31m \u202e"


def test_the_headline_has_the_interval_and_the_baseline() -> None:
    page = evaluation_html(evaluate(["a", "a", "a", "b"] * 10, ["a", "a", "b", "b"] * 10))
    page = page.replace("\u00a0", " ")
    assert "30 of 40 documents: 75.0%</b> (95% interval 62.5% to 87.5%)" in page
    assert "Always answering <bdi>a</bdi>, the most frequent class, would be right for 75.0%." in page
    assert [f'"row">{name}</th>' in page for name in ("macro", "weighted", "micro")] == [True] * 3


def test_a_handful_of_documents_has_no_estimate() -> None:
    page = evaluation_html(evaluate(["a", "b"] * 14, ["a"] * 28))
    assert "<b>14 of 28 documents</b> are right: too few yet to estimate an accuracy (at least 30)." in page
    assert "50.0%</b>" not in page


def test_the_matrix_is_blue_where_it_is_right_and_orange_where_it_is_wrong() -> None:
    page = evaluation_html(evaluate(["a", "a", "a", "a", "b"], ["a", "a", "a", "b", "b"]))
    assert '<td class="d5" title="labelled a, predicted a: 3 (75.0%)">3</td>' in page
    assert '<td class="e2" title="labelled a, predicted b: 1 (25.0%)">1</td>' in page


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
    assert "labelled c2500, predicted c0009: 1 (" in page
    assert "and 2,980 more classes" in page
    assert page.count("<tr>") <= 2 * MOST_IN_NOTEBOOK + 6
    assert len(page) < 100_000


def test_abstentions_and_calibration_are_said() -> None:
    found = evaluate(["a", "a", "b"], ["a", None, "b"])
    page = evaluation_html(found).replace("\u00a0", " ")
    assert "66.7% of the documents are answered; of these answers 100% are right." in page
    assert "no answer" in page
    model = NaiveBayes().fit(["good", "bad"], ["+", "-"])
    assert "At 67% confidence it is right" in evaluation_html(model.evaluate(["good", "bad"] * 40, ["+", "-"] * 40))


def test_html_highlights_the_words(reviews: Reviews) -> None:
    page = NaiveBayes().fit(*reviews).explain("fun & boring & fun")._repr_html_()
    assert page.count("<mark") == 3 + 2, "and two in the legend"
    assert "&amp;" in page
    assert '<mark class="p4">fun</mark>' in page
    assert re.search('<mark class="c[1-4]">boring</mark>', page)


def test_the_first_line_is_the_summary_and_the_table_has_the_terms(reviews: Reviews) -> None:
    explanation = NaiveBayes().fit(*reviews).explain("predictable with no fun")
    page = explanation._repr_html_()
    assert "-, 65.1%: &#34;predictable&#34; x1.7" in page
    assert page.count("<tr>") == 3 + 4, "two classes and three terms, each with a head"


def test_hostile_texts_and_labels_of_an_explanation_are_harmless() -> None:
    explanation = NaiveBayes().fit([BAD, "b"], [BAD, "&"]).explain(BAD)
    for page in (explanation._repr_html_(), explanation_page(explanation)):
        assert "<script" not in page
        assert not {"\x1b", "\u202e"} & set(page)


def test_long_texts_are_bounded() -> None:
    texts = [" ".join(f"w{at}" for at in range(9_000)), "other"]
    page = NaiveBayes().fit(texts, ["x", "y"]).explain(texts[0])._repr_html_()
    assert f"and {len(texts[0]) - MOST_CHARACTERS:,} more characters" in page
    assert "w8999" not in page


def test_one_class_and_no_known_word() -> None:
    assert "it is the only class" in NaiveBayes().fit(["a"], ["x"]).explain("a")._repr_html_()
    assert "the prior decides" in NaiveBayes().fit(["a", "b"], ["x", "y"]).explain("zzz")._repr_html_()


def test_a_model_shows_its_classes_words_and_options() -> None:
    model = NaiveBayes(alpha=0.5).fit([f"{BAD} good"] * 1_234 + ["b"], [BAD] * 1_234 + ["x"])
    page = model_html(model)
    assert "Naive Bayes model of 2 classes and" in page
    assert "alpha=0.5" in page
    assert "1,234" in page
    assert "<script" not in page
    assert not {"\x1b", "\u202e"} & set(page)


def test_other_records_are_text_only() -> None:
    model = NaiveBayes(calibrate=True).fit(["good fun", "so good", "bad", "bad end"], ["+", "+", "-", "-"])
    assert model.calibration_ is not None
    assert not hasattr(model.calibration_, "_repr_html_")

"""Explanations as HTML."""

from __future__ import annotations

from likely import NaiveBayes
from likely.reports.html.explanation import MOST_CHARACTERS, explanation_page

Reviews = tuple[list[str], list[str]]

BAD = "<script>alert(1)</script>\"' \x1b[31m \u202e"


def test_html_highlights_the_words(reviews: Reviews) -> None:
    page = NaiveBayes().fit(*reviews).explain("fun & boring & fun")._repr_html_()
    assert page.count("<mark") == 3 + 2, "and two in the legend"
    assert "&amp;" in page
    assert page.index("230,129,0") != page.index("0,114,178")


def test_the_first_line_is_the_summary_and_the_table_has_the_terms(reviews: Reviews) -> None:
    explanation = NaiveBayes().fit(*reviews).explain("predictable with no fun")
    page = explanation._repr_html_()
    assert "-, 65.1 %: &quot;predictable&quot; x1.7" in page
    assert page.count("<tr>") == 3 + 4, "two classes and three terms, each with a head"


def test_hostile_texts_and_labels_are_harmless() -> None:
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

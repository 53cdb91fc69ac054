"""Explanations as HTML."""

from __future__ import annotations

from likely import NaiveBayes

Reviews = tuple[list[str], list[str]]


def test_html_highlights_the_words(reviews: Reviews) -> None:
    page = NaiveBayes().fit(*reviews).explain("fun & boring & fun")._repr_html_()
    assert page.count("<mark") == 3
    assert "&amp;" in page
    assert page.index("218,54,51") != page.index("46,160,67")

"""Models as HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.reports.html.model import model_html, untrained_html

if TYPE_CHECKING:
    from likely.explanation.overview import ClassOverview

BAD = "<script>alert(1)</script>\"' \x1b[31m \u202e"


def test_classes_words_and_options_are_shown_and_escaped() -> None:
    one: ClassOverview = {
        "class": BAD,
        "documents": 1234.0,
        "tokens": 9.0,
        "weight": 1.0,
        "top_words": [{"term": BAD, "score": 1.0}, {"term": "good", "score": 0.5}],
    }
    page = model_html(f"alpha=0.5, stop_words={BAD}", 12_345, [one], 3, "When it says 90 %.")
    assert "Naive Bayes model of 3 classes and 12,345 terms" in page
    assert "1,234" in page
    assert "and 2 more classes" in page
    assert "When it says 90 %." in page
    assert "<script" not in page
    assert not {"\x1b", "\u202e"} & set(page)


def test_a_model_that_has_not_learned_says_so() -> None:
    assert "not trained yet" in untrained_html("alpha=0.5")

"""Models and single terms as text."""

from __future__ import annotations

from typing import Any

from likely import NaiveBayes
from likely.explanation.words import overview_text, term_text
from likely.options.model import with_defaults


def about(**changes: Any) -> Any:
    classes = [
        {
            "class": "+\x1b",
            "documents": 1234.0,
            "tokens": 5678.0,
            "weight": 1.0,
            "top_words": [{"term": "good\x07", "word": "good\x07"}, {"term": "fun", "word": "fun"}],
        }
    ]
    return {
        "path": "m.likely",
        "terms": 12345,
        "bytes": 67890,
        "options": with_defaults({}),
        "columns": None,
        "classes": classes,
        "dropped_terms": 0,
        "buckets": None,
        "thresholds": [],
    } | changes


def test_an_overview_says_what_there_is_and_nothing_of_what_there_is_not() -> None:
    text = overview_text(about(), 0)
    assert text.startswith("m.likely: 12,345 terms, 68 kB\ndefault options\n")
    assert "1,234" in text
    assert "+\\x1b: good\\x07, fun" in text
    assert not any(c in text for c in "\x1b\x07")
    for word in ("trained", "dropped", "bucket", "smaller classes", "weight"):
        assert word not in text


def test_an_overview_says_from_which_probability_a_class_is_predicted() -> None:
    text = overview_text(about(thresholds=[{"class": "spam\x1b", "threshold": 0.3}]), 0)
    assert "decision thresholds: spam\\x1b 0.3" in text


def test_an_overview_of_a_model_with_options_buckets_and_many_classes() -> None:
    options = with_defaults({"alpha": 0.5, "stop_words": [f"w{at}" for at in range(20)]})
    buckets = {"used": 10, "number": 1024, "collisions": 2.4}
    text = overview_text(about(options=options, dropped_terms=7, buckets=buckets), 1500)
    assert "alpha=0.5, stop_words=20 words" in text
    assert "7 terms were dropped from it" in text
    assert "10 of 1,024 buckets are in use; about 2 terms share a bucket with another term" in text
    assert "and 1,500 smaller classes" in text
    full = overview_text(about(buckets=buckets | {"collisions": None}), 0)
    assert "all are full, so use more hash_bits" in full


def test_a_term_that_was_never_learned_is_said_to_be() -> None:
    model = NaiveBayes().fit(["good fun", "bad"], ["+", "-"])
    assert "never learned" not in term_text("good", model._term_row("good"))
    assert term_text("zzz", model._term_row("zzz")).startswith("zzz was never learned.\n")


def test_an_overview_has_the_weights_of_the_classes_if_they_are_not_1() -> None:
    plain = about()["classes"][0]
    text = overview_text(about(classes=[plain | {"class": "spam", "weight": 2.5}, plain | {"weight": 0.625}]), 0)
    found = [line.split() for line in text.splitlines() if line.endswith(("weight", "2.5", "0.625"))]
    assert found == [
        ["documents", "tokens", "weight"],
        ["spam", "1,234", "5,678", "2.5"],
        ["+\\x1b", "1,234", "5,678", "0.625"],
    ]

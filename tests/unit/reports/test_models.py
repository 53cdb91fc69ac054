"""Models, terms, differences and texts for people."""

from __future__ import annotations

from typing import Any

from likely import NaiveBayes
from likely.analysis.steps import trace
from likely.explanation.comparison import difference
from likely.options.table import with_defaults
from likely.reports.models import difference_text, overview_text, term_text, trace_text


def about(**changes: Any) -> dict[str, Any]:
    classes = [
        {
            "class": "+\x1b",
            "documents": 1234.0,
            "tokens": 5678.0,
            "top_words": [{"term": "good\x07"}, {"term": "fun"}],
        }
    ]
    return {
        "path": "m.likely",
        "terms": 12345,
        "bytes": 67890,
        "options": with_defaults({}),
        "classes": classes,
        "dropped_terms": 0,
        "buckets": None,
    } | changes


def test_an_overview_says_what_there_is_and_nothing_of_what_there_is_not() -> None:
    text = overview_text(about(), 0)
    assert text.startswith("m.likely: 12,345 terms, 68 kB\ndefault options\n")
    assert "1,234" in text
    assert "+\\x1b: good\\x07, fun" in text
    assert not any(c in text for c in "\x1b\x07")
    for word in ("dropped", "bucket", "smaller classes"):
        assert word not in text


def test_an_overview_of_a_model_with_options_buckets_and_many_classes() -> None:
    options = with_defaults({"alpha": 0.5, "stop_words": [f"w{at}" for at in range(20)]})
    buckets = {"used": 10, "number": 1024, "collisions": 2.4}
    text = overview_text(about(options=options, dropped_terms=7, buckets=buckets), 1500)
    assert "alpha=0.5, stop_words=20 words" in text
    assert "7 terms were dropped from it" in text
    assert "10 of 1,024 buckets are in use; about 2 terms share theirs with another" in text
    assert "and 1,500 smaller classes" in text
    full = overview_text(about(buckets=buckets | {"collisions": None}), 0)
    assert "all are full, so raise hash_bits" in full


def test_a_term_that_was_never_learned_is_said_to_be() -> None:
    model = NaiveBayes().fit(["good fun", "bad"], ["+", "-"])
    assert "never learned" not in term_text("good", model.term_row("good"))
    assert term_text("zzz", model.term_row("zzz")).startswith("zzz was never learned.\n")


def test_the_way_of_a_text() -> None:
    text = trace_text(trace("So GOOD!", ngrams=(1, 2)))
    assert [line.split() for line in text.splitlines()[1:4]] == [
        ["So", "so", "lower-cased"],
        ["GOOD", "good", "lower-cased"],
        ["!", "-", "punctuation"],
    ]
    assert text.endswith("n-grams: so good")
    assert trace_text(trace("")) == "There is no term in it."
    model = NaiveBayes().fit(["good", "bad"], [1, 0])
    assert trace_text(trace("good zzz", model)).endswith("so left out: zzz")
    assert trace_text(trace("good", model)).endswith("so left out: none")


def test_differences_line_by_line() -> None:
    before, after = NaiveBayes().fit(["a"], ["x"]), NaiveBayes(alpha=0.5).fit(["a", "a b"], ["x", "y\x1b"])
    assert difference_text(difference(before, before)) == "The models are the same."
    lines = difference_text(difference(before, after)).splitlines()
    assert lines[:3] == [
        "alpha: 1.0 -> 0.5",
        "class y\\x1b: 0 -> 1 documents",
        "terms: 1 -> 2 (1 new, 0 gone); 2 counts changed",
    ]
    assert [line.split() for line in lines[-2:]] == [["a", "y\\x1b", "0", "1"], ["b", "y\\x1b", "0", "1"]]

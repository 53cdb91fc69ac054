"""How a text becomes terms, as text."""

from __future__ import annotations

from likely import NaiveBayes
from likely.core.analyzer import trace, trace_text


def test_the_way_of_a_text() -> None:
    text = trace_text(trace("So GOOD!", ngrams=(1, 2)))
    assert [line.split() for line in text.splitlines()[1:4]] == [
        ["So", "so", "lower-cased"],
        ["GOOD", "good", "lower-cased"],
        ["!", "-", "punctuation"],
    ]
    assert text.endswith("n-grams: so good")
    assert trace_text(trace("")) == "The text has no terms."
    model = NaiveBayes().fit(["good", "bad"], [1, 0])
    assert trace_text(trace("good zzz", model)).endswith("so ignored: zzz")
    assert trace_text(trace("good", model)).endswith("so ignored: none")

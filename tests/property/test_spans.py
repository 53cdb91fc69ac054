"""Law: the spans of terms cut the text."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from likely import analyze

from .conftest import options, texts


@given(texts, options)
def test_spans_cut_the_text(text: str, opts: dict[str, Any]) -> None:
    cut = {name: opts[name] for name in ("analyzer", "ngrams", "lowercase")}
    encoded = text.encode()
    ends = [0]
    for term in analyze(text, **cut):
        assert 0 <= term.start < term.end <= len(text)
        assert encoded[term.start_byte : term.end_byte].decode() == text[term.start : term.end]
        ends.append(term.end)
        if not cut["lowercase"] and cut["analyzer"] == "word" and cut["ngrams"] == (1, 1):
            assert text[term.start : term.end] == term.term
    assert ends == sorted(ends)

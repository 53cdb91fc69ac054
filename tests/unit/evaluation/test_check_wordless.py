"""Documents without any word."""

from __future__ import annotations

from likely.evaluation.check import terms_per_text, wordless_findings
from likely.reading.rows import Whole


def test_documents_without_words() -> None:
    texts = ["so good", "", "...", "one", "愛", "two words", "❤️", "a a"]
    whole = Whole(texts, ["x"] * len(texts))
    (empty,) = wordless_findings(whole, terms_per_text(texts), 2)
    assert (empty.kind, empty.serious, empty.rows, [each.row for each in empty.examples]) == (
        "empty",
        True,
        2,
        [1, 2],
    )
    assert "2 rows of 8 (25%) have no word" in empty.says


def test_all_have_words() -> None:
    texts = ["so good", "so bad"]
    assert not list(wordless_findings(Whole(texts, ["x", "y"]), terms_per_text(texts), 2))

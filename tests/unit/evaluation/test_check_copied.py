"""Copies, and equal texts with different labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.evaluation.check import copy_findings, terms_per_text
from likely.reading.rows import Whole

if TYPE_CHECKING:
    from likely.evaluation.check import Finding


def found(texts: list[str], labels: str) -> dict[str, Finding]:
    return {each.kind: each for each in copy_findings(Whole(texts, list(labels)), terms_per_text(texts) > 0, 3)}


def test_copies() -> None:
    findings = found(["so good", "bad", "So good!", "so, good"], "xyxx")
    assert list(findings) == ["copies"]
    assert (findings["copies"].rows, findings["copies"].serious) == (2, False)
    assert [(each.row, each.note) for each in findings["copies"].examples] == [
        (2, "a copy of row 1"),
        (3, "a copy of row 1"),
    ]


def test_contradictions() -> None:
    findings = found(["so good", "bad", "So good!", "fine", "fine", "dull"], "xyyzzy")
    assert findings["contradictions"].rows == 2
    assert findings["contradictions"].serious
    assert [each.row for each in findings["contradictions"].examples] == [0, 2]
    assert findings["copies"].rows == 2


def test_documents_without_words_are_not_copies() -> None:
    assert not found(["", "...", "", "one two"], "xyxy")

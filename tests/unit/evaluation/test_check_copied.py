"""Copies, equal texts with different labels, and near-copies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.evaluation.check import DataPlace, copy_findings
from likely.evaluation.near_copies import FingerprintMaker
from likely.reading.rows import Whole

if TYPE_CHECKING:
    from likely.evaluation.check import Finding

LONG = "a long enough sentence about a film that nobody has ever seen in any cinema of this small old town"


def found(texts: list[str], labels: str) -> dict[str, Finding]:
    prints = FingerprintMaker().add(texts).made()
    return {each.kind: each for each in copy_findings(Whole(texts, list(labels)), prints, DataPlace("x.csv"), 3)}


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


def test_near_copies() -> None:
    findings = found([LONG, LONG.replace("cinema", "theatre"), "bad", LONG.upper()], "xyyx")
    assert list(findings) == ["copies", "near-copies"]
    near = findings["near-copies"]
    assert (near.rows, near.serious) == (3, False)
    assert "3 of them in groups with different labels" in near.says
    assert "row 2 (y)" in near.examples[0].note


def test_documents_without_words_are_not_copies() -> None:
    assert not found(["", "...", "", "one two"], "xyxy")

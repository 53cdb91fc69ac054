"""Words that leak the label, as findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely import NaiveBayes
from likely.evaluation.check import leak_findings
from likely.reading.rows import Whole
from likely.sample import load_sample

if TYPE_CHECKING:
    from likely.evaluation.check import Finding

TEXTS, LABELS = load_sample()


def found(mark: str) -> list[Finding]:
    """The findings if a mark is in half of the positive texts."""
    texts = [
        f"{text} {mark}" if label == "positive" and at % 4 else text
        for at, (text, label) in enumerate(zip(TEXTS, LABELS, strict=True))
    ]
    counts = NaiveBayes().fit(texts, LABELS)._snapshot().counts
    return list(leak_findings(Whole(texts, list(LABELS)), counts, 2))


def test_a_word() -> None:
    (finding,) = found("id42")
    assert finding.serious
    assert finding.says.startswith("'id42' alone predicts positive")
    assert "--stop-words id42" in finding.fix
    assert all(each.label == "positive" for each in finding.examples)
    assert len(finding.examples) == 2


def test_words_of_one_class_are_one_finding() -> None:
    (finding,) = found("id42 id43")
    assert "and so do 'id43'" in finding.says
    assert "--stop-words id42,id43" in finding.fix


def test_nothing_leaks() -> None:
    assert not found("")

"""The contrast of two classes, character by character, agrees with the evidence of all reports."""

from __future__ import annotations

import pytest
from likely import NaiveBayes
from likely.explanation.explanation import evidence_by_character
from likely.reports.page.contrast import INFINITE, contrast_by_character

TEXTS, LABELS = ["good good fun", "dull plot", "good plot"], ["+", "-", "+"]


def test_the_contrast_of_the_decision_and_its_rival_is_the_evidence() -> None:
    explanation = NaiveBayes(ngrams=(1, 2)).fit(TEXTS, LABELS).explain("good plot: dull, good plot!")
    other = explanation.rival
    assert other is not None
    found = contrast_by_character(explanation, explanation.label, other)
    assert found.tolist() == pytest.approx(evidence_by_character(explanation), abs=1e-12)
    assert contrast_by_character(explanation, other, explanation.label).tolist() == pytest.approx((-found).tolist())


def test_an_impossible_term_has_bounded_evidence() -> None:
    explanation = NaiveBayes(alpha=0).fit(["good", "dull"], ["+", "-"]).explain("good dull")
    assert contrast_by_character(explanation, "+", "-").tolist() == [INFINITE] * 4 + [0.0] + [-INFINITE] * 4

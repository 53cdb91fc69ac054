"""How an evaluation was measured, in sentences."""

from __future__ import annotations

from dataclasses import replace

import likely
from likely.evaluation.evaluation import source_text

PLAIN = likely.evaluate(["a", "b"], ["a", "b"])


def test_a_test_set_needs_no_words() -> None:
    assert source_text(PLAIN) == ""


def test_the_spread_over_folds() -> None:
    found = source_text(replace(PLAIN, folds=[0.5, 0.7, 0.9]))
    assert found == "Accuracy in the 3 folds: 50.0% to 90.0%."
    assert source_text(replace(PLAIN, folds=[0.5])) == ""


def test_notes_cannot_control_a_terminal() -> None:
    assert source_text(replace(PLAIN, notes=["not tested: \x1b[31m"])) == "not tested: \\x1b[31m"

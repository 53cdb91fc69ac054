"""Examples of findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.evaluation.check import CheckExample, Finding, examples_of
from likely.reading.rows import Whole

if TYPE_CHECKING:
    import pytest


def test_examples_are_few() -> None:
    whole = Whole(["a", "b", "c"], ["x", "y", "z"])
    assert [each.text for each in examples_of(whole, iter([2, 0, 1]), 2)] == ["c", "a"]


def test_texts_are_cut_to_the_terminal_and_labels_leave_them_room(monkeypatch: pytest.MonkeyPatch) -> None:
    example = CheckExample(0, "a label " * 20, "many words " * 30)
    for columns in (60, 160):
        monkeypatch.setenv("COLUMNS", str(columns))
        line = str(Finding("copies", False, 1, "One.", "look", [example])).splitlines()[1]
        assert len(line) == columns
        assert "many words" in line

"""What was found in labelled texts, for people."""

from __future__ import annotations

from likely.evaluation.check import CheckExample, DataCheck, Finding
from likely.terminal import display_width

LONG = CheckExample(7, "\x1b[31mred", "字" * 90, "a note")
FINDING = Finding("copies", True, 2, "Something \x1b[31m was found. " * 5, "likely train 'a b.csv' -o MODEL", [LONG])


def test_it_fits_a_terminal_and_cannot_control_it() -> None:
    text = str(DataCheck(1200, {f"class {at}": 100 for at in range(12)}, [FINDING], ["One note."]))
    assert "\x1b" not in text
    assert max(display_width(line) for line in text.splitlines()) <= 80
    assert text.startswith("1,200 rows of 12 classes: class 0 100, ")
    assert "and 4 more" in text
    assert "SERIOUS  Something" in text
    assert "row 8 (" in text
    assert "  -> likely train 'a b.csv' -o MODEL" in text
    assert "1 finding, 1 serious." in text
    assert text.endswith("One note.")


def test_nothing_was_found() -> None:
    text = str(DataCheck(2, {"a": 1, "b": 1}, [], []))
    assert text == "2 rows of 2 classes: a 1, b 1.\n\nNo problems found."

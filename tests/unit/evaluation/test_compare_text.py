"""The text of a comparison: what it says, and that it fits 80 columns."""

from __future__ import annotations

from tests.unit.evaluation.comparing import compare_labels

GOLD = [f"class {at % 30}" for at in range(3000)]


def test_what_it_says() -> None:
    wrong = ["class 1" if at < 200 else label for at, label in enumerate(GOLD)]
    found = compare_labels(GOLD, wrong, GOLD, [f"text {at}" for at in range(3000)])
    shown = str(found)
    assert "Only A is right on 0 documents, only B on 193" in shown
    assert "McNemar's test (exact): p < 0.0001.\nB is significantly more accurate than A." in shown
    assert "20 more classes changed." in shown
    assert "row 1: class 0, not class 1\n    text 0" in shown
    assert "1,000 replicates, seed" in shown
    assert max(map(len, shown.splitlines())) <= 80


def test_nothing_changed() -> None:
    shown = str(compare_labels(GOLD, GOLD, GOLD))
    assert "Both are right on the same documents." in shown
    assert "Classes that changed" not in shown
    assert "for example" not in shown

"""How two models differ, as text."""

from __future__ import annotations

from likely import NaiveBayes


def test_differences_line_by_line() -> None:
    before, after = NaiveBayes().fit(["a"], ["x"]), NaiveBayes(alpha=0.5).fit(["a", "a b"], ["x", "y\x1b"])
    assert str(before.difference(before)) == "The models are the same."
    lines = str(before.difference(after)).splitlines()
    assert lines[:3] == [
        "alpha: 1.0 -> 0.5",
        "class y\\x1b: 0 -> 1 documents",
        "terms: 1 -> 2 (1 new, 0 gone); 2 counts changed",
    ]
    assert [line.split() for line in lines[-2:]] == [["a", "y\\x1b", "0", "1"], ["b", "y\\x1b", "0", "1"]]

"""Class sizes that make trouble."""

from __future__ import annotations

from likely.evaluation.check import size_findings
from likely.reading.rows import Whole


def found(sizes: dict[str, int]) -> list[tuple[str, bool, int]]:
    labels: list[str | int | bool] = [label for label, rows in sizes.items() for _ in range(rows)]
    whole = Whole([f"text {at}" for at in range(len(labels))], labels)
    return [(each.kind, each.serious, each.rows) for each in size_findings(whole, 3)]


def test_sizes() -> None:
    assert found({"a": 20, "b": 10}) == []
    assert found({"a": 20}) == [("classes", True, 20)]
    assert found({"a": 20, "b": 9, "c": 1}) == [("classes", False, 10)]
    assert found({"a": 1000, "b": 10}) == [("balance", False, 1010)]


def test_the_smallest_classes_are_named_with_their_first_rows() -> None:
    whole = Whole(["t"] * 24, [*["a"] * 20, "b", "c", "b", "c"])
    (finding,) = size_findings(whole, 3)
    assert "b 2, c 2" in finding.says
    assert [each.row for each in finding.examples] == [20, 21]

"""A comparison: its figures, its verdict and its plain data."""

from __future__ import annotations

import json

import pytest
from likely.evaluation.compare import LONGEST

from tests.unit.evaluation.comparing import compare_labels

GOLD = ["x"] * 60 + ["y"] * 40


def answers(wrong: int, start: int = 0) -> list[str]:
    """Predictions that are wrong in some rows, from a row on."""
    other = {"x": "y", "y": "x"}
    return [other[label] if start <= at < start + wrong else label for at, label in enumerate(GOLD)]


def test_figures() -> None:
    found = compare_labels(GOLD, answers(20), answers(5, start=18))
    assert (found.mcnemar.only_first, found.mcnemar.only_second) == (3, 18)
    assert (found.both_right, found.neither_right, found.documents) == (77, 2, 100)
    assert found.a.accuracy == 0.8
    assert found.differences.accuracy == pytest.approx(0.15)
    interval = found.intervals["accuracy"]
    assert 0 < interval.low < 0.15 < interval.high


def test_verdicts() -> None:
    assert compare_labels(GOLD, answers(20), answers(5)).verdict == "B is significantly more accurate than A"
    worse = compare_labels(GOLD, answers(5), answers(20))
    assert worse.verdict == "B is significantly less accurate than A"
    assert worse.is_worse
    chance = compare_labels(GOLD, answers(5), answers(7))
    assert chance.verdict == "the difference may be chance"
    assert not chance.is_worse
    assert compare_labels(GOLD, answers(5), answers(5)).verdict == "both are right on the same documents"


def test_classes_that_changed_most_come_first() -> None:
    found = compare_labels([*GOLD, "z"], [*answers(20), "z"], [*GOLD, "z"]).per_class
    assert {found[0].label, found[1].label} == {"x", "y"}
    assert found[2].mistakes == 0
    change = next(each for each in found if each.label == "x")
    assert change.measure("recall")["difference"] == pytest.approx(1 / 3)
    assert change.mistakes == -20
    never = compare_labels(["x", "y"], ["x", "x"], ["x", "y"]).per_class
    change = next(each for each in never if each.label == "y")
    assert change.measure("precision") == {"a": None, "b": 1.0, "difference": None}, "A never predicts it"


def test_plain_data() -> None:
    found = compare_labels(["x", "y"], ["x", None], ["y", "y"], ["so " * 1000, "good"])
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert [len(each["text"]) for each in document["examples"]] == [LONGEST, 4]
    assert document["examples"][1]["a"] is None
    assert document["mcnemar"] == {"p_value": 1.0, "exact": True}
    assert document["accuracy"]["difference"] == 0.0

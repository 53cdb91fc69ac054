"""Predictions in batches: the batches do not matter, what is kept is bounded, and wrong input is refused."""

from __future__ import annotations

import pytest
from likely.errors import ArgumentError, LabelError
from likely.evaluation.compare import MOST_KEPT, Pairing

from tests.unit.evaluation.comparing import compare_labels


def test_batches_do_not_matter() -> None:
    gold = ["x", "y", "z"] * 200
    a, b = ["x", "y", "y"] * 200, ["x", "z", "z"] * 200
    pairing = Pairing()
    for start in range(0, 600, 70):
        part = slice(start, start + 70)
        pairing.add(gold[part], a[part], b[part], gold[part])
    found, whole = pairing.comparison(), compare_labels(gold, a, b, gold)
    assert found.to_dict() == whole.to_dict()
    assert [each.row for each in found.disagreements[:4]] == [1, 2, 4, 5]


def test_what_is_kept_is_bounded() -> None:
    number = 5 * MOST_KEPT
    found = compare_labels(["x"] * number, ["x"] * number, ["y"] * number)
    assert len(found.disagreements) == MOST_KEPT
    assert found.disagreements[-1].row > 0.98 * number
    assert found.disagreements[0].text is None


def test_lengths_must_agree() -> None:
    with pytest.raises(ArgumentError, match="B has 1 predictions for 2 gold labels"):
        compare_labels(["x", "y"], ["x", "y"], ["x"])
    with pytest.raises(ArgumentError, match="no documents"):
        compare_labels([], [], [])
    with pytest.raises(LabelError, match="of type int"):
        compare_labels(["x"], [1], ["x"])


def test_an_abstention_by_name_is_no_class_unless_it_is_a_gold_label() -> None:
    pairing = Pairing("unsure")
    pairing.add(["x", "y"], ["x", "unsure"], ["x", "y"])
    found = pairing.comparison()
    assert found.labels == ["x", "y"]
    assert found.first.tolist() == [0, -1]
    pairing.add(["unsure"], ["unsure"], ["x"])
    assert pairing.comparison().labels == ["unsure", "x", "y"]

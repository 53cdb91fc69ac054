"""Thresholds of all classes: each single one is the best, if the others stay."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import pytest
from likely.core.decisions import (
    FEWEST,
    Moves,
    Unseen,
    decided,
    decision_of,
    macro_f1,
    relative_thresholds,
    saved_costs,
)
from likely.evaluation.evaluation import from_confusion

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.types import Array, Label

LABELS: list[Label] = ["a", "b", "c"]
MATRIX = np.array([[0.0, 1.0, 4.0], [2.0, 0.0, 1.0], [9.0, 1.0, 0.0]])
COSTS = partial(saved_costs, MATRIX)


def unseen(seed: int, documents: int = 60) -> Unseen:
    random = np.random.default_rng(seed)
    gold = random.choice(3, documents, p=[0.7, 0.2, 0.1])
    scores = random.normal(size=(documents, 3)) + np.eye(3)[gold] + np.log([0.7, 0.2, 0.1])
    logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    return Unseen(logs, gold, random.integers(1, 3, documents).astype(np.float64), LABELS)


def value(measure: Callable[[Moves], Array], of: Unseen, thresholds: dict[Label, float]) -> float:
    predicted = decided(of.log_probabilities, decision_of(thresholds, LABELS))
    confusion = np.zeros((3, 3))
    np.add.at(confusion, (of.gold, predicted), of.weights)
    if measure is COSTS:
        return -float((confusion * MATRIX).sum())
    tables = from_confusion(LABELS, confusion).per_class.values()
    return float(np.mean([table.f() or 0.0 for table in tables if table.tp + table.fn]))


@pytest.mark.parametrize("measure", [macro_f1, COSTS], ids=["macro-f1", "costs"])
@pytest.mark.parametrize("seed", range(5))
def test_no_other_threshold_of_one_class_is_better(measure: Callable[[Moves], Array], seed: int) -> None:
    of = unseen(seed)
    found = relative_thresholds(of, measure, FEWEST)
    assert sum(found.values()) == pytest.approx(1)
    best = value(measure, of, found)
    assert best > value(measure, of, {})
    for label in LABELS:
        for factor in np.exp(np.linspace(-4, 4, 161)):
            other = found | {label: found[label] * factor}
            assert value(measure, of, other) <= best + 1e-9


def test_the_measures_follow_the_documents_that_move() -> None:
    of = unseen(9)
    found = relative_thresholds(of, partial(saved_costs, np.zeros((3, 3))), FEWEST)
    assert found == pytest.approx(dict.fromkeys(LABELS, 1 / 3))  # nothing costs anything, so nothing changes


def test_with_two_classes_the_threshold_is_the_probability_at_which_costs_are_equal() -> None:
    random = np.random.default_rng(3)
    shares = random.uniform(0.001, 0.999, 20_000)
    gold = (random.uniform(size=len(shares)) < shares).astype(np.intp)
    of = Unseen(np.log(np.stack([1 - shares, shares], axis=1)), gold, np.ones(len(gold)), ["ham", "spam"])
    found = relative_thresholds(of, partial(saved_costs, np.array([[0.0, 4.0], [1.0, 0.0]])), FEWEST)
    assert found["spam"] == pytest.approx(0.8, abs=0.03)  # 4 / (4 + 1)


def test_a_class_with_few_documents_keeps_its_threshold() -> None:
    of = unseen(1)
    few = np.flatnonzero(of.gold == 2)[:4]
    rows = np.concatenate([np.flatnonzero(of.gold != 2), few])
    small = Unseen(of.log_probabilities[rows], of.gold[rows], of.weights[rows], LABELS)
    assert relative_thresholds(small, macro_f1, 1_000) == pytest.approx(dict.fromkeys(LABELS, 1 / 3))
    found = relative_thresholds(small, macro_f1, FEWEST)
    assert found["c"] == pytest.approx(1 / 3 / (1 / 3 + (found["a"] + found["b"]) / found["c"] / 3))


def test_a_class_that_is_best_never_predicted_leaves_the_others_their_thresholds() -> None:
    random = np.random.default_rng(1999)
    shares, gold = random.dirichlet([1, 1, 1], 18), np.arange(18) % 3
    labels: list[Label] = ["a", "b", "c"]
    matrix = np.array([[0.0, 50.0, 1.0], [0.0, 0.0, 0.0], [5.0, 50.0, 0.0]])
    found = relative_thresholds(Unseen(np.log(shares), gold, np.ones(18), labels), partial(saved_costs, matrix), 1)
    bounds = np.array([found[label] for label in labels])
    assert matrix[gold, (shares / bounds).argmax(axis=1)].sum() <= 6

"""Documents in the order of a score: areas are those of definitions."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.evaluation.ranking import Ranked, ranked

documents = st.lists(st.tuples(st.integers(0, 6), st.booleans()), min_size=2, max_size=25).filter(
    lambda some: len({positive for _, positive in some}) == 2
)


def of(some: list[tuple[int, bool]]) -> Ranked:
    return ranked(np.array([score for score, _ in some], np.float64), np.array([each for _, each in some]))


@given(documents)
def test_the_area_is_how_often_one_inside_ranks_above_one_outside(some: list[tuple[int, bool]]) -> None:
    inside = [score for score, positive in some if positive]
    outside = [score for score, positive in some if not positive]
    wins = sum((one > other) + (one == other) / 2 for one in inside for other in outside)
    assert of(some).roc_auc == pytest.approx(wins / len(inside) / len(outside), rel=1e-12)


@given(documents)
def test_average_precision_is_the_mean_precision_at_the_documents_inside(some: list[tuple[int, bool]]) -> None:
    precisions = []
    for score, positive in some:
        at_or_above = [each for other, each in some if other >= score]
        precisions += [sum(at_or_above) / len(at_or_above)] if positive else []
    assert of(some).average_precision == pytest.approx(np.mean(precisions), rel=1e-12)


def test_curves_where_a_class_is_everywhere_or_nowhere() -> None:
    nowhere = ranked(np.log([0.9, 0.1]), np.array([False, False]))
    assert np.isnan(nowhere.roc_curve().true_positive_rate).all()
    assert nowhere.precision_recall_curve().precision.tolist() == [0.0, 0.0, 1.0]
    everywhere = ranked(np.log([0.9, 0.1]), np.array([True, True]))
    assert np.isnan(everywhere.roc_curve().false_positive_rate).all()
    assert everywhere.average_precision == 1.0


def test_impossible_scores_are_last() -> None:
    found = ranked(np.array([-np.inf, 0.0, -np.inf]), np.array([False, True, False]))
    assert found.roc_auc == 1.0
    assert found.roc_curve().thresholds.tolist() == [np.inf, 1.0, 0.0]

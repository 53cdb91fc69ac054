"""Thresholds that suit a wish, compared with trying all of them."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.core.calibration import Calibration
from likely.core.decisions import FEWEST, Unseen, choose_thresholds, cuts, decision_of
from likely.core.leave_one_out import LeftOut
from likely.errors import OptionError

DOCUMENTS = st.lists(st.tuples(st.integers(1, 9), st.booleans(), st.integers(1, 3)), min_size=FEWEST, max_size=30)


def of(rows: list[tuple[int, bool, int]]) -> Unseen:
    """Documents of 'ham' and 'spam': the tenths of P(spam), whether it is spam, the weight."""
    shares, spam, weights = map(np.array, zip(*rows, strict=True))
    logs = np.log(np.stack([10 - shares, shares], axis=1) / 10)
    return Unseen(logs, spam.astype(np.intp), weights.astype(np.float64), ["ham", "spam"])


def spam_measures(unseen: Unseen, threshold: float) -> tuple[float, float, float]:
    """F1, precision and the weight of the predicted documents, by counting."""
    predicted = np.exp(unseen.log_probabilities[:, 1]) >= threshold
    found = unseen.weights[predicted & (unseen.gold == 1)].sum()
    said, there = unseen.weights[predicted].sum(), unseen.weights[unseen.gold == 1].sum()
    return 2 * found / (said + there), found / said if said else 0.0, said


def enough_spam(unseen: Unseen) -> bool:
    return int((unseen.gold == 1).sum()) >= FEWEST


@given(DOCUMENTS)
def test_the_f1_is_the_best_of_all_thresholds(rows: list[tuple[int, bool, int]]) -> None:
    unseen = of(rows)
    if not enough_spam(unseen):
        with pytest.raises(OptionError, match=r"only \d documents of the class 'spam'"):
            choose_thresholds("f1:spam", unseen)
        return
    found = choose_thresholds("f1:spam", unseen)
    best = max(spam_measures(unseen, threshold)[0] for threshold in np.arange(0.05, 1, 0.1))
    assert spam_measures(unseen, found["spam"])[0] == pytest.approx(best)
    assert list(found) == ["spam"]
    predicted = decision_of(found, unseen.labels)
    assert predicted is not None
    assert 0 < found["spam"] < 1


@given(DOCUMENTS, st.sampled_from([0.5, 0.8, 0.95, 1]))
def test_the_precision_is_reached_with_the_lowest_threshold(rows: list[tuple[int, bool, int]], least: float) -> None:
    unseen = of(rows)
    if not enough_spam(unseen):
        return
    reached = [
        threshold
        for threshold in np.arange(0.05, 1, 0.1)
        if spam_measures(unseen, threshold)[1] >= least and spam_measures(unseen, threshold)[2] >= FEWEST
    ]
    if not reached:
        with pytest.raises(OptionError, match="out of reach for the class 'spam': the best is 0"):
            choose_thresholds(f"precision:spam={least}", unseen)
        return
    found = choose_thresholds(f"precision:spam={least}", unseen)["spam"]
    assert spam_measures(unseen, found)[1] >= least
    assert spam_measures(unseen, found) == spam_measures(unseen, min(reached))


def test_a_threshold_is_midway_between_two_documents_with_few_digits() -> None:
    found = cuts(np.array([0.81, 0.8, 0.2]), np.array([True, True, False]), np.ones(3), np.zeros(3, bool))
    assert [found.threshold(at) for at in range(4)] == [0.91, 0.805, 0.5, 0.1]
    narrow = cuts(np.array([0.3, np.nextafter(0.3, 0)]), np.array([True, False]), np.ones(2), np.zeros(2, bool))
    assert np.nextafter(0.3, 0) <= narrow.threshold(1) <= 0.3


def test_documents_that_are_alone_in_their_class_are_left_out() -> None:
    joint = np.array([[-1.0, -2.0], [-np.inf, -1.0]])
    for calibration in (None, Calibration(0.5, 0.0, 0.0)):
        found = Unseen.of(LeftOut(joint, np.ones(2)), np.array([0, 0]), calibration, ["a", "b"])
        assert found.gold.tolist() == [0]
        np.testing.assert_allclose(np.exp(found.log_probabilities).sum(axis=1), 1)


def test_a_class_that_does_not_exist_is_named() -> None:
    unseen = of([(5, True, 1)] * 9)
    with pytest.raises(OptionError, match="did you mean 'spam'"):
        choose_thresholds("f1:spma", unseen)
    with pytest.raises(OptionError, match="'egg'"):
        choose_thresholds({("ham", "egg"): 1}, unseen)


def test_a_threshold_out_of_reach_is_not_chosen() -> None:
    logs = np.log(np.array([[1, 1e-20]] * 6 + [[1, 1e-14]] * 6 + [[0.5, 0.5]] * 6))
    gold = np.array([0] * 6 + [1] * 12)
    found = choose_thresholds("f1:spam", Unseen(logs, gold, np.ones(18), ["ham", "spam"]))
    assert found["spam"] > 1e-6
    light = Unseen(logs, gold, np.full(18, 0.01), ["ham", "spam"])
    assert light.of_class("spam").documents == 12

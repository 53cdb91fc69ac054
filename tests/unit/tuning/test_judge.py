"""What a trial is worth, and which of two is better."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from likely.core.calibration import calibrate
from likely.core.leave_one_out import LeftOut
from likely.errors import OptionError
from likely.training.material import BETWEEN_ALPHAS, SIGNIFICANT, Goal, Judged, judge

GOLD = np.array([0] * 30 + [1] * 20)
LABELS: list[Any] = ["ham", "spam"]


def left_out(wrong: list[int]) -> LeftOut:
    """Scores that are right of all documents but some."""
    guess = GOLD.copy()
    guess[wrong] = 1 - guess[wrong]
    return LeftOut(np.where(np.eye(2)[guess] > 0, 0.0, -3.0), np.full(len(GOLD), 10.0))


def judged(wrong: list[int], goal: str = "auto") -> Judged:
    """A trial that is right of all documents but some."""
    return judge(left_out(wrong), GOLD, LABELS, {"alpha": 0.5}, "leave-one-out", Goal(goal))


def test_the_figures_are_those_of_the_answers() -> None:
    found = judged([0, 1, 30])
    assert found.trial.accuracy == pytest.approx(47 / 50)
    ham, spam = 2 * 28 / (30 + 29), 2 * 19 / (20 + 21)
    assert found.trial.macro_f1 == pytest.approx((ham + spam) / 2)
    assert found.trial.options == {"alpha": 0.5}
    assert found.right.tolist() == [at not in (0, 1, 30) for at in range(50)]
    assert found.trial.log_loss == calibrate(left_out([0, 1, 30]), GOLD).after["log_loss"]


@pytest.mark.parametrize(
    ("goal", "name"),
    [("auto", "log_loss"), ("log-loss", "log_loss"), ("accuracy", "accuracy"), ("macro-f1", "macro_f1")],
)
def test_the_value_is_what_was_asked_for(goal: str, name: str) -> None:
    trial = judged([0, 30], goal).trial
    assert trial.value == (-trial.log_loss if name == "log_loss" else getattr(trial, name))


def test_the_f1_of_one_class() -> None:
    assert judged([0, 1, 30], "f1:spam").trial.value == pytest.approx(2 * 19 / (20 + 21))
    with pytest.raises(OptionError, match="there is no class 'eggs'"):
        judged([], "f1:eggs")


def test_the_f1_of_one_class_is_that_of_the_best_threshold() -> None:
    shy = LeftOut(np.where(np.eye(2)[GOLD] > 0, -1.0, [[0.0, -5.0]]), np.full(len(GOLD), 10.0))
    assert (shy.joint.argmax(axis=1) == 0).all()  # spam is never the most probable class, but always more probable
    found = judge(shy, GOLD, LABELS, {}, "leave-one-out", Goal("f1:spam"))
    assert found.trial.value == 1.0
    assert found.trial.accuracy == 30 / 50


@pytest.mark.parametrize("goal", ["recall", "", "F1:spam"])
def test_other_goals_are_refused(goal: str) -> None:
    with pytest.raises(OptionError, match="tune="):
        Goal(goal)


def test_a_surplus_is_counted_in_standard_errors() -> None:
    few, many = judged([0]), judged(list(range(10)))
    assert few.surplus(many) == pytest.approx(9 / 3)
    assert many.surplus(few) == pytest.approx(-3)
    assert few.surplus(few) == 0
    assert judged([0]).surplus(judged([1])) == 0


def test_what_is_significantly_more_often_right_is_better_whatever_the_log_loss() -> None:
    goal = Goal()
    right, wrong = judged([0]), judged(list(range(12)))
    assert goal.better(right, wrong)
    assert not goal.better(wrong, right)
    assert goal.best([wrong, right]) is right
    near = judged([0, 1])
    assert goal.best([near, right]) is max((near, right), key=lambda each: each.trial.value)
    assert not goal.better(right, right)


def test_hopeless_is_what_another_alpha_would_not_make_good() -> None:
    goal = Goal()
    best, close, bad = judged([0]), judged([0, 1]), judged(list(range(25)))
    assert goal.is_hopeless(bad, best)
    assert not goal.is_hopeless(best, best)
    assert goal.exceeds(best, bad)
    assert not goal.exceeds(bad, best)
    assert goal.exceeds(close, best), "one standard error is allowed"
    assert not Goal("accuracy").exceeds(close, best), "unless a measure was asked for"


def test_between_two_alphas_less_evidence_is_needed() -> None:
    one, other = judged([0, 1, 2]), judged([3, 4, 5, 6, 7, 8, 9, 10, 11])
    assert BETWEEN_ALPHAS < one.surplus(other) < SIGNIFICANT
    worse = replace(one, trial=replace(one.trial, value=other.trial.value - 1))
    assert Goal().better(worse, other, BETWEEN_ALPHAS)
    assert not Goal().better(worse, other)

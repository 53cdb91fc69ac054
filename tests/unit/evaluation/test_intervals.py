"""Intervals contain their values, are the same each time, and are those of samples of documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import evaluate
from likely.evaluation.intervals import FEWEST_REPLICATES, REPLICATES, replicates_for
from likely.evaluation.measures import measures_of

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation

CLASSES = ["a", "b", "c"]
documents = st.lists(
    st.tuples(st.sampled_from(CLASSES), st.none() | st.sampled_from(CLASSES), *[st.integers(0, 9)] * 3),
    min_size=1,
    max_size=30,
)


def of(some: list[tuple[str, str | None, int, int, int]]) -> Evaluation:
    weights = np.array([each[2:] for each in some], np.float64) + 0.1
    probabilities = weights / weights.sum(axis=1, keepdims=True)
    gold, predicted = [each[0] for each in some], [each[1] for each in some]
    return evaluate(gold, predicted, probabilities=probabilities, classes=CLASSES)


def values_of(found: Evaluation) -> dict[str, float | None]:
    return {
        "accuracy": found.accuracy,
        "balanced_accuracy": found.balanced_accuracy,
        "macro_f": found.macro.f,
        "micro_f": found.micro.f,
        "weighted_f": found.weighted.f,
        "matthews": found.matthews,
        "kappa": found.kappa,
        "accuracy_of_answered": found.accuracy_of_answered,
    }


@given(documents)
def test_an_interval_contains_its_value(some: list[tuple[str, str | None, int, int, int]]) -> None:
    found = of(some)
    values = values_of(found)
    assert {name for name, value in values.items() if value is not None} == set(found.intervals)
    for name, interval in found.intervals.items():
        value = values[name]
        assert value is not None
        assert interval.low - 1e-12 <= value <= interval.high + 1e-12


def test_the_same_documents_have_the_same_intervals() -> None:
    some: list[tuple[str, str | None, int, int, int]]
    some = [("a", "a", 5, 1, 1), ("b", "a", 4, 3, 2), ("c", "c", 1, 1, 9)] * 5
    assert repr(of(some).intervals) == repr(of(some).intervals)


def drawn(number: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Gold labels, predictions and probabilities of a classifier that is right about 70% of the time."""
    rng = np.random.default_rng(5)
    gold = rng.choice(3, number, p=[0.6, 0.3, 0.1])
    scores = rng.normal(0, 1, (number, 3))
    scores[np.arange(number), gold] += 1.5
    probabilities = np.exp(scores) / np.exp(scores).sum(axis=1, keepdims=True)
    return gold, probabilities.argmax(axis=1), probabilities


def test_intervals_are_those_of_samples_of_documents() -> None:
    gold, predicted, probabilities = drawn(500)
    found = evaluate(gold, predicted, probabilities=probabilities)
    values = values_of(found)
    rng, samples = np.random.default_rng(6), []
    for _ in range(400):
        rows = rng.integers(0, 500, 500)
        sample = evaluate(gold[rows], predicted[rows], probabilities=probabilities[rows])
        samples.append(values_of(sample))
    for name, interval in found.intervals.items():
        value, plain = values[name], np.array([each[name] for each in samples], np.float64)
        low, high = np.percentile(plain, [2.5, 97.5])
        assert value is not None
        width = np.percentile(plain, 97.5) - np.percentile(plain, 2.5)
        assert interval.low == pytest.approx(low, abs=0.15 * width), name
        assert interval.high == pytest.approx(high, abs=0.15 * width), name


@pytest.mark.slow
def test_with_more_documents_intervals_are_narrower() -> None:
    few, many = (evaluate(*drawn(number)[:2]).intervals["accuracy"] for number in (100, 10_000))
    assert many.high - many.low < 0.2 * (few.high - few.low)


@pytest.mark.slow
def test_very_many_pairs_have_fewer_samples() -> None:
    assert replicates_for(1) == replicates_for(400) == REPLICATES
    assert replicates_for(10**6) == FEWEST_REPLICATES
    found = evaluate(list(range(30_000)), [*range(1, 30_000), 0])
    assert found.intervals["macro_f"].high == 0


def test_all_right_is_not_certain_to_stay_so() -> None:
    found = evaluate(["a", "b"] * 5, ["a", "b"] * 5).intervals["accuracy"]
    assert 0.6 < found.low < 0.8
    assert found.high == 1
    none = evaluate(["a", "b"] * 5, ["b", "a"] * 5).intervals["accuracy_of_answered"]
    assert none.low == 0
    assert 0.2 < none.high < 0.4


def test_measures_are_those_of_the_evaluation() -> None:
    gold, predicted, probabilities = drawn(50)
    found = evaluate(gold, predicted, probabilities=probabilities, beta=2)
    values = values_of(found)
    for name, value in measures_of(found.tables, 2).items():
        assert values[name] == pytest.approx(float(value), rel=1e-15)


def test_measures_of_probabilities_have_no_interval() -> None:
    found = evaluate(["a", "b"], ["a", "a"], probabilities=[[1, 0], [1, 0]])
    assert not {"log_loss", "brier", "expected_calibration_error", "roc_auc"} & found.intervals.keys()
    assert (
        "log-loss is infinite: the probability of a gold label is 0, or it is not a class of the model"
        in found.undefined
    )

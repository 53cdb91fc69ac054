"""McNemar's test against hand calculations and scipy; the paired bootstrap against a plain loop over documents."""

from __future__ import annotations

import math

import numpy as np
import pytest
from likely.evaluation import compare as module
from likely.evaluation.compare import MOST_EXACT, Comparison, mcnemar
from scipy.stats import binomtest, chi2
from sklearn.metrics import accuracy_score, f1_score

from tests.unit.evaluation.comparing import compare_labels


def test_by_hand() -> None:
    # Of six tosses, at most one head or at most one tail: 2 (1 + 6) / 64.
    assert mcnemar(1, 5).p_value == 14 / 64
    assert mcnemar(5, 1).p_value == 14 / 64
    assert mcnemar(0, 6).p_value == 2 / 64
    assert mcnemar(3, 3).p_value == 1.0
    assert mcnemar(0, 0) == (0, 0, 1.0, True)


@pytest.mark.parametrize(("first", "second"), [(2, 8), (10, 25), (0, 300), (400, 600), (499, 501), (1, 0)])
def test_exact_as_in_scipy(first: int, second: int) -> None:
    found = mcnemar(first, second)
    assert found.is_exact
    assert found.p_value == pytest.approx(binomtest(first, first + second).pvalue, rel=1e-9)


def test_many_documents_are_approximate_and_agree_with_the_exact_test() -> None:
    first = MOST_EXACT // 2 - 40
    found = mcnemar(first, MOST_EXACT + 1 - first)
    assert not found.is_exact
    statistic = (abs(MOST_EXACT + 1 - 2 * first) - 1) ** 2 / (MOST_EXACT + 1)
    assert found.p_value == pytest.approx(chi2.sf(statistic, 1), rel=1e-9)
    assert found.p_value == pytest.approx(binomtest(first, MOST_EXACT + 1).pvalue, rel=0.01)
    assert 0 <= mcnemar(10, 10**9).p_value < 1e-300, "no overflow"


def documents(number: int, classes: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    generator = np.random.default_rng(seed)
    gold = generator.integers(0, classes, number)

    def predicted(accuracy: float) -> np.ndarray:
        return np.where(generator.random(number) < accuracy, gold, generator.integers(0, classes, number))

    return gold, predicted(0.6), predicted(0.75)


def compared(gold: np.ndarray, first: np.ndarray, second: np.ndarray) -> Comparison:
    return compare_labels(gold.tolist(), first.tolist(), second.tolist())


def test_differences_as_in_scikit_learn() -> None:
    gold, first, second = documents(500, 4, 1)
    found = compared(gold, first, second).differences
    assert found.accuracy == pytest.approx(accuracy_score(gold, second) - accuracy_score(gold, first), abs=1e-12)
    scores = [f1_score(gold, each, average="macro") for each in (first, second)]
    assert found.macro_f1 == pytest.approx(scores[1] - scores[0], abs=1e-12)


def test_an_abstention_is_not_right() -> None:
    found = compare_labels([0, 0, 0, 1], [0, 0, 0, 1], [0, 0, 0, None]).differences
    assert found.accuracy == -0.25
    assert found.macro_f1 == pytest.approx(-0.5)


def test_intervals_are_those_of_a_plain_loop_over_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "REPLICATES", 4000)
    gold, first, second = documents(400, 3, 2)
    generator = np.random.default_rng(3)
    loop = []
    for _ in range(4000):
        rows = generator.integers(0, len(gold), len(gold))
        loop.append((second[rows] == gold[rows]).mean() - (first[rows] == gold[rows]).mean())
    low, high = np.percentile(loop, [2.5, 97.5])
    comparison = compared(gold, first, second)
    accuracy, macro_f1 = comparison.intervals.values()
    error = 4 * np.std(loop) / math.sqrt(4000)
    assert accuracy.low == pytest.approx(low, abs=2.5 * error)
    assert accuracy.high == pytest.approx(high, abs=2.5 * error)
    assert macro_f1.low < comparison.differences.macro_f1 < macro_f1.high


def test_the_same_data_give_the_same_interval() -> None:
    once, again = (compared(*documents(100, 2, 4)) for _ in range(2))
    assert once.intervals == again.intervals

"""What probabilities add to an evaluation, in batches or in one go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from likely import evaluate
from likely.evaluation import evaluate as module
from likely.evaluation.evaluate import Judge, evaluate_batches

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation

RNG = np.random.default_rng(4)
GOLD = RNG.integers(0, 3, 60)
LOGS = np.log(RNG.dirichlet([1, 1, 1], 60))
BEST = LOGS.argmax(axis=1)
TEXTS = [f"text {at}" for at in range(60)]


def judged(cuts: list[int], *, keep: bool = False) -> Evaluation:
    judge = Judge(np.array([0, 1, 2]), keep=keep)
    parts = [slice(begin, end) for begin, end in zip([0, *cuts], [*cuts, 60], strict=True)]
    batches = ((GOLD[at], judge.predicted(LOGS[at], GOLD[at], BEST[at], TEXTS[at])) for at in parts)
    return judge.completed(evaluate_batches(batches, classes=[0, 1, 2], keep=keep))


def test_batches_are_one_go() -> None:
    one, other = judged([]).to_dict(), judged([1, 20, 59]).to_dict()
    for key in one:
        if key not in ("reliability", "intervals", "confidence"):
            assert one[key] == other[key], key
    for key in ("log_loss", "brier", "expected_calibration_error"):
        assert one["reliability"][key] == pytest.approx(other["reliability"][key], rel=1e-12)
    for key, interval in one["intervals"].items():
        assert interval == pytest.approx(other["intervals"][key], rel=1e-9)


def test_probabilities_of_users_are_those_of_a_judge() -> None:
    given, found = evaluate(GOLD, BEST, probabilities=np.exp(LOGS)), judged([])
    assert given.ranking is not None
    assert found.ranking is not None
    assert given.ranking.roc_auc == pytest.approx(found.ranking.roc_auc)
    assert given.coverage == found.coverage
    assert [each.row for each in given.mistakes] == [each.row for each in found.mistakes]


def test_too_many_probabilities_are_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_SCORES", 100)
    found = judged([10, 20, 30, 40])
    assert found.ranking is None
    assert found.reliability is not None
    assert any("too many probabilities" in each for each in found.undefined)
    assert judged([10], keep=True).answers is not None


def test_abstentions_are_not_answered_at_any_threshold() -> None:
    found = evaluate(["a", "b"], ["a", None], probabilities=[[0.9, 0.1], [0.5, 0.5]])
    assert [(row.coverage, row.accuracy) for row in found.coverage if row.threshold <= 0.9] == [(0.5, 1.0)] * 6


def test_without_documents_there_is_nothing_to_add() -> None:
    plain = evaluate(["a"], ["a"])
    assert Judge(np.array(["a"])).completed(plain).reliability is None

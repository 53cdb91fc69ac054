"""What probabilities add to an evaluation, in batches or in one go."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import evaluate
from likely.errors import ArgumentError, LabelError
from likely.evaluation import evaluate as module
from likely.evaluation.evaluate import Judge

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation

RNG = np.random.default_rng(4)
GOLD = RNG.integers(0, 3, 60)
LOGS = np.log(RNG.dirichlet([1, 1, 1], 60))
BEST = LOGS.argmax(axis=1)
TEXTS = [f"text {at}" for at in range(60)]


def judged(cuts: list[int], *, keep: bool = False) -> Evaluation:
    judge = Judge([0, 1, 2], keep=keep)
    for begin, end in zip([0, *cuts], [*cuts, 60], strict=True):
        at = slice(begin, end)
        judge.see(GOLD[at], LOGS[at], BEST[at], TEXTS[at])
    return judge.evaluation()


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


def test_batches_without_documents_add_nothing() -> None:
    judge = Judge(["a"])
    judge.see([], np.zeros((0, 1)), np.zeros(0, np.intp))
    with pytest.raises(ArgumentError, match="no documents"):
        judge.evaluation()
    judge.see(["a"], np.zeros((1, 1)), np.zeros(1, np.intp))
    assert judge.evaluation().accuracy == 1.0


def test_labels_without_probabilities_have_no_reliability() -> None:
    judge = Judge(["a"])
    judge.count(["a"], ["a"])
    assert judge.evaluation().reliability is None


some = st.lists(st.tuples(st.integers(0, 3), st.none() | st.integers(0, 5)), min_size=1, max_size=12)


@given(some, some)
def test_answers_are_kept_in_the_order_of_the_documents(
    first: list[tuple[int, int | None]], second: list[tuple[int, int | None]]
) -> None:
    whole, parts = Judge([9], keep=True), Judge([9], keep=True)
    for judge, batches in ((whole, [first + second]), (parts, [first, second])):
        for batch in batches:
            judge.count([gold for gold, _ in batch], [each for _, each in batch])
    one, other = whole.evaluation(), parts.evaluation()
    assert one.documents == len(first) + len(second)
    assert one.to_dict() == other.to_dict()
    assert one.answers is not None
    places = one.answers.gold.tolist(), one.answers.predicted.tolist()
    gold, predicted = ([one.labels[at] if at >= 0 else None for at in each] for each in places)
    assert gold == [each for each, _ in first + second]
    assert predicted == [each for _, each in first + second]


def test_bad_input_is_named() -> None:
    with pytest.raises(ArgumentError, match="1 gold labels but 2 predictions"):
        evaluate(["a"], ["a", "b"])
    with pytest.raises(LabelError, match="missing"):
        evaluate([None, "a"], ["a", "a"])  # type: ignore[list-item]
    with pytest.raises(LabelError, match=r"1\.5 in row 2 is a fraction"):
        evaluate(["a", "a"], ["a", 1.5])  # type: ignore[list-item]
    with pytest.raises(LabelError, match="single str"):
        evaluate(["a"], "a")

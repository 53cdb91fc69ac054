"""The thresholds of rare classes, and what a choice has changed."""

from __future__ import annotations

import numpy as np
import pytest
from likely.core.decisions import (
    FEWEST_MISSED,
    MOST_LOST,
    RARELY_FOUND,
    Unseen,
    decided,
    decision_of,
    threshold_choice,
    to_decide,
)
from likely.reading.rows import Sample


def unseen(rare: int, others: int = 900, ranked: float = 2.0, seed: int = 0) -> Unseen:
    """Two classes; the rare one is nearly never the most probable, but it is ranked well or not at all."""
    random = np.random.default_rng(seed)
    gold = np.array([1] * rare + [0] * others)
    odds = random.normal(size=len(gold)) + ranked * gold - 4.0
    share = 1 / (1 + np.exp(-odds))
    return Unseen(np.log(np.stack([1 - share, share], axis=1)), gold, np.ones(len(gold)), ["ham", "spam"])


def test_a_class_that_is_hardly_ever_predicted_gets_a_threshold() -> None:
    documents = unseen(40)
    found = threshold_choice(None, documents)
    assert list(found.thresholds) == ["spam"]
    (spam,) = found.classes
    assert spam.documents == 40
    assert spam.recall[0] < RARELY_FOUND < spam.recall[1]
    assert spam.f1[1] > spam.f1[0] + 0.2
    assert found.accuracy[1] >= found.accuracy[0] - MOST_LOST
    predicted = decided(documents.log_probabilities, decision_of(found.thresholds, documents.labels))
    assert found.accuracy[1] == pytest.approx((predicted == documents.gold).mean())
    assert spam.recall[1] == pytest.approx((predicted[documents.gold == 1] == 1).mean())


def test_thresholds_never_cost_more_accuracy_than_they_may() -> None:
    for seed in range(20):
        found = threshold_choice(None, unseen(40, ranked=1.0, seed=seed))
        assert found.accuracy[1] >= found.accuracy[0] - MOST_LOST


def test_a_class_with_too_few_documents_or_enough_predictions_gets_none() -> None:
    assert threshold_choice(None, unseen(FEWEST_MISSED - 1)).thresholds == {}
    assert threshold_choice(None, unseen(FEWEST_MISSED - 1)).classes == []
    assert threshold_choice(None, unseen(300, ranked=6.0)).thresholds == {}


def test_a_class_that_cannot_be_found_is_told() -> None:
    blind = unseen(40, ranked=0.0)
    found = threshold_choice(None, blind)
    assert [each.label for each in found.rarely_found] == ["spam"]


def test_several_rare_classes_together_cost_no_more_than_one() -> None:
    random = np.random.default_rng(1)
    gold = np.array([0] * 900 + [1] * 30 + [2] * 30 + [3] * 30)
    scores = random.normal(size=(len(gold), 4)) + 1.5 * np.eye(4)[gold] + [5.0, 0, 0, 0]
    logs = scores - np.log(np.exp(scores).sum(axis=1, keepdims=True))
    found = threshold_choice(None, Unseen(logs, gold, np.ones(len(gold)), list("abcd")))
    assert found.accuracy[1] >= found.accuracy[0] - MOST_LOST


def test_a_wish_is_measured_whatever_it_costs() -> None:
    found = threshold_choice("f1:spam", unseen(40, ranked=1.0))
    assert found.is_asked
    assert found.to_dict()["classes"][0]["threshold"] == found.thresholds["spam"]  # type: ignore[index]


def sample_of(texts: list[str]) -> Sample:
    size = len(texts)
    return Sample(texts, ["+"] * size, [1.0] * size, list(range(size)), [1] * size, size, size)


def test_what_is_judged_is_bounded_by_documents_classes_and_characters() -> None:
    short = sample_of(["x"] * 30_000)
    assert [len(to_decide(short, classes)) for classes in (2, 200, 16_000, 10**8)] == [20_000, 20_000, 250, 1]
    long = sample_of(["\u0e01" * 10_000] * 3_000)
    assert len(to_decide(long, 2)) == 2_000

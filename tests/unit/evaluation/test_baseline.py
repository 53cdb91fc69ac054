"""The majority baseline, and the million tweets of the lecture notes, whose accuracy is misleading."""

from __future__ import annotations

import pytest
from likely import evaluate
from likely.evaluation.evaluation import from_confusion

PIE = ["about pie", "not about pie"]


def test_a_million_tweets() -> None:
    """Jurafsky and Martin, *Speech and Language Processing*, section 4.7: 100 of a million tweets are about pie."""
    found = from_confusion(PIE, [[0, 100], [0, 999_900]])
    assert found.accuracy == 0.9999
    assert found.majority == ("not about pie", 0.9999)
    assert found.flatters is not None
    assert found.flatters.startswith(
        'accuracy (99.99%) is misleading: always answering "not about pie" would be as good'
    )
    assert found.flatters in found.warnings
    assert found.per_class["about pie"].recall == 0
    assert found.balanced_accuracy == 0.5
    assert found.matthews is None


def test_an_accuracy_below_the_baseline_flatters() -> None:
    found = from_confusion(PIE, [[60, 40], [10_000, 989_900]])
    assert found.accuracy == pytest.approx(0.98996)
    assert found.flatters is not None
    assert 'is misleading: always answering "not about pie" would be better (99.99%); look' in found.flatters


def test_an_accuracy_far_above_the_mean_recall_flatters() -> None:
    found = from_confusion(["ham", "spam"], [[900, 0], [60, 40]])
    assert found.flatters is not None
    assert 'the recall of "spam" is 40.0%' in found.flatters


def test_an_honest_accuracy_does_not() -> None:
    assert from_confusion(["ham", "spam"], [[90, 10], [10, 90]]).flatters is None


def test_a_single_gold_label_says_nothing() -> None:
    found = evaluate(["a", "a"], ["a", "a"])
    assert found.majority == ("a", 1.0)
    assert found.flatters is not None
    assert "all documents have the gold label" in found.flatters


def test_of_equally_frequent_labels_the_first_is_the_baseline() -> None:
    assert evaluate(["b", "a"], ["b", "a"]).majority == ("a", 0.5)

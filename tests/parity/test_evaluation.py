"""Every measure that scikit-learn also has is equal to it, on random labels and probabilities, to 1e-12.

Some labels are never predicted, some never seen, and probabilities have ties.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import Evaluation, evaluate
from sklearn import metrics

CLASSES = ["a", "b", "c", "d"]
pairs = st.lists(st.tuples(st.sampled_from(CLASSES), st.sampled_from(CLASSES)), min_size=1, max_size=40)
weights = st.tuples(*[st.integers(0, 20)] * 4).filter(any)
scored = st.lists(st.tuples(st.sampled_from(CLASSES), weights), min_size=1, max_size=40)


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """scikit-learn warns of undefined values, which it replaces."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def same(ours: float | None, theirs: float) -> None:
    assert np.isnan(theirs) if ours is None else ours == pytest.approx(theirs, rel=1e-12, abs=1e-12)


@given(pairs, st.sampled_from([0.5, 1.0, 2.0]), st.booleans())
def test_measures_of_labels(some: list[tuple[str, str]], beta: float, every: bool) -> None:
    gold, predicted = (list(each) for each in zip(*some, strict=True))
    found = evaluate(gold, predicted, beta=beta, classes=CLASSES if every else None)
    given = {"labels": found.labels, "zero_division": np.nan, "beta": beta}
    assert found.accuracy == metrics.accuracy_score(gold, predicted)
    assert found.confusion.tolist() == metrics.confusion_matrix(gold, predicted, labels=found.labels).tolist()
    columns = metrics.precision_recall_fscore_support(gold, predicted, **given)
    for table, precision, recall, f, support in zip(found.per_class.values(), *columns, strict=True):
        same(table.precision, precision)
        same(table.recall, recall)
        same(table.f(beta), f)
        assert table.support == support
    for average in ("macro", "micro", "weighted"):
        expected = metrics.precision_recall_fscore_support(gold, predicted, average=average, **given)
        ours = getattr(found, average)
        for one, other in zip((ours.precision, ours.recall, ours.f), expected, strict=False):
            same(one, other)
    same(found.balanced_accuracy, metrics.balanced_accuracy_score(gold, predicted))
    if found.matthews is None:
        assert metrics.matthews_corrcoef(gold, predicted) == 0, "scikit-learn has 0 where it is undefined"
    else:
        same(found.matthews, metrics.matthews_corrcoef(gold, predicted))
    same(found.kappa, metrics.cohen_kappa_score(gold, predicted, labels=found.labels))


def scored_evaluation(
    some: list[tuple[str, tuple[int, ...]]], size: int
) -> tuple[Evaluation, np.ndarray, np.ndarray]:
    classes = CLASSES[:size]
    table = np.array([each[1][:size] for each in some], np.float64)
    table[table.sum(axis=1) == 0] = 1
    probabilities = table / table.sum(axis=1, keepdims=True)
    gold = np.array([classes[CLASSES.index(each[0]) % size] for each in some])
    predicted = np.array(classes)[probabilities.argmax(axis=1)]
    return evaluate(gold, predicted, probabilities=probabilities, classes=classes), gold, probabilities


@given(scored, st.sampled_from([2, 3, 4]))
def test_losses(some: list[tuple[str, tuple[int, ...]]], size: int) -> None:
    found, gold, probabilities = scored_evaluation(some, size)
    assert found.reliability is not None
    brier = metrics.brier_score_loss(gold, probabilities, labels=found.labels, scale_by_half=False)
    assert found.reliability.brier == pytest.approx(brier, rel=1e-12, abs=1e-12)
    log_loss = metrics.log_loss(gold, probabilities, labels=found.labels)
    if np.isfinite(found.reliability.log_loss):
        assert found.reliability.log_loss == pytest.approx(log_loss, rel=1e-12, abs=1e-12)
    else:
        assert log_loss > 36 / len(gold), "scikit-learn has a large number where it is infinite"


@given(scored, st.sampled_from([2, 3, 4]))
def test_areas_and_curves(some: list[tuple[str, tuple[int, ...]]], size: int) -> None:
    found, gold, probabilities = scored_evaluation(some, size)
    ranking = found.ranking
    assert ranking is not None
    for place, label in enumerate(found.labels):
        inside, scores = gold == label, probabilities[:, place]
        area, precision = ranking.roc_auc[label], ranking.average_precision[label]
        if area is None:
            assert inside.all() or not inside.any()
        else:
            assert area == pytest.approx(metrics.roc_auc_score(inside, scores), rel=1e-12, abs=1e-12)
            expected = metrics.roc_curve(inside, scores, drop_intermediate=False)
            for one, other in zip(ranking.roc_curve(label), expected, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)
        if precision is None:
            assert not inside.any()
        else:
            assert precision == pytest.approx(metrics.average_precision_score(inside, scores), rel=1e-12, abs=1e-12)
            expected = metrics.precision_recall_curve(inside, scores)
            for one, other in zip(ranking.precision_recall_curve(label), expected, strict=True):
                np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)
    if size > 2 and None not in ranking.roc_auc.values():
        macro = metrics.roc_auc_score(gold, probabilities, multi_class="ovr", labels=found.labels)
        assert ranking.macro_roc_auc == pytest.approx(macro, rel=1e-12, abs=1e-12)


@given(scored, st.sampled_from([2, 3, 4]), st.integers(1, 3))
def test_top_k(some: list[tuple[str, tuple[int, ...]]], size: int, k: int) -> None:
    found, gold, probabilities = scored_evaluation(some, size)
    assert found.ranking is not None
    scores = probabilities if size > 2 else probabilities[:, 1]
    expected = metrics.top_k_accuracy_score(gold, scores, k=k, labels=found.labels)
    assert found.ranking.top(k) == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_probabilities_whose_logarithms_are_equal_are_told_apart() -> None:
    rng, classes = np.random.default_rng(5), list("abcde")
    for _ in range(20):
        probabilities = rng.integers(0, 4, (200, 5)).astype(float) + 1e-9
        probabilities /= probabilities.sum(axis=1, keepdims=True)
        gold = rng.integers(0, 5, 200)
        named, said = ([classes[at] for at in places] for places in (gold, probabilities.argmax(axis=1)))
        found = evaluate(named, said, probabilities=probabilities[:, ::-1], classes=classes[::-1]).ranking
        assert found is not None
        for at, label in enumerate(classes):
            inside, scores = gold == at, probabilities[:, at]
            assert found.roc_auc[label] == pytest.approx(metrics.roc_auc_score(inside, scores), abs=1e-12)
            curve = metrics.roc_curve(inside, scores, drop_intermediate=False)
            np.testing.assert_allclose(found.roc_curve(label).true_positive_rate, curve[1], atol=1e-12)

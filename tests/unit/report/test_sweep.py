"""Sweeps against plain counting; the curves against scikit-learn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from likely.report.charts import GRID, sweep, thinned
from sklearn.metrics import precision_recall_curve, roc_curve

if TYPE_CHECKING:
    from likely.types import Array, Mask


@pytest.fixture
def drawn() -> tuple[Array, Mask]:
    generator = np.random.default_rng(1)
    scores = generator.random(500).round(2)
    return scores, generator.random(500) < scores


def test_counts_at_every_threshold(drawn: tuple[Array, Mask]) -> None:
    scores, hits = drawn
    found = sweep(scores, hits)
    for at, threshold in enumerate(GRID):
        assert found.reached[at] == (scores >= threshold).sum()
        assert found.hits_reached[at] == (hits & (scores >= threshold)).sum()


def test_curves_are_those_of_scikit_learn(drawn: tuple[Array, Mask]) -> None:
    scores, hits = drawn
    found = sweep(scores, hits)
    x, y, _ = roc_curve(hits, scores, drop_intermediate=False)
    np.testing.assert_allclose(found.roc, np.stack([x, y], axis=1), atol=1e-12)
    precision, recall, _ = precision_recall_curve(hits, scores)
    np.testing.assert_allclose(found.precision_recall, np.stack([recall, precision], axis=1)[::-1], atol=1e-12)


def test_recall_of_more_than_the_hits() -> None:
    found = sweep(np.array([0.9, 0.6]), np.array([True, False]), wanted=2)
    assert found.precision_recall[-1].tolist() == [1.0, 0.5], "the curve is that of the hits"


@pytest.mark.parametrize("hits", [[True, True], [False, False]])
def test_only_hits_or_none(hits: list[bool]) -> None:
    found = sweep(np.array([0.9, 0.6]), np.array(hits))
    assert np.isfinite(found.roc).all()
    assert np.isfinite(found.precision_recall).all()


def test_bins(drawn: tuple[Array, Mask]) -> None:
    scores, hits = drawn
    found = sweep(scores, hits)
    assert found.sizes.sum() == 500
    assert (found.sizes * found.shares).sum() == pytest.approx(hits.sum())
    assert (found.sizes * found.confidence).sum() == pytest.approx(scores.sum())


def test_a_thinned_curve_is_near_the_curve(drawn: tuple[Array, Mask]) -> None:
    curve = sweep(*drawn).roc
    few = thinned(curve, 40)
    assert len(few) <= 40
    assert few[0].tolist() == curve[0].tolist()
    assert few[-1].tolist() == curve[-1].tolist()
    distances = np.abs(curve[:, None, :] - few[None, :, :]).sum(axis=2).min(axis=1)
    assert distances.max() < 2 / 39

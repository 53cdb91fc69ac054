"""GroupedValues losses have the sums of the documents, and their calibration error is that of the definition."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.core.calibration import document_scores, reliability_of
from likely.evaluation.intervals import losses

rows = st.lists(st.tuples(st.integers(1, 50), st.integers(1, 50), st.integers(0, 50), st.integers(-1, 2)), min_size=1)


@given(rows)
def test_nothing_is_lost_in_groups(some: list[tuple[int, int, int, int]]) -> None:
    weights = np.array([each[:3] for each in some], np.float64)
    gold = np.array([each[3] for each in some])
    with np.errstate(divide="ignore"):
        found = document_scores(np.log(weights / weights.sum(axis=1, keepdims=True)), gold)
    grouped, measured = losses(found), reliability_of(found)
    assert grouped.squares.sums.sum() == pytest.approx(measured.squares)
    assert grouped.surprise.sums.sum() == pytest.approx(found.surprise[np.isfinite(found.surprise)].sum())
    gaps = grouped.gap.sums.reshape(-1, 2).sum(axis=1)
    assert np.abs(gaps).sum() / len(some) == pytest.approx(measured.expected_calibration_error, abs=1e-12)
    assert losses(found).gap.documents == len(some)


def test_batches_add_up() -> None:
    logs, gold = np.log([[0.9, 0.1], [0.4, 0.6], [0.3, 0.7]]), np.array([0, 0, 1])
    whole = losses(document_scores(logs, gold))
    parts = losses(document_scores(logs[:1], gold[:1])) + losses(document_scores(logs[1:], gold[1:]))
    for name in ("surprise", "squares", "gap"):
        np.testing.assert_allclose(getattr(whole, name).sums, getattr(parts, name).sums)


def test_an_endless_surprise_has_the_last_group() -> None:
    found = losses(document_scores(np.array([[-1e6, 0.0]]), np.array([0])))
    assert found.surprise.sizes[-1] == 1
    assert found.surprise.sums[-1] == 1e6

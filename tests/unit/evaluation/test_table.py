"""The table of one class against the rest."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.evaluation.measures import Table, Tables

numbers = st.integers(0, 50)


@given(numbers, numbers, numbers, numbers, st.floats(0.1, 10))
def test_the_measures_are_those_of_their_definitions(tp: int, fp: int, fn: int, tn: int, beta: float) -> None:
    table = Table(tp, fp, fn, tn)
    p, r = table.precision, table.recall
    assert p == (pytest.approx(tp / (tp + fp)) if tp + fp else None)
    assert r == (pytest.approx(tp / (tp + fn)) if tp + fn else None)
    assert table.accuracy == (pytest.approx((tp + tn) / (tp + fp + fn + tn)) if tp + fp + fn + tn else None)
    if p and r:
        assert table.f(beta) == pytest.approx((1 + beta**2) * p * r / (beta**2 * p + r))
    else:
        assert table.f(beta) == (0.0 if tp + fp + fn else None)


def test_as_plain_data() -> None:
    assert asdict(Table(1, 2, 3, 4)) == {"tp": 1, "fp": 2, "fn": 3, "tn": 4}


@given(st.lists(st.tuples(numbers, numbers, numbers), min_size=1, max_size=4), st.floats(0.1, 10))
def test_the_arrays_have_the_measures_of_the_tables(cells: list[tuple[int, int, int]], beta: float) -> None:
    tables = [Table(tp, fp, fn, 0) for tp, fp, fn in cells]
    columns = np.array([[each.tp, each.predicted, each.support] for each in tables], np.float64)
    arrays = Tables(columns[:, 0], columns[:, 1], columns[:, 2], 1)
    found = arrays.precision, arrays.recall, arrays.f(beta)
    for at, table in enumerate(tables):
        expected = table.precision, table.recall, table.f(beta)
        for measure, value in zip(found, expected, strict=True):
            assert np.isnan(measure[at]) if value is None else measure[at] == pytest.approx(value, rel=1e-15)
    assert arrays.pooled.tp.tolist() == [sum(each.tp for each in tables)]

"""The table of one class against the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.evaluation.table import Averages, Table

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
    assert Table(1, 2, 3, 4).to_dict() == {"tp": 1, "fp": 2, "fn": 3, "tn": 4}
    assert Averages(0.5, None, 0.25).to_dict() == {"precision": 0.5, "recall": None, "f": 0.25}

"""Learned weights as rows of those that are not 0."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from likely.core.nbsvm import Learned

matrices = st.lists(st.lists(st.sampled_from([0.0, 0.5, -2.0]), min_size=3, max_size=3), max_size=6)


def learned(rows: list[list[float]]) -> tuple[Learned, np.ndarray]:
    dense = np.array(rows, np.float32).reshape(len(rows), 3)
    return Learned.of(np.arange(len(rows), dtype=np.uint32)[::-1], dense, np.zeros(3), rules=None), dense


@given(matrices, st.data())
def test_rows_come_back_in_any_order(rows: list[list[float]], data: st.DataObject) -> None:
    found, dense = learned(rows)
    asked = np.array(data.draw(st.lists(st.integers(0, len(rows) - 1))) if rows else [], np.intp)
    assert np.array_equal(found.dense(asked), dense[asked])
    assert len(found.weights) == np.count_nonzero(dense)


@given(matrices, st.data())
def test_some_terms_only(rows: list[list[float]], data: st.DataObject) -> None:
    found, dense = learned(rows)
    stay = np.array(data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))), bool)
    some = found.of_terms(stay)
    assert np.array_equal(some.dense(np.arange(stay.sum())), dense[stay])
    assert some.ids.tolist() == found.ids[stay].tolist()

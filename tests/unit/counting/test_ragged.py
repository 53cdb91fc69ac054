"""Rows of different lengths, stored one after another."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from likely.core.counts import Ragged, starts_of

tables = st.lists(st.lists(st.integers(-5, 5), max_size=4), max_size=6)


def table(rows: list[list[int]]) -> tuple[Ragged, np.ndarray]:
    entries = np.array([entry for row in rows for entry in row], np.float64)
    return Ragged(starts_of(np.array([len(row) for row in rows], np.int64))), entries


def test_where_rows_start() -> None:
    assert starts_of(np.array([2, 0, 3])).tolist() == [0, 2, 2, 5]
    assert starts_of(np.zeros(0, np.int64)).tolist() == [0]


@given(tables)
def test_sums_and_repetitions_are_those_of_the_rows(rows: list[list[int]]) -> None:
    ragged, entries = table(rows)
    assert len(ragged) == len(rows)
    assert ragged.lengths.tolist() == [len(row) for row in rows]
    assert ragged.sum(entries).tolist() == [sum(row) for row in rows]
    assert ragged.rows.tolist() == [at for at, row in enumerate(rows) for _ in row]
    assert ragged.repeat(np.arange(len(rows))).tolist() == ragged.rows.tolist()


@given(tables, st.data())
def test_the_entries_of_some_rows_in_any_order(rows: list[list[int]], data: st.DataObject) -> None:
    ragged, entries = table(rows)
    asked = data.draw(st.lists(st.integers(0, len(rows) - 1))) if rows else []
    starts, found = ragged.entries_of(np.array(asked, np.int64))
    values = entries[found].tolist()
    assert [values[start:end] for start, end in pairwise(starts)] == [rows[at] for at in asked]

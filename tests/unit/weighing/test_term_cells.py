"""Counts of terms per class: weighted by class, their sums do not depend on the order in which classes came."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.core.counts import Ragged, starts_of
from likely.core.terms import choose_terms, sums_of_other_entries

if TYPE_CHECKING:
    from likely.core.terms import Terms

TEXTS = ["a b b", "a", "b c", "a a c", "c", "d"]
LABELS = ["x", "y", "z", "y", "z", "x"]


def terms_of(texts: list[str], labels: list[str], **options: object) -> Terms:
    snapshot = NaiveBayes(variant="complement", **options).fit(texts, labels)._snapshot()  # type: ignore[arg-type]
    return choose_terms(snapshot.counts, snapshot.rules)


@given(st.lists(st.lists(st.floats(0, 1e6), max_size=6), max_size=6))
def test_sums_of_other_entries(rows: list[list[float]]) -> None:
    table = Ragged(starts_of(np.array([len(row) for row in rows], np.int64)))
    found = sums_of_other_entries(table, np.array([each for row in rows for each in row]))
    expected = [math.fsum(row[:at] + row[at + 1 :]) for row in rows for at in range(len(row))]
    assert found == pytest.approx(expected, rel=1e-13, abs=0)


@pytest.mark.parametrize("options", [{}, {"weighting": "tfidf_smooth"}, {"min_documents": 2}], ids=str)
def test_weighted_counts_are_counts_times_weights(options: dict[str, object]) -> None:
    weights = {"x": 0.1, "y": 7.3}
    weighted, plain = (terms_of(TEXTS, LABELS, **options, **more) for more in ({"class_weight": weights}, {}))
    numbers, ids = weighted.counts.live().numbers, weighted.sorted_ids()
    rows = plain.rows(ids, numbers) * [0.1, 7.3, 1.0]
    assert np.allclose(weighted.rows(ids, numbers), rows, rtol=1e-15)
    assert np.allclose(weighted.cells(ids).sums, rows.sum(axis=1), rtol=1e-14)
    assert np.allclose(weighted.class_tokens()[numbers], rows.sum(axis=0), rtol=1e-14)
    assert np.array_equal(weighted.unweighted.rows(ids, numbers), plain.rows(ids, numbers))


def test_sums_of_others_are_the_same_in_cells_and_rows() -> None:
    terms = terms_of(TEXTS, LABELS, class_weight="balanced")
    live, ids = terms.counts.live(), terms.sorted_ids()
    cells = terms.cells(ids)
    of_others = terms.rows_of_others(ids, live.numbers)
    assert np.array_equal(cells.of_others, of_others[cells.rows, live.ranks[cells.classes]])


def test_sums_of_weighted_counts_do_not_depend_on_the_order_of_the_classes() -> None:
    weights = {"x": 0.1, "y": 0.7, "z": 1 / 3}
    one, other = (terms_of(TEXTS[::way], LABELS[::way], class_weight=weights) for way in (1, -1))
    assert one.counts.index.labels != other.counts.index.labels
    assert np.array_equal(one.cells(one.sorted_ids()).sums, other.cells(other.sorted_ids()).sums)

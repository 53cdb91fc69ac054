"""The formulas of the textbooks, each against its definition in plain Python."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import formulas
from likely.errors import OptionError


@given(st.integers(0, 50), st.integers(1, 1000), st.integers(1, 100), st.sampled_from([1e-6, 0.5, 1.0, 7.0]))
def test_base_and_delta_are_the_smoothed_probability(count: int, more: int, size: int, alpha: float) -> None:
    tokens = count + more
    weight = formulas.log_base(np.array([tokens]), size, alpha) + formulas.log_delta(np.array([count]), alpha)
    assert weight[0] == pytest.approx(math.log((count + alpha) / (tokens + alpha * size)), rel=1e-12)
    above, below = formulas.smoothed_fraction(np.array([float(count)]), np.array([float(tokens)]), size, alpha)
    assert math.log(above[0] / below[0]) == pytest.approx(weight[0], rel=1e-12)


@given(st.lists(st.floats(-700, 0), min_size=2, max_size=5))
def test_posteriors_are_shares_of_likelihoods(scores: list[float]) -> None:
    joint = np.array([scores])
    found = np.exp(formulas.log_posterior(joint, np.zeros(len(scores))))
    highest = max(scores)
    expected = [math.exp(score - highest) for score in scores]
    assert found[0] == pytest.approx([each / math.fsum(expected) for each in expected], rel=1e-12)


def test_a_text_that_no_class_can_have_written_leaves_the_prior() -> None:
    prior = np.log([0.25, 0.75])
    joint = np.array([[-np.inf, -np.inf], [-5.0, -np.inf]])
    assert np.exp(formulas.log_posterior(joint, prior)) == pytest.approx(np.array([[0.25, 0.75], [1.0, 0.0]]))


def test_priors() -> None:
    documents, labels = np.array([3.0, 1.0]), ["+", "-"]
    found = {name: np.exp(formulas.log_prior(documents, labels, name)) for name in ("fitted", "uniform")}
    assert found["fitted"] == pytest.approx([0.75, 0.25])
    assert found["uniform"] == pytest.approx([0.5, 0.5])
    assert np.exp(formulas.log_prior(documents, labels, {"-": 0.9, "+": 0.1})) == pytest.approx([0.1, 0.9])
    with pytest.raises(OptionError, match="no share for class '-'"):
        formulas.check_prior(labels, {"+": 1.0})


@given(st.integers(1, 500), st.integers(1, 500))
def test_idf_and_term_frequency(documents: int, more: int) -> None:
    total = documents + more - 1
    having = np.array([float(documents)])
    assert formulas.inverse_document_frequency(having, total)[0] == pytest.approx(
        math.log(total / documents), abs=1e-12
    )
    smooth = formulas.inverse_document_frequency(having, total, smooth=1, lift=1)[0]
    assert smooth == pytest.approx(math.log((1 + total) / (1 + documents)) + 1, rel=1e-12)
    counts = np.array([1.0, float(documents)])
    assert formulas.term_frequency(counts, sublinear=True) == pytest.approx([1.0, 1 + math.log(documents)])
    assert formulas.term_frequency(counts, sublinear=False).tolist() == counts.tolist()


@given(st.lists(st.integers(1, 30), min_size=4, max_size=4))
def test_the_log_likelihood_ratio_sums_to_that_of_the_contingency_table(cells: list[int]) -> None:
    table = np.array(cells, float).reshape(2, 2)
    rows, columns, total = table.sum(axis=1), table.sum(axis=0), table.sum()
    expected = sum(
        2 * table[r, c] * math.log(table[r, c] / (rows[r] * columns[c] / total)) for r in (0, 1) for c in (0, 1)
    )
    found = formulas.log_likelihood_ratio(table.ravel(), np.repeat(rows, 2), np.tile(columns, 2), float(total))
    assert found.sum() == pytest.approx(expected, abs=1e-9)
    assert found.sum() >= -1e-9


def test_small_formulas() -> None:
    assert formulas.share(1, 0) is None
    assert formulas.share(1, 4) == 0.25
    assert formulas.perplexity(-3 * math.log(8), 3) == pytest.approx(8)
    assert [formulas.finite_or_none(value) for value in (1.5, math.inf, math.nan)] == [1.5, None, None]


@given(st.integers(0, 200), st.integers(1, 400))
def test_more_buckets_have_fewer_collisions(used: int, more: int) -> None:
    found = formulas.expected_collisions(used, used + more)
    assert found is not None
    assert found >= 0
    assert formulas.expected_collisions(used, 2 * (used + more)) <= found + 1e-9


def test_the_unseen_share_is_that_of_terms_that_are_alone() -> None:
    assert formulas.unseen_share(3, 10) == 0.3
    assert formulas.unseen_share(0, 0) is None


def test_total_variation_is_the_largest_difference_of_any_event() -> None:
    one, other = np.array([0.2, 0.5, 0.3]), np.array([0.4, 0.1, 0.5])
    events = [[at for at in range(3) if mask >> at & 1] for mask in range(8)]
    expected = max(abs(one[event].sum() - other[event].sum()) for event in events)
    assert formulas.total_variation(one, other) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(("freedom", "exact"), [(1, 10.83), (2, 13.82), (10, 29.59), (1000, 1143.92)])
def test_the_bound_of_chi_squared_is_nearly_that_of_tables(freedom: int, exact: float) -> None:
    assert formulas.chi_squared_bound(freedom, 3.0902) == pytest.approx(exact, rel=0.04)

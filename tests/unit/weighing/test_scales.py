"""Scales of terms, from their document frequencies."""

from __future__ import annotations

import numpy as np
from likely import NaiveBayes
from likely.core.rules import Rules
from likely.core.terms import negate, scales_of_frequencies, within_bounds

NONE = np.zeros(4, np.bool_)


def test_bounds_are_numbers_or_shares_of_the_documents() -> None:
    frequencies = np.array([0.3, 1.0, 7.0, 10.0])
    rules = Rules("binary", 1.0, "fitted")
    assert within_bounds(rules, frequencies, 10, NONE).tolist() == [True] * 4
    several = Rules("binary", 1.0, "fitted", min_documents=2, max_documents=0.7)
    assert within_bounds(several, frequencies, 10, NONE).tolist() == [False, False, True, False]


def test_automatic_stop_words_are_frequent_but_never_negators() -> None:
    rules = Rules("binary", 1.0, "fitted", auto_stop_words=True)
    found = within_bounds(rules, np.array([4.0, 5.0, 6.0, 6.0]), 10, np.array([False, False, False, True]))
    assert found.tolist() == [True, True, False, True]


def test_the_plain_idf_of_a_term_in_all_documents_is_0() -> None:
    rules = Rules("binary", 1.0, "fitted", weighting="tfidf")
    scales = scales_of_frequencies(rules, np.array([1.0, 2.0, 10.0, 0.0]), 10, NONE)
    np.testing.assert_allclose(scales, [np.log(10), np.log(5), 0, 0])


def test_negators_are_found() -> None:
    counts = NaiveBayes(negation="on", stop_words="auto").fit(["not good", "so good"], [0, 1])._snapshot().counts
    ids = counts.sorted_ids()
    assert "not" in [term for term, found in zip(counts.native.spell(ids), negate(counts, ids), strict=True) if found]

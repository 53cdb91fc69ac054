"""Law: the order of documents and the number of threads do not matter, bit for bit."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .conftest import Documents, documents, fitted, options, same


@given(documents, options, st.permutations(range(8)), st.integers(1, 4))
def test_order_and_threads_do_not_matter(
    some: Documents, opts: dict[str, Any], order: list[int], threads: int
) -> None:
    shuffled = [some[at] for at in order if at < len(some)]
    assert same(fitted(some, **opts, threads=1), fitted(shuffled, **opts, threads=threads))


FRACTIONAL: list[dict[str, Any]] = [
    {"variant": "complement", "document_weight": "equal"},
    {"variant": "complement_binary", "document_weight": "equal"},
    {"variant": "complement", "weighting": "tfidf"},
    {"variant": "complement_normalized", "weighting": "tfidf"},
    {"variant": "multinomial", "weighting": "tfidf", "document_weight": "equal"},
    {"variant": "bernoulli", "min_documents": 0.2},
    {"variant": "complement", "class_weight": "balanced"},
    {"variant": "complement_normalized", "weighting": "tfidf", "class_weight": "balanced"},
    {"variant": "bernoulli", "class_weight": "balanced"},
]
"""Options with which counts or their sums over the classes are not whole numbers."""


@pytest.mark.parametrize("opts", FRACTIONAL, ids=str)
@settings(max_examples=25)
@given(some=documents, order=st.permutations(range(8)))
def test_scores_are_equal_to_the_last_bit_in_any_order_and_after_loading(
    opts: dict[str, Any], some: Documents, order: list[int]
) -> None:
    model = fitted(some, **opts)
    shuffled = fitted([some[at] for at in order if at < len(some)], **opts)
    loaded = pickle.loads(pickle.dumps(model))
    asked = [text for text, _, _ in some]
    scores = model.predict_joint_log_proba(asked)
    assert np.array_equal(scores, shuffled.predict_joint_log_proba(asked))
    assert np.array_equal(scores, loaded.predict_joint_log_proba(asked))

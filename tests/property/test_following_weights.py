"""Law: weights that follow a change equal weights that are made anew."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from .conftest import Documents, columns, documents, fitted, options


@given(documents, documents, options)
def test_weights_that_follow_equal_weights_made_anew(a: Documents, b: Documents, opts: dict[str, Any]) -> None:
    model = fitted(a, **opts)
    probes = [text for text, _, _ in a + b]
    model.predict(probes)
    model.learn(**columns(b))
    anew = fitted(a + b, **opts)
    assert model.classes_.tolist() == anew.classes_.tolist()
    assert np.array_equal(model.predict_joint_log_proba(probes), anew.predict_joint_log_proba(probes))


BOTH: Documents = [("a b", "+", 1.0), ("b", "-", 0.3)]
"""Documents of the two classes that the weights below name."""


@pytest.mark.parametrize("class_weight", ["balanced", "sqrt_balanced", {"+": 2.5, "-": 0.1}], ids=str)
@pytest.mark.parametrize("variant", ["multinomial", "binary", "bernoulli", "complement", "complement_normalized"])
@settings(max_examples=25)
@given(a=documents, b=documents)
def test_weighted_classes_learn_and_forget_exactly(
    a: Documents, b: Documents, variant: Any, class_weight: Any
) -> None:
    opts = {"variant": variant, "class_weight": class_weight}
    model = fitted(BOTH + a, **opts)
    probes = [text for text, _, _ in a + b]
    before = model.predict_joint_log_proba(probes)
    model.learn(**columns(b))
    assert np.array_equal(
        model.predict_joint_log_proba(probes), fitted(BOTH + a + b, **opts).predict_joint_log_proba(probes)
    )
    model.forget(**columns(b))
    assert np.array_equal(model.predict_joint_log_proba(probes), before)


RULES: list[dict[str, Any]] = [
    {"min_documents": 2},
    {"max_documents": 2},
    {"weighting": "tfidf"},
    {"weighting": "tfidf_smooth", "min_documents": 2},
    {"weighting": "tfidf", "min_documents": 2, "ngrams": (1, 3)},
    {"min_documents": 2, "document_weight": "equal", "ngrams": (1, 2)},
    {"class_weight": {"+": 2.5, "-": 0.1}, "min_documents": 2},
    {},
]


@pytest.mark.parametrize("rules", RULES, ids=str)
@pytest.mark.parametrize("variant", ["multinomial", "binary", "complement", "complement_binary"])
@settings(max_examples=15)
@given(a=documents, b=documents, c=documents)
def test_kept_terms_and_their_weights_follow(
    a: Documents, b: Documents, c: Documents, variant: Any, rules: dict[str, Any]
) -> None:
    opts = {"variant": variant, **rules}
    model = fitted(BOTH + a, **opts)
    probes = [text for text, _, _ in a + b + c]
    before = model.predict_joint_log_proba(probes)
    for more, known in ((b, a + b), (c, a + b + c)):
        model.learn(**columns(more))
        anew = fitted(BOTH + known, **opts)
        assert np.array_equal(model.predict_joint_log_proba(probes), anew.predict_joint_log_proba(probes))
        assert np.array_equal(model.known(probes), anew.known(probes))
    model.forget(**columns(b + c))
    assert np.array_equal(model.predict_joint_log_proba(probes), before)

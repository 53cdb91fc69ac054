"""Law: the prior and the contributions of the terms are the score."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings

from .conftest import Documents, documents, fitted, options, texts


@given(documents, texts, options)
def test_prior_plus_contributions_is_the_score(some: Documents, text: str, opts: dict[str, Any]) -> None:
    model = fitted(some, **opts)
    explanation = model.explain(text)
    joint = model.predict_joint_log_proba([text])[0]
    for at, label in enumerate(model.classes_.tolist()):
        parts = [explanation.log_prior[label], *(e.contribution[label] for e in explanation.terms)]
        assert math.fsum(parts) == pytest.approx(explanation.scores[label], rel=1e-13, abs=1e-12)
        assert explanation.scores[label] == joint[at]
    assert explanation.label == model.predict([text])[0]
    assert list(explanation.posterior.values()) == model.predict_proba([text])[0].tolist()


@pytest.mark.parametrize("class_weight", [None, "balanced", {"+": 3.7}], ids=str)
@pytest.mark.parametrize("variant", ["multinomial", "bernoulli", "complement", "complement_normalized", "nbsvm"])
@settings(max_examples=15)
@given(some=documents, text=texts)
def test_contributions_of_every_variant_with_weighted_classes(
    some: Documents, text: str, variant: Any, class_weight: Any
) -> None:
    explanation = fitted([("a", "+", 1.0), *some], variant=variant, class_weight=class_weight).explain(text)
    for label, score in explanation.scores.items():
        parts = [explanation.log_prior[label], explanation.lacking[label]]
        parts += [each.contribution[label] for each in explanation.terms]
        assert math.fsum(parts) == pytest.approx(score, rel=1e-12, abs=1e-9)
    assert (explanation.class_weight is None) == (class_weight is None)

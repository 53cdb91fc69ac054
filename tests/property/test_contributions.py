"""Law: the prior and the contributions of the terms are the score."""

from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given

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

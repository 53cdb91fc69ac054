"""Law: posteriors are probabilities."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from .conftest import Documents, documents, fitted, options, texts


@given(documents, st.lists(texts, min_size=1, max_size=5), options)
def test_posteriors_are_probabilities(some: Documents, probes: list[str], opts: dict[str, Any]) -> None:
    model = fitted(some, **opts)
    proba = model.predict_proba(probes)
    assert not np.isnan(proba).any()
    assert np.allclose(proba.sum(axis=1), 1, atol=1e-12)
    assert model.predict(probes).tolist() == model.classes_[proba.argmax(axis=1)].tolist() or np.ptp(proba) < 1e-9

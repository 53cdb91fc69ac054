"""Law: weights that follow a change equal weights that are made anew."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given

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

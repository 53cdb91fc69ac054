"""Law: forgetting undoes learning, or changes nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from likely.core.file import to_bytes
from likely.errors import NotLearnedError

from .conftest import Documents, columns, documents, fitted, options, same


@given(documents, documents, options)
def test_forgetting_undoes_learning(a: Documents, b: Documents, opts: dict[str, Any]) -> None:
    model = fitted(a, **opts)
    probes = [text for text, _, _ in a + b]
    before = model.predict_joint_log_proba(probes)
    model.learn(**columns(b))
    model.predict_joint_log_proba(probes)  # so that weights follow both changes rather than being made anew
    model.forget(**columns(b))
    assert same(model, fitted(a, **opts))
    after = model.predict_joint_log_proba(probes)
    assert np.array_equal(before, after)


@given(documents, documents)
def test_what_cannot_be_forgotten_changes_nothing(a: Documents, b: Documents) -> None:
    model = fitted(a)
    before = to_bytes(model._snapshot())
    try:
        model.forget(**columns(b))
    except NotLearnedError:
        assert to_bytes(model._snapshot()) == before

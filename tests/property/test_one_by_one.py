"""Law: a batch scores as its texts do one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from .conftest import Documents, documents, fitted, options, texts


@given(documents, st.lists(texts, min_size=1, max_size=5), options)
def test_a_batch_scores_as_its_texts_do(some: Documents, probes: list[str], opts: dict[str, Any]) -> None:
    model = fitted(some, **opts)
    one_by_one = np.concatenate([model.predict_joint_log_proba([text]) for text in probes])
    assert np.array_equal(model.predict_joint_log_proba(probes), one_by_one)

"""Law: batches do not matter."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes

from .conftest import Documents, columns, documents, fitted, options, same


@given(documents, options, st.integers(1, 4))
def test_batches_do_not_matter(some: Documents, opts: dict[str, Any], size: int) -> None:
    model = NaiveBayes(**opts)
    for at in range(0, len(some), size):
        model.learn(**columns(some[at : at + size]))
    assert same(model, fitted(some, **opts))

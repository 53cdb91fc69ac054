"""Law: the counts of two parts add up to those of the whole."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from .conftest import Documents, documents, fitted, options, same


@given(documents, documents, options)
def test_counts_add(a: Documents, b: Documents, opts: dict[str, Any]) -> None:
    assert same(fitted(a, **opts) + fitted(b, **opts), fitted(a + b, **opts))

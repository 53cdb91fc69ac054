"""Law: the counts of a part can be taken away from those of the whole."""

from __future__ import annotations

from typing import Any

from hypothesis import given

from .conftest import Documents, documents, fitted, options, same


@given(documents, documents, options)
def test_counts_subtract(a: Documents, b: Documents, opts: dict[str, Any]) -> None:
    assert same(fitted(a + b, **opts) - fitted(b, **opts), fitted(a, **opts))

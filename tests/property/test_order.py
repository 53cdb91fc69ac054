"""Law: the order of documents and the number of threads do not matter, bit for bit."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from .conftest import Documents, documents, fitted, options, same


@given(documents, options, st.permutations(range(8)), st.integers(1, 4))
def test_order_and_threads_do_not_matter(
    some: Documents, opts: dict[str, Any], order: list[int], threads: int
) -> None:
    shuffled = [some[at] for at in order if at < len(some)]
    assert same(fitted(some, **opts, threads=1), fitted(shuffled, **opts, threads=threads))

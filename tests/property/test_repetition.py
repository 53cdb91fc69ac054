"""Law: the weight of a document is a repetition of it."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes

from .conftest import same, texts


@given(st.lists(texts, min_size=1, max_size=4), st.integers(1, 3))
def test_a_weight_is_a_repetition(plain: list[str], times: int) -> None:
    repeated = NaiveBayes().fit(plain * times, ["x"] * len(plain) * times)
    weighted = NaiveBayes().fit(plain, ["x"] * len(plain), sample_weight=[times] * len(plain))
    assert same(repeated, weighted)

"""The slower way through Python gives what the kernel gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.vectorize import CountVectorizer, HashingVectorizer, TfidfVectorizer
from likely.vectorize.drop_in.plain import PlainRows

documents = st.lists(st.text("aab bcé ", max_size=14), min_size=1, max_size=6)


def words(text: str) -> list[str]:
    return text.lower().split()


NATIVE: dict[str, Any] = {"token_pattern": r"(?u)\b\w+\b"}
PLAIN: dict[str, Any] = {"tokenizer": words, "token_pattern": None}


@given(documents, st.booleans())
def test_counts_and_hashes_are_the_same_both_ways(texts: list[str], binary: bool) -> None:
    for kind in (CountVectorizer, TfidfVectorizer, HashingVectorizer):
        made: list[Any] = []
        for params in (NATIVE, PLAIN):
            try:
                made.append(kind(binary=binary, **params).fit_transform([*texts, "a b"]))
            except ValueError as error:
                made.append(str(error))
        assert np.array_equal(made[0].toarray(), made[1].toarray())
        assert made[0].dtype == made[1].dtype


def test_columns_are_sorted_renumbered_and_left_out() -> None:
    rows = PlainRows()
    for row in ({2: 1, 0: 3}, {}, {1: 4}):
        rows.push(row)
    values, columns, starts = rows.parts(binary=False, floats=False)
    assert (values.tolist(), columns.tolist(), starts.tolist()) == ([3, 1, 4], [0, 2, 1], [0, 2, 2, 3])
    values, columns, starts = rows.parts(binary=True, floats=True, new_columns=np.array([1, -1, 0]))
    assert (values.tolist(), columns.tolist(), starts.tolist()) == ([1.0, 1.0], [0, 1], [0, 2, 2, 2])
    assert values.dtype == np.float64


def test_terms_may_be_anything_that_can_be_hashed() -> None:
    vectorizer = CountVectorizer(analyzer=lambda numbers: numbers).fit([[3, 1], [1]])
    assert vectorizer.transform([[1, 1, 9]]).toarray().tolist() == [[2, 0]]
    with pytest.raises(TypeError):
        CountVectorizer(analyzer=lambda text: [[text]]).fit(["a"])

"""Law: the sums of a matrix of terms are the counts."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from likely import NaiveBayes
from likely.vectorize import vectorize

from .conftest import Documents, documents, options


@given(documents, options)
def test_row_sums_are_counts(some: Documents, opts: dict[str, Any]) -> None:
    cut = {name: opts[name] for name in ("analyzer", "ngrams", "lowercase")}
    plain = [text for text, _, _ in some]
    matrix = vectorize(plain, **cut)
    model = NaiveBayes(**cut).fit(plain, ["x"] * len(plain))
    assert matrix.terms == model.vocabulary_
    sums = matrix.to_scipy().sum(axis=0).A1.tolist()
    assert sums == [model.counts_table()["count"][at].as_py() for at in range(len(matrix.terms))]

"""Counts of terms: threads, single texts, contradictions, and life without scikit-learn."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import likely.vectorize
import numpy as np
import pytest
from likely.errors import OptionError, TextError, UnknownOptionError
from likely.vectorize import CountVectorizer, HashingVectorizer
from scipy.sparse import vstack
from sklearn.base import clone

DOCUMENTS = ["So, so good", "good été, good", "", "Bad: so bad"]


def dense(matrix: Any) -> list[list[float]]:
    rows: list[list[float]] = matrix.toarray().tolist()
    return rows


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_do_not_matter(threads: int) -> None:
    documents = [f"word{i % 97} Wort{i % 89} {'x' * (i % 60)} é{i % 7}" for i in range(30_000)]
    for vectorizer in (CountVectorizer(ngram_range=(1, 2)), CountVectorizer(analyzer="char_wb", ngram_range=(2, 3))):
        expected = vectorizer.set_params(threads=1).fit_transform(documents)
        found = clone(vectorizer).set_params(threads=threads).fit_transform(documents)
        assert (found != expected).nnz == 0
        assert (vectorizer.set_params(threads=threads).transform(documents) != expected).nnz == 0


@pytest.mark.parametrize(
    "params", [{}, {"binary": True}, {"dtype": np.float64}, {"dtype": np.int8}, {"ngram_range": (1, 2)}]
)
def test_one_text_at_a_time_gives_the_same_rows(params: dict[str, Any]) -> None:
    documents = [*DOCUMENTS, "", "É so so", "\ud800 so", "unknown", "so good " * 5000, b"so bytes"]
    vectorizer = CountVectorizer(**params).fit(documents)
    whole = vectorizer.transform(documents)
    for _ in range(2):
        rows = [vectorizer.transform([document]) for document in documents]
        assert {row.dtype for row in rows} == {whole.dtype}
        assert dense(vstack(rows)) == dense(whole)
    rows[0].data[:] = 9
    assert dense(vectorizer.transform(documents[:1])) == dense(whole[:1])
    with pytest.raises(TextError, match="row 1 is of type int"):
        vectorizer.transform([3])


def test_contradictions_are_named() -> None:
    with pytest.raises(OptionError, match=r"max_df corresponds to < documents than min_df: 1 is at most 1 of 4"):
        CountVectorizer(max_df=1, min_df=2).fit(DOCUMENTS)
    with pytest.raises(OptionError, match="min_df is 0: give a share"):
        CountVectorizer(min_df=0).fit(DOCUMENTS)
    with pytest.raises(OptionError, match="no terms remain"):
        CountVectorizer(min_df=3).fit(DOCUMENTS)
    with pytest.raises(OptionError, match="partial_fit keeps every term"):
        CountVectorizer(min_df=2).partial_fit(DOCUMENTS)
    with pytest.raises(UnknownOptionError, match="no parameter 'lower_case': did you mean 'lowercase'"):
        CountVectorizer().set_params(lower_case=True)
    with pytest.raises(OptionError, match="empty sequence"):
        HashingVectorizer().transform([])


def test_works_without_scikit_learn_and_scipy_until_a_matrix_is_made() -> None:
    script = """
import sys
sys.modules["sklearn"] = None
from likely.vectorize import CountVectorizer
vectorizer = CountVectorizer().fit(["so good"])
assert "scipy" not in sys.modules
assert vectorizer.transform(["good"]).shape == (1, 2)
try:
    CountVectorizer(stop_words="english").fit(["the"])
except ValueError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert "install scikit-learn, or give a list of words" in done.stdout


def test_the_public_names() -> None:
    assert all(hasattr(likely.vectorize, name) for name in likely.vectorize.__all__)

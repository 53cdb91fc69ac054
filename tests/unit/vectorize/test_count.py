"""Counts of terms: single texts, containers, contradictions, and who counts: the kernel or scikit-learn."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import likely.vectorize
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.errors import OptionError, TextError
from likely.vectorize import CountVectorizer, HashingVectorizer
from likely.vectorize.matrix import weigh_rows
from scipy.sparse import vstack
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer as Theirs

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
    with pytest.raises(OptionError, match="no parameter 'lower_case': did you mean 'lowercase'"):
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
try:
    CountVectorizer(tokenizer=str.split).fit(["the"])
except ValueError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    assert done.stdout.count("install scikit-learn, or give a list of words") == 2


def test_the_public_names() -> None:
    assert all(hasattr(likely.vectorize, name) for name in likely.vectorize.__all__)


def test_any_container_of_texts_will_do() -> None:
    expected = dense(CountVectorizer().fit_transform(DOCUMENTS))
    containers = [
        tuple(DOCUMENTS),
        iter(DOCUMENTS),
        dict.fromkeys(DOCUMENTS),
        np.array(DOCUMENTS),
        np.array(DOCUMENTS, dtype=object),
        pl.Series(DOCUMENTS),
        pa.array(DOCUMENTS),
        pa.chunked_array([DOCUMENTS[:1], DOCUMENTS[1:]]),
        [text.encode() for text in DOCUMENTS],
    ]
    for documents in containers:
        assert dense(CountVectorizer().fit_transform(documents)) == expected
    for documents in (pl.Series(DOCUMENTS), pa.array(DOCUMENTS)):
        assert dense(CountVectorizer(token_pattern=r"[^\W\d]{2,}").fit_transform(documents)) == expected


def test_files_and_their_names(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"caf\xe9 noir")
    by_name = CountVectorizer(input="filename", encoding="latin-1").fit([path, str(path)])
    assert list(by_name.vocabulary_) == ["café", "noir"]
    with path.open("rb") as file:
        ignoring = CountVectorizer(input="file", decode_error="ignore").fit([file])
    assert list(ignoring.vocabulary_) == ["caf", "noir"]
    with pytest.raises(UnicodeDecodeError):
        CountVectorizer().fit([path.read_bytes()])


def test_functions_and_overridden_methods_are_handed_to_scikit_learn() -> None:
    class Stemmed(CountVectorizer):
        def build_analyzer(self) -> Any:
            analyze = super().build_analyzer()
            return lambda document: [term[:3] for term in analyze(document)]

    assert list(Stemmed().fit(["walking walks talked"]).vocabulary_) == ["tal", "wal"]
    native: list[dict[str, Any]] = [
        {},
        {"token_pattern": r"\b\w+\b"},
        {"analyzer": "char"},
        {"stop_words": ["a"], "strip_accents": "ascii"},
    ]
    plain: list[dict[str, Any]] = [
        {"token_pattern": r"\S+"},
        {"preprocessor": str},
        {"strip_accents": str},
        {"analyzer": str.split},
    ]
    assert all(CountVectorizer(**params)._kernel() is not None for params in native)
    assert all(CountVectorizer(**params)._kernel() is None for params in plain)
    words = CountVectorizer(analyzer=lambda numbers: numbers).fit([[3, 1], [1]])
    assert repr(words.vocabulary_) == "{1: 0, 3: 1}"


def test_bad_documents_are_named() -> None:
    with pytest.raises(TextError, match=r"row 2 is missing"):
        CountVectorizer().fit(["a", None])
    with pytest.raises(TextError, match=r"row 2 is of type int"):
        CountVectorizer().fit(["a", 3])


bounds = st.one_of(st.integers(1, 4), st.sampled_from([0.0, 0.25, 0.5, 0.75, 1.0]))
documents = st.lists(
    st.lists(st.sampled_from(["aa", "bb", "cc", "dd"]), max_size=5).map(" ".join), min_size=1, max_size=6
)


@given(documents, bounds, bounds, st.sampled_from([None, 1, 2, 3]), st.booleans())
def test_the_same_columns_as_scikit_learn_or_an_error_where_it_has_one(
    texts: list[str], most: Any, least: Any, features: int | None, binary: bool
) -> None:
    params: dict[str, Any] = {"max_df": most, "min_df": least, "max_features": features, "binary": binary}
    try:
        expected = Theirs(**params).fit(texts).vocabulary_
    except ValueError:
        with pytest.raises(OptionError):
            CountVectorizer(**params).fit(texts)
        return
    assert CountVectorizer(**params).fit(texts).vocabulary_ == expected


@pytest.mark.parametrize("rows", [0, 1, 2])
def test_few_rows_are_as_scipy_makes_them(rows: int) -> None:
    from scipy.sparse import csr_matrix

    vectorizer = CountVectorizer().fit(DOCUMENTS)
    for _ in range(2):  # the second time by a shorter way
        made = vectorizer.transform(DOCUMENTS[:rows])
        expected = csr_matrix((made.data, made.indices, made.indptr), shape=made.shape)
        assert expected.has_canonical_format
        assert vars(made).keys() == vars(expected).keys()
        assert (made + made - 2 * expected).nnz == 0
        assert made[:, 0].shape == (rows, 1)
        assert made.T.tocsr().shape == made.shape[::-1]


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_rows_are_weighed_whatever_their_index(index: Any) -> None:
    values = np.array([3.0, 4.0, 2.0])
    parts = values, np.array([0, 1, 1], dtype=index), np.array([0, 2, 2, 3], dtype=index)
    weigh_rows(parts, np.array([1.0, 0.5]), sublinear=False, norm="l1", threads=1)
    np.testing.assert_allclose(values, [0.6, 0.4, 1.0])

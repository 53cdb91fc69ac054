"""The drop-in vectorizers: what they add to scikit-learn's, what they refuse, and how they are kept."""

from __future__ import annotations

import copy
import gc
import pickle
import subprocess
import sys
import weakref
from pathlib import Path
from typing import Any

import likely.vectorize
import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from likely.errors import LikelyError, NotFittedError, OptionError, TextError, UnknownOptionError
from likely.vectorize import CountVectorizer, HashingVectorizer, TfidfVectorizer
from likely.vectorize.drop_in.routes import NativeRoute, PlainRoute, route_of
from likely.vectorize.drop_in.sparse import weigh_rows
from scipy.sparse import vstack
from sklearn.base import clone
from sklearn.exceptions import NotFittedError as TheirNotFittedError
from sklearn.utils.validation import check_is_fitted

DOCUMENTS = ["So, so good", "good été, good", "", "Bad: so bad"]
ALL = [CountVectorizer, TfidfVectorizer, HashingVectorizer]


def dense(matrix: Any) -> list[list[float]]:
    rows: list[list[float]] = matrix.toarray().tolist()
    return rows


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


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_threads_do_not_matter(threads: int) -> None:
    documents = [f"word{i % 97} Wort{i % 89} {'x' * (i % 60)} é{i % 7}" for i in range(30_000)]
    for vectorizer in (CountVectorizer(ngram_range=(1, 2)), CountVectorizer(analyzer="char_wb", ngram_range=(2, 3))):
        expected = vectorizer.set_params(threads=1).fit_transform(documents)
        found = clone(vectorizer).set_params(threads=threads).fit_transform(documents)
        assert (found != expected).nnz == 0
        assert (vectorizer.set_params(threads=threads).transform(documents) != expected).nnz == 0


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
    with pytest.raises(TextError, match="row 0 is of type int"):
        vectorizer.transform([3])


def test_terms_come_after_those_that_are_there() -> None:
    vectorizer = CountVectorizer(ngram_range=(1, 2))
    batches = [["bb aa"], ["zz aa", "cc bb aa"], [], ["é"], ["aa"]]
    sizes = []
    for batch in batches:
        vectorizer.partial_fit(batch)
        sizes.append(vectorizer.transform(["aa zz bb aa"]).shape[1])
    assert sizes == [3, 7, 7, 7, 7]
    assert list(vectorizer.vocabulary_) == ["aa", "bb", "bb aa", "cc", "cc bb", "zz", "zz aa"]
    assert dense(vectorizer.transform(["zz aa bb aa"])) == [[2, 1, 1, 0, 0, 1, 1]]


@pytest.mark.parametrize("tokenizer", [None, str.split])
def test_partial_fit_ends_where_fit_does(tokenizer: Any) -> None:
    params: dict[str, Any] = {"tokenizer": tokenizer, "token_pattern": None} if tokenizer else {}
    whole = TfidfVectorizer(**params).fit(DOCUMENTS)
    parts = TfidfVectorizer(**params)
    for document in DOCUMENTS:
        parts.partial_fit([document])
    order = [parts.vocabulary_[term] for term in whole.get_feature_names_out()]
    np.testing.assert_allclose(parts.idf_[order], whole.idf_, rtol=1e-15)
    np.testing.assert_allclose(
        parts.transform(DOCUMENTS).toarray()[:, order], whole.transform(DOCUMENTS).toarray(), rtol=1e-14
    )


@pytest.mark.parametrize(
    "params", [{}, {"ngram_range": (1, 2), "stop_words": ["so"]}, {"tokenizer": str.split, "token_pattern": None}]
)
def test_kept_by_pickle_and_copy(params: dict[str, Any]) -> None:
    for kind in (CountVectorizer, TfidfVectorizer):
        vectorizer = kind(**params).fit([*DOCUMENTS, "\ud800 é"])
        for other in (pickle.loads(pickle.dumps(vectorizer)), copy.deepcopy(vectorizer)):
            assert dense(other.transform(DOCUMENTS)) == dense(vectorizer.transform(DOCUMENTS))
            assert other.vocabulary_ == vectorizer.vocabulary_
            assert other.partial_fit(["new"]).vocabulary_["new"] == len(vectorizer.vocabulary_)


def test_parameters_can_change_after_fit() -> None:
    vectorizer = CountVectorizer().fit(["aa bb cc"])
    assert dense(vectorizer.transform(["AA aa bb"])) == [[2, 1, 0]]
    assert dense(vectorizer.set_params(lowercase=False).transform(["AA aa bb"])) == [[1, 1, 0]]
    assert dense(vectorizer.set_params(stop_words=["aa"]).transform(["AA aa bb"])) == [[0, 1, 0]]
    assert dense(vectorizer.set_params(tokenizer=str.split, token_pattern=None).transform(["aa bb,"])) == [[0, 0, 0]]
    assert dense(vectorizer.set_params(binary=True, stop_words=None).transform(["bb bb"])) == [[0, 1, 0]]
    vectorizer.vocabulary_ = {"bb": 1, "dd": 0}
    assert dense(vectorizer.transform(["dd bb"])) == [[1, 1]]
    assert vectorizer.set_params(dtype=np.float32).transform(["dd bb"]).dtype == np.float32


def test_another_vocabulary_needs_other_weights() -> None:
    vectorizer = TfidfVectorizer(norm=None).fit(["aa bb cc"])
    for columns in ({"bb": 0}, {"aa": 0, "bb": 1, "cc": 2, "dd": 3}):
        vectorizer.vocabulary_ = columns
        with pytest.raises(ValueError, match=f"idf_ is of 3 terms, but vocabulary_ has {len(columns)}"):
            vectorizer.transform(["aa bb dd"])
    vectorizer.idf_ = np.array([1.0, 2.0, 3.0, 4.0])
    assert dense(vectorizer.transform(["aa bb dd"])) == [[1, 2, 0, 4]]


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_rows_are_weighed_whatever_their_index(index: Any) -> None:
    values = np.array([3.0, 4.0, 2.0])
    parts = values, np.array([0, 1, 1], dtype=index), np.array([0, 2, 2, 3], dtype=index)
    weigh_rows(parts, np.array([1.0, 0.5]), sublinear=False, norm="l1", threads=1)
    np.testing.assert_allclose(values, [0.6, 0.4, 1.0])


def test_callables_and_subclasses_take_the_slower_path() -> None:
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
    assert all(isinstance(route_of(CountVectorizer(**params), 1), NativeRoute) for params in native)
    assert all(isinstance(route_of(CountVectorizer(**params), 1), PlainRoute) for params in plain)
    words = CountVectorizer(analyzer=lambda numbers: numbers).fit([[3, 1], [1]])
    assert words.vocabulary_ == {1: 0, 3: 1}


def test_a_vocabulary_of_anything() -> None:
    given = CountVectorizer(vocabulary={"new york": 1, "york": 0}, ngram_range=(1, 2))
    assert dense(given.transform(["New York"])) == [[1, 1]]
    of_tuples = CountVectorizer(vocabulary=[("a",), ("b",)], analyzer=lambda text: [(text,)])
    assert dense(of_tuples.transform(["b", "c"])) == [[0, 1], [0, 0]]


@pytest.mark.parametrize("kind", ALL)
@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"analyzer": "words"}, r"analyzer is 'words': give 'word', 'char', 'char_wb' or a function"),
        ({"ngram_range": (2, 1)}, r"ngram_range=\(2, 1\) lower boundary larger"),
        ({"ngram_range": 2}, "ngram_range is 2: give a pair"),
        ({"token_pattern": "(a"}, r"token_pattern is '\(a': give a regular expression that compiles"),
        ({"stop_words": "klingon"}, "stop_words is 'klingon': give 'english', a list of words or None"),
        ({"strip_accents": "all"}, "strip_accents is 'all': give 'ascii', 'unicode', None or a function"),
        ({"decode_error": "skip"}, "decode_error is 'skip': give 'strict'"),
        ({"threads": 0}, "threads is 0: give a whole number from 1"),
        ({"lowercase": "yes"}, "lowercase is 'yes': give True or False"),
    ],
)
def test_bad_parameters_are_named_with_the_choices(kind: Any, params: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        kind(**params).fit_transform(DOCUMENTS)


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


def test_bad_documents_are_named() -> None:
    with pytest.raises(TextError, match=r"row 1 is missing"):
        CountVectorizer().fit(["a", None])
    with pytest.raises(TextError, match=r"row 1 is of type int"):
        CountVectorizer().fit(["a", 3])


def test_not_fitted_is_known_to_scikit_learn() -> None:
    for kind in (CountVectorizer, TfidfVectorizer):
        with pytest.raises(TheirNotFittedError) as caught:
            kind().transform(DOCUMENTS)
        assert isinstance(caught.value, NotFittedError | LikelyError)
        assert not hasattr(kind(), "vocabulary_")
        with pytest.raises(TheirNotFittedError):
            check_is_fitted(kind())
        check_is_fitted(kind().fit(DOCUMENTS))
    check_is_fitted(HashingVectorizer())


def test_nothing_keeps_a_vectorizer_alive() -> None:
    vectorizer = CountVectorizer().fit(DOCUMENTS)
    vectorizer.transform(DOCUMENTS)
    seen = weakref.ref(vectorizer)
    gc.disable()
    try:
        del vectorizer
        assert seen() is None
    finally:
        gc.enable()


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


@pytest.mark.parametrize("kind", ALL)
def test_shown_with_what_differs(kind: Any) -> None:
    assert repr(kind()) == f"{kind.__name__}()"
    assert repr(kind(ngram_range=(1, 2), lowercase=False)) == f"{kind.__name__}(lowercase=False, ngram_range=(1, 2))"


def test_the_public_names() -> None:
    assert all(hasattr(likely.vectorize, name) for name in likely.vectorize.__all__)

"""What a fitted vectorizer keeps, and how it is kept."""

from __future__ import annotations

import copy
import gc
import pickle
import weakref
from typing import Any

import numpy as np
import pytest
from likely.errors import LikelyError, NotFittedError
from likely.vectorize import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.exceptions import NotFittedError as TheirNotFittedError
from sklearn.utils.validation import check_is_fitted

DOCUMENTS = ["So, so good", "good été, good", "", "Bad: so bad"]


def dense(matrix: Any) -> list[list[float]]:
    rows: list[list[float]] = matrix.toarray().tolist()
    return rows


@pytest.mark.parametrize(
    "params", [{}, {"ngram_range": (1, 2), "stop_words": ["so"]}, {"tokenizer": str.split, "token_pattern": None}]
)
def test_kept_by_pickle_and_copy(params: dict[str, Any]) -> None:
    for kind in (CountVectorizer, TfidfVectorizer):
        vectorizer = kind(**params).fit([*DOCUMENTS, "\ud800 é"])
        for other in (pickle.loads(pickle.dumps(vectorizer)), copy.deepcopy(vectorizer)):
            assert dense(other.transform(DOCUMENTS)) == dense(vectorizer.transform(DOCUMENTS))
            assert other.vocabulary_ == vectorizer.vocabulary_


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


def test_a_vocabulary_of_anything() -> None:
    given = CountVectorizer(vocabulary={"new york": 1, "york": 0}, ngram_range=(1, 2))
    assert dense(given.transform(["New York"])) == [[1, 1]]
    of_tuples = CountVectorizer(vocabulary=[("a",), ("b",)], analyzer=lambda text: [(text,)])
    assert dense(of_tuples.transform(["b", "c"])) == [[0, 1], [0, 0]]


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

"""Tf-idf: weights that follow the vocabulary."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from likely.vectorize import TfidfVectorizer

DOCUMENTS = ["So, so good", "good été, good", "", "Bad: so bad"]


def dense(matrix: Any) -> list[list[float]]:
    rows: list[list[float]] = matrix.toarray().tolist()
    return rows


def test_another_vocabulary_needs_other_weights() -> None:
    vectorizer = TfidfVectorizer(norm=None).fit(["aa bb cc"])
    for columns in ({"bb": 0}, {"aa": 0, "bb": 1, "cc": 2, "dd": 3}):
        vectorizer.vocabulary_ = columns
        with pytest.raises(ValueError, match=f"idf_ is of 3 terms, but vocabulary_ has {len(columns)}"):
            vectorizer.transform(["aa bb dd"])
    vectorizer.idf_ = np.array([1.0, 2.0, 3.0, 4.0])
    assert dense(vectorizer.transform(["aa bb dd"])) == [[1, 2, 0, 4]]


def test_functions_give_the_same_weights_as_the_kernel() -> None:
    vectorizer = TfidfVectorizer(token_pattern=r"(?u)\b\w+\b").fit(DOCUMENTS)
    own = TfidfVectorizer(tokenizer=re.compile(r"\w+").findall, token_pattern=None)
    assert dense(own.fit_transform(DOCUMENTS)) == dense(vectorizer.transform(DOCUMENTS))
    assert own.idf_.tolist() == vectorizer.idf_.tolist()
    vectorizer.set_params(tokenizer=str.split, token_pattern=None)
    assert dense(vectorizer.transform(["good so bad"])) == dense(own.transform(["good so bad"]))
    own.set_params(tokenizer=None, token_pattern=r"\w+")
    assert dense(own.transform(DOCUMENTS)) == dense(own.fit_transform(DOCUMENTS))

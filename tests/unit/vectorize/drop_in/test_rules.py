"""The rules of scikit-learn: the same terms, the same warnings, errors with what to do."""

from __future__ import annotations

import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.errors import OptionError
from likely.vectorize import CountVectorizer
from sklearn.feature_extraction.text import CountVectorizer as Theirs

PARAMETERS: list[dict[str, Any]] = [
    {},
    {"lowercase": False},
    {"strip_accents": "unicode"},
    {"strip_accents": "ascii", "lowercase": False},
    {"token_pattern": r"(?u)\b\w+\b", "ngram_range": (1, 2)},
    {"token_pattern": r"a(b+)"},
    {"stop_words": ["so", "été"]},
    {"analyzer": "char", "ngram_range": (2, 3)},
    {"analyzer": "char_wb", "ngram_range": (1, 3)},
    {"preprocessor": str.upper, "tokenizer": str.split, "token_pattern": None},
    {"analyzer": str.split},
]


@pytest.mark.parametrize("params", PARAMETERS, ids=str)
@given(text=st.text("abé É-so .1", max_size=20))
def test_the_analyzer_gives_the_same_terms(params: dict[str, Any], text: str) -> None:
    ours, theirs = CountVectorizer(**params).build_analyzer(), Theirs(**params).build_analyzer()
    assert list(ours(text)) == list(theirs(text))
    assert list(ours(text.encode())) == list(theirs(text.encode()))


def told(kind: Any, params: dict[str, Any]) -> list[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        kind(**params).fit(["so good", "bad"])
    return sorted(str(each.message) for each in found)


@pytest.mark.parametrize(
    "params",
    [
        {"tokenizer": str.split},
        {"analyzer": str.split, "ngram_range": (1, 2), "preprocessor": str},
        {"analyzer": "char", "stop_words": ["a"]},
        {"analyzer": "char", "tokenizer": str.split, "token_pattern": None},
        {"stop_words": ["don't"]},
        {"stop_words": ["so", "SO"]},
        {},
    ],
    ids=str,
)
def test_the_same_warnings(params: dict[str, Any]) -> None:
    assert told(CountVectorizer, params) == told(Theirs, params)


def test_a_list_of_stop_words_is_checked_once() -> None:
    vectorizer = CountVectorizer(stop_words=["don't"])
    with pytest.warns(UserWarning, match="inconsistent"):
        vectorizer.build_analyzer()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        vectorizer.build_analyzer()


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"token_pattern": None}, "token_pattern is None: give a regular expression"),
        ({"token_pattern": "(a)(b)"}, "More than 1 capturing group"),
        ({"token_pattern": "("}, "does not compile"),
        ({"stop_words": "german"}, "not a built-in stop list: german"),
        ({"analyzer": "words"}, "words is not a valid tokenization scheme"),
        ({"strip_accents": "all"}, '"strip_accents": all'),
    ],
)
def test_what_cannot_be_built_says_what_to_give(params: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError) as caught:
        CountVectorizer(**params).build_analyzer()
    assert message in str(caught.value)

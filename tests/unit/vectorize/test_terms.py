"""The terms of a document: those of scikit-learn, with the same warnings."""

from __future__ import annotations

import re
import sys
import warnings
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.vectorize import CountVectorizer
from likely.vectorize.terms import END, FIRST, changed, only_ascii, ranges, without_accents
from sklearn.feature_extraction.text import CountVectorizer as Theirs
from sklearn.feature_extraction.text import strip_accents_ascii, strip_accents_unicode

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


EVERYTHING = "".join(map(chr, range(FIRST, 0x3000)))


@given(st.text())
def test_accents_are_stripped_as_scikit_learn_does(text: str) -> None:
    assert without_accents(text) == strip_accents_unicode(text)
    assert only_ascii(text) == strip_accents_ascii(text)


def test_all_code_points_but_ascii_are_asked_for() -> None:
    assert (128, sys.maxunicode + 1) == (FIRST, END)


def test_ranges_hold_the_characters_that_match_and_no_others() -> None:
    inside = {code for first, end in ranges(r"\w+", EVERYTHING) for code in range(first, end)}
    assert inside == {ord(c) for c in EVERYTHING if re.match(r"\w", c)}


def test_what_changes_is_every_character_that_becomes_another() -> None:
    found = {chr(code): folded.decode() for code, folded in changed(str.lower, EVERYTHING)}
    assert found == {c: c.lower() for c in EVERYTHING if c.lower() != c}
    assert found["É"] == "é"
    assert dict(changed(str, EVERYTHING)) == {}

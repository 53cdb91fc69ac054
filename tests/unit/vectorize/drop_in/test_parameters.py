"""Parameters of the vectorizers: refused with the choices, and shown."""

from __future__ import annotations

from typing import Any

import pytest
from likely.errors import OptionError
from likely.vectorize import CountVectorizer, HashingVectorizer, TfidfVectorizer

DOCUMENTS = ["So, so good", "good été, good", "", "Bad: so bad"]


ALL = [CountVectorizer, TfidfVectorizer, HashingVectorizer]


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


@pytest.mark.parametrize("kind", ALL)
def test_shown_with_what_differs(kind: Any) -> None:
    assert repr(kind()) == f"{kind.__name__}()"
    assert repr(kind(ngram_range=(1, 2), lowercase=False)) == f"{kind.__name__}(lowercase=False, ngram_range=(1, 2))"

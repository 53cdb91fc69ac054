"""Parameters as scikit-learn has them: read from the constructor, set by name, shown, refused with the choices."""

from __future__ import annotations

from typing import Any

import pytest
from likely.errors import OptionError, UnknownOptionError
from likely.vectorize import CountVectorizer, HashingVectorizer, TfidfVectorizer
from sklearn.base import clone

ALL = [CountVectorizer, TfidfVectorizer, HashingVectorizer]


@pytest.mark.parametrize("kind", ALL)
def test_shown_with_what_differs(kind: Any) -> None:
    assert repr(kind()) == f"{kind.__name__}()"
    assert repr(kind(ngram_range=(1, 2), lowercase=False)) == f"{kind.__name__}(lowercase=False, ngram_range=(1, 2))"


@pytest.mark.parametrize("kind", ALL)
def test_unknown_parameters_are_named(kind: Any) -> None:
    with pytest.raises(TypeError, match=f"{kind.__name__} has no parameter 'n_gram_range': did you"):
        kind(n_gram_range=(1, 2))
    with pytest.raises(UnknownOptionError, match=r"its parameters are .*analyzer, binary,"):
        kind().set_params(zzz=1)
    with pytest.raises(TypeError):
        kind("content")


def test_subclasses_may_have_parameters_of_their_own() -> None:
    class Longer(CountVectorizer):
        def __init__(self, *, least: int = 3, ngram_range: tuple[int, int] = (1, 1)) -> None:
            super().__init__(ngram_range=ngram_range)
            self.least = least

        def build_tokenizer(self) -> Any:
            return lambda text: [word for word in text.split() if len(word) >= self.least]

    longer = Longer(least=4)
    assert longer.get_params() == {"least": 4, "ngram_range": (1, 1)}
    assert repr(longer) == "Longer(least=4)"
    assert list(clone(longer).fit(["a fine day"]).vocabulary_) == ["fine"]


DOCUMENTS = ["So, so good", "good été, good", "", "Bad: so bad"]


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

"""The parameters of the three vectorizers: their types, their default values, and what each value may be."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, Literal, SupportsFloat, SupportsIndex, TypeAlias, TypedDict

import numpy as np

from likely.options.kinds import MOST_THREADS, is_finite, is_whole

if TYPE_CHECKING:
    import numpy.typing as npt

TOKEN_PATTERN = r"(?u)\b\w\w+\b"  # noqa: S105

Input: TypeAlias = Literal["content", "filename", "file"]
DecodeError: TypeAlias = Literal["strict", "ignore", "replace"]
StripAccents: TypeAlias = Literal["ascii", "unicode"] | Callable[[str], str] | None
Preprocessor: TypeAlias = Callable[..., object] | None
Tokenizer: TypeAlias = Callable[..., Iterable[object]] | None
StopWords: TypeAlias = Literal["english"] | list[str] | tuple[str, ...] | set[str] | frozenset[str] | None
Unit: TypeAlias = Literal["word", "char", "char_wb"] | Callable[..., Iterable[object]]
Vocabulary: TypeAlias = Mapping[str, int] | Iterable[object] | None
Norm: TypeAlias = Literal["l1", "l2"] | None


class TextParameters(TypedDict, total=False):
    """The parameters that all three vectorizers have."""

    input: Input
    encoding: str
    decode_error: DecodeError
    strip_accents: StripAccents
    lowercase: bool
    preprocessor: Preprocessor
    tokenizer: Tokenizer
    stop_words: StopWords
    token_pattern: str | None
    ngram_range: tuple[int, int]
    analyzer: Unit
    binary: bool
    dtype: npt.DTypeLike
    threads: int | None


class CountParameters(TextParameters, total=False):
    """The parameters of `CountVectorizer`."""

    max_df: float
    min_df: float
    max_features: int | None
    vocabulary: Vocabulary


class TfidfParameters(CountParameters, total=False):
    """The parameters of `TfidfVectorizer`."""

    norm: Norm
    use_idf: bool
    smooth_idf: bool
    sublinear_tf: bool


class HashingParameters(TextParameters, total=False):
    """The parameters of `HashingVectorizer`."""

    n_features: int
    norm: Norm
    alternate_sign: bool


TEXT_DEFAULTS: TextParameters = {
    "input": "content",
    "encoding": "utf-8",
    "decode_error": "strict",
    "strip_accents": None,
    "lowercase": True,
    "preprocessor": None,
    "tokenizer": None,
    "stop_words": None,
    "token_pattern": TOKEN_PATTERN,
    "ngram_range": (1, 1),
    "analyzer": "word",
    "binary": False,
    "dtype": np.float64,
    "threads": None,
}
COUNT_DEFAULTS: CountParameters = {
    **TEXT_DEFAULTS,
    "dtype": np.int64,
    "max_df": 1.0,
    "min_df": 1,
    "max_features": None,
    "vocabulary": None,
}
TFIDF_DEFAULTS: TfidfParameters = {
    **COUNT_DEFAULTS,
    "dtype": np.float64,
    "norm": "l2",
    "use_idf": True,
    "smooth_idf": True,
    "sublinear_tf": False,
}
HASHING_DEFAULTS: HashingParameters = {**TEXT_DEFAULTS, "n_features": 2**20, "norm": "l2", "alternate_sign": True}


@dataclass(frozen=True)
class Parameter:
    """What a parameter may be, in words and as a test."""

    allowed: str
    is_allowed: Callable[[object], bool]


def _choice(*choices: str | None, or_callable: bool = False) -> Parameter:
    allowed = ", ".join(map(repr, choices)) + (" or a function" if or_callable else "")
    return Parameter(allowed, lambda value: (or_callable and callable(value)) or _is_one_of(value, choices))


def _whole(least: int, most: int | None = None, *, or_none: str | None = None) -> Parameter:
    """A whole number from the least to the most, both included; None too, if its meaning is given."""
    allowed = f"a whole number from {least}" + ("" if most is None else f" to {most}") + (or_none or "")
    bounds = least, math.inf if most is None else most
    return Parameter(allowed, lambda value: (or_none is not None and value is None) or _is_whole(value, *bounds))


def _is_one_of(value: object, choices: tuple[str | None, ...]) -> bool:
    return value is None if not isinstance(value, str) else value in choices


def _is_whole(value: object, least: float, most: float = math.inf) -> bool:
    return is_whole(value) and isinstance(value, SupportsIndex) and least <= index(value) <= most


def _is_truth(value: object) -> bool:
    return type(value).__name__ in ("bool", "bool_")


def _is_frequency(value: object) -> bool:
    if is_whole(value):
        return _is_whole(value, 1)
    return is_finite(value) and isinstance(value, SupportsFloat) and 0 <= float(value) <= 1


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple | list) and len(value) == 2 and all(map(is_whole, value))


def _is_words(value: object) -> bool:
    return value is None or value == "english" or isinstance(value, list | tuple | set | frozenset)


def _is_pattern(value: object) -> bool:
    try:
        return value is None or (isinstance(value, str) and re.compile(value) is not None)
    except re.error:
        return False


def _is_terms(value: object) -> bool:
    return value is None or (isinstance(value, Iterable) and not isinstance(value, str))


_TRUTH = Parameter("True or False", _is_truth)
_FUNCTION = Parameter("a function or None", lambda value: value is None or callable(value))
_FREQUENCY = Parameter("a share from 0.0 to 1.0 or a number of texts from 1", _is_frequency)

PARAMETERS = {
    "input": _choice("filename", "file", "content"),
    "encoding": Parameter("the name of an encoding", lambda value: isinstance(value, str)),
    "decode_error": _choice("strict", "ignore", "replace"),
    "strip_accents": _choice("ascii", "unicode", None, or_callable=True),
    "lowercase": _TRUTH,
    "preprocessor": _FUNCTION,
    "tokenizer": _FUNCTION,
    "stop_words": Parameter("'english', a list of words or None", _is_words),
    "token_pattern": Parameter("a regular expression that compiles, or None", _is_pattern),
    "ngram_range": Parameter("a pair of whole numbers such as (1, 2)", _is_pair),
    "analyzer": _choice("word", "char", "char_wb", or_callable=True),
    "max_df": _FREQUENCY,
    "min_df": _FREQUENCY,
    "max_features": _whole(1, or_none=", or None"),
    "vocabulary": Parameter("terms, a mapping of them to columns, or None", _is_terms),
    "binary": _TRUTH,
    "norm": _choice("l1", "l2", None),
    "use_idf": _TRUTH,
    "smooth_idf": _TRUTH,
    "sublinear_tf": _TRUTH,
    "n_features": _whole(1, 2**31 - 2),
    "alternate_sign": _TRUTH,
    "threads": _whole(1, MOST_THREADS, or_none=", or None for one thread per processor"),
}
"""What each parameter may be; each vectorizer has some of them. ``dtype`` is left to numpy."""

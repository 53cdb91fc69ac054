"""The parameters of the three vectorizers: types, defaults, checks, and scikit-learn's conventions for them."""

from __future__ import annotations

import difflib
import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from operator import index
from typing import TYPE_CHECKING, ClassVar, Literal, Self, SupportsFloat, SupportsIndex, TypeAlias, TypedDict

import numpy as np

from likely.errors import OptionError, UnknownOptionError
from likely.options.kinds import MOST_THREADS, is_finite, is_whole

if TYPE_CHECKING:
    import numpy.typing as npt
    from sklearn.utils import Tags

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


@dataclass(frozen=True)
class Parameter:
    """The default of a parameter, and what it may be, in words and as a test."""

    default: object
    allowed: str
    is_allowed: Callable[[object], bool]


def _choice(default: str | None, *choices: str | None, or_callable: bool = False) -> Parameter:
    allowed = ", ".join(map(repr, choices)) + (" or a function" if or_callable else "")
    return Parameter(
        default, allowed, lambda value: (or_callable and callable(value)) or (_is_name(value) and value in choices)
    )


def _truth(default: bool) -> Parameter:
    return Parameter(default, "True or False", lambda value: type(value).__name__ in ("bool", "bool_"))


def _is_name(value: object) -> bool:
    return value is None or isinstance(value, str)


def _is_whole(value: object, least: float, most: float = math.inf) -> bool:
    return is_whole(value) and isinstance(value, SupportsIndex) and least <= index(value) <= most


def _is_frequency(value: object) -> bool:
    if is_whole(value):
        return _is_whole(value, 1)
    return is_finite(value) and isinstance(value, SupportsFloat) and 0 <= float(value) <= 1


def _is_pair(value: object) -> bool:
    return isinstance(value, tuple | list) and len(value) == 2 and all(map(is_whole, value))


def _is_words(value: object) -> bool:
    return value is None or value == "english" or isinstance(value, list | tuple | set | frozenset)


def _is_function(value: object) -> bool:
    return value is None or callable(value)


def _is_pattern(value: object) -> bool:
    try:
        return value is None or (isinstance(value, str) and re.compile(value) is not None)
    except re.error:
        return False


def _is_terms(value: object) -> bool:
    return value is None or (isinstance(value, Iterable) and not isinstance(value, str))


_FREQUENCY = "a share from 0.0 to 1.0 or a number of texts from 1"

PARAMETERS = {
    "input": _choice("content", "content", "filename", "file"),
    "encoding": Parameter("utf-8", "the name of an encoding", lambda value: isinstance(value, str)),
    "decode_error": _choice("strict", "strict", "ignore", "replace"),
    "strip_accents": _choice(None, "ascii", "unicode", None, or_callable=True),
    "lowercase": _truth(True),
    "preprocessor": Parameter(None, "a function or None", _is_function),
    "tokenizer": Parameter(None, "a function or None", _is_function),
    "stop_words": Parameter(None, "'english', a list of words or None", _is_words),
    "token_pattern": Parameter(TOKEN_PATTERN, "a regular expression that compiles, or None", _is_pattern),
    "ngram_range": Parameter((1, 1), "a pair of whole numbers such as (1, 2)", _is_pair),
    "analyzer": _choice("word", "word", "char", "char_wb", or_callable=True),
    "max_df": Parameter(1.0, _FREQUENCY, _is_frequency),
    "min_df": Parameter(1, _FREQUENCY, _is_frequency),
    "max_features": Parameter(
        None, "a whole number from 1, or None", lambda value: value is None or _is_whole(value, 1)
    ),
    "vocabulary": Parameter(None, "terms, a mapping of them to columns, or None", _is_terms),
    "binary": _truth(False),
    "dtype": Parameter(np.float64, "a type of numpy", lambda _: True),  # numpy checks it
    "norm": _choice("l2", "l1", "l2", None),
    "use_idf": _truth(True),
    "smooth_idf": _truth(True),
    "sublinear_tf": _truth(False),
    "n_features": Parameter(
        2**20, "a whole number from 1 to 2147483646", lambda value: _is_whole(value, 1, 2**31 - 2)
    ),
    "alternate_sign": _truth(True),
    "threads": Parameter(
        None,
        f"a whole number from 1 to {MOST_THREADS}, or None for one thread per processor",
        lambda value: value is None or _is_whole(value, 1, MOST_THREADS),
    ),
}
"""All parameters; each vectorizer has some of them. The type of `CountVectorizer` is int64 by default."""


def defaults_of(parameters: type) -> dict[str, object]:
    """The defaults of the parameters that a ``TypedDict`` names."""
    return {name: PARAMETERS[name].default for name in parameters.__annotations__}


class Parameterized:
    """Parameters as attributes, with scikit-learn's `get_params`, `set_params` and tags.

    A subclass says in ``_defaults`` which parameters its constructor takes and what they are by default. The
    constructor then shows these parameters as its signature, which is where scikit-learn looks for them.
    """

    _defaults: ClassVar[Mapping[str, object]]
    _requires_fit: ClassVar[bool] = True
    _ready: object
    """What was made from the parameters; None once one of them changes."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "_defaults" in vars(cls):
            vars(cls)["__init__"].__signature__ = _signature(cls._defaults)

    def _take(self, params: Mapping[str, object]) -> None:
        """Set every parameter: to what is given, else to its default."""
        self._check_names(params, self._defaults)
        for name, default in self._defaults.items():
            setattr(self, name, params.get(name, default))

    @classmethod
    def _check_names(cls, given: Iterable[str], names: Iterable[str]) -> None:
        known = sorted(names)
        for name in given:
            if name not in known:
                close = difflib.get_close_matches(name, known, n=1)
                hint = f"did you mean {close[0]!r}?" if close else f"its parameters are {', '.join(known)}"
                raise UnknownOptionError(f"{cls.__name__} has no parameter {name!r}: {hint}")

    @classmethod
    def _names(cls) -> list[str]:
        return sorted(name for name in inspect.signature(cls.__init__).parameters if name != "self")

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if name in PARAMETERS:
            self.__dict__["_ready"] = None

    def get_params(self, deep: bool = True) -> dict[str, object]:
        """The value of each parameter, by name; ``deep`` is accepted because scikit-learn passes it."""
        del deep
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: object) -> Self:
        """Change some parameters. They are checked when they are used."""
        self._check_names(params, self._names())
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def _check_params(self) -> None:
        for name, value in self.get_params().items():
            parameter = PARAMETERS.get(name)
            if parameter and not parameter.is_allowed(value):
                raise OptionError(f"{name} is {value!r}: give {parameter.allowed}")

    def __repr__(self) -> str:
        defaults = inspect.signature(type(self).__init__).parameters
        values = self.get_params().items()
        changed = [f"{name}={value!r}" for name, value in values if repr(value) != repr(defaults[name].default)]
        return f"{type(self).__name__}({', '.join(changed)})"

    def __getstate__(self) -> dict[str, object]:
        return self.__dict__ | {"_ready": None}

    def __sklearn_tags__(self) -> Tags:
        # Only scikit-learn calls this, so it can be imported.
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
            input_tags=InputTags(two_d_array=False, string=True),
            requires_fit=self._requires_fit,
        )


def _signature(defaults: Mapping[str, object]) -> inspect.Signature:
    """The signature of a constructor that takes these parameters by name."""
    named = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value) for name, value in defaults.items()
    ]
    return inspect.Signature([inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD), *named])

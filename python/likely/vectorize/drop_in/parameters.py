"""The parameters of the vectorizers: scikit-learn's names and conventions, checked when they are used."""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, Self

from likely.errors import OptionError, UnknownOptionError
from likely.options.kinds import MOST_THREADS, is_finite, is_whole

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Parameter:
    """What a parameter can be, in words and as a test."""

    allowed: str
    is_allowed: Callable[[Any], bool]


def _choice(*choices: str | None, or_callable: bool = False) -> Parameter:
    allowed = ", ".join(map(repr, choices)) + (" or a function" if or_callable else "")
    return Parameter(allowed, lambda value: (or_callable and callable(value)) or _is_one_of(value, choices))


def _is_one_of(value: Any, choices: tuple[str | None, ...]) -> bool:
    return value is None if not isinstance(value, str) else value in choices


def _is_truth(value: Any) -> bool:
    return type(value).__name__ in ("bool", "bool_")


def _is_frequency(value: Any) -> bool:
    if is_whole(value):
        return bool(value >= 1)
    return is_finite(value) and bool(0 <= value <= 1)


def _is_pair(value: Any) -> bool:
    return isinstance(value, tuple | list) and len(value) == 2 and all(map(is_whole, value))


def _is_words(value: Any) -> bool:
    return value is None or value == "english" or isinstance(value, list | tuple | set | frozenset)


def _is_pattern(value: Any) -> bool:
    try:
        return value is None or (isinstance(value, str) and re.compile(value) is not None)
    except re.error:
        return False


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
    "max_features": Parameter("a whole number from 1, or None", lambda n: n is None or (is_whole(n) and n >= 1)),
    "vocabulary": Parameter("terms, a mapping of them to columns, or None", lambda v: v is None or _is_terms(v)),
    "binary": _TRUTH,
    "norm": _choice("l1", "l2", None),
    "use_idf": _TRUTH,
    "smooth_idf": _TRUTH,
    "sublinear_tf": _TRUTH,
    "n_features": Parameter(f"a whole number from 1 to {2**31 - 2}", lambda n: is_whole(n) and 1 <= n < 2**31 - 1),
    "alternate_sign": _TRUTH,
    "threads": Parameter(
        f"a whole number from 1 to {MOST_THREADS}, or None for one a processor",
        lambda n: n is None or (is_whole(n) and 1 <= n <= MOST_THREADS),
    ),
}
"""All of them; each vectorizer has some. ``dtype`` is left to numpy."""


def _is_terms(value: Any) -> bool:
    return isinstance(value, Iterable) and not isinstance(value, str)


class Parameterized:
    """Parameters as attributes, with scikit-learn's `get_params`, `set_params` and tags."""

    _requires_fit: ClassVar[bool] = True
    _ready: Any
    """What was made from the parameters; None once one of them changes."""

    @classmethod
    def _names(cls) -> list[str]:
        return sorted(name for name in inspect.signature(cls.__init__).parameters if name != "self")

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name in PARAMETERS or name == "dtype":
            self.__dict__["_ready"] = None

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters and their values; ``deep`` is accepted as scikit-learn passes it."""
        del deep
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: Any) -> Self:
        """Change some parameters; they are checked when they are used."""
        names = self._names()
        for name in params:
            if name not in names:
                close = difflib.get_close_matches(name, names, n=1)
                hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(names)}"
                raise UnknownOptionError(f"{type(self).__name__} has no parameter {name!r}: {hint}")
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

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_ready": None}

    def __sklearn_tags__(self) -> Any:
        # Only scikit-learn calls this, so it is there to import.
        from sklearn.utils import InputTags, Tags, TargetTags, TransformerTags

        return Tags(
            estimator_type=None,
            target_tags=TargetTags(required=False),
            transformer_tags=TransformerTags(),
            input_tags=InputTags(two_d_array=False, string=True),
            requires_fit=self._requires_fit,
        )

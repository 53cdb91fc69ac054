"""Parameters as scikit-learn has them: each a field of a vectorizer with its default and a check."""

from __future__ import annotations

import difflib
import inspect
import re
from collections.abc import Iterable, Mapping
from dataclasses import Field, field, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Self, TypeAlias

from likely.errors import OptionError
from likely.options.kinds import Kind, is_finite, is_truth, is_whole

if TYPE_CHECKING:
    from sklearn.utils import Tags

TOKEN_PATTERN = r"(?u)\b\w\w+\b"  # noqa: S105

Vocabulary: TypeAlias = Mapping[str, int] | Iterable[object] | None
Norm: TypeAlias = Literal["l1", "l2"] | None


def parameter(default: Any, kind: Kind | None = None) -> Any:
    """A field of a vectorizer. Without a kind, whoever uses the value checks it."""
    return field(default=default, metadata={"kind": kind})


def one_of(*choices: str | None, or_function: bool = False) -> Kind:
    """A few names, None if that is one of them, and functions if these are allowed too."""

    def is_allowed(value: object) -> bool:
        return (or_function and callable(value)) or ((value is None or isinstance(value, str)) and value in choices)

    return Kind(", ".join(map(repr, choices)) + (" or a function" if or_function else ""), is_allowed)


def _is_frequency(value: object) -> bool:
    return value >= 1 if is_whole(value) else is_finite(value) and 0 <= value <= 1


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


TRUTH = Kind("True or False", is_truth)
FUNCTION = Kind("a function or None", lambda value: value is None or callable(value))
ENCODING = Kind("the name of an encoding", lambda value: isinstance(value, str))
WORDS = Kind("'english', a list of words or None", _is_words)
PATTERN = Kind("a regular expression that compiles, or None", _is_pattern)
PAIR = Kind("a pair of whole numbers such as (1, 2)", _is_pair)
FREQUENCY = Kind("a share from 0.0 to 1.0 or a number of texts from 1", _is_frequency)
TERMS = Kind("terms, a mapping of them to columns, or None", _is_terms)


class Parameterized:
    """The parameters of a dataclass, with scikit-learn's `get_params`, `set_params` and tags."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    _requires_fit: ClassVar[bool] = True
    _ready: Any = None
    """What was made from the parameters; None once one of them changes."""

    def __new__(cls, *_: object, **params: object) -> Self:
        """A vectorizer, unless one of its parameters does not exist: the constructor would not say which is meant."""
        cls._check_names(params)
        return super().__new__(cls)

    @classmethod
    def _check_names(cls, given: Iterable[str]) -> None:
        known = cls._names()
        for name in given:
            if name not in known:
                close = difflib.get_close_matches(name, known, n=1)
                hint = f"did you mean {close[0]!r}?" if close else f"its parameters are {', '.join(known)}"
                raise OptionError(f"{cls.__name__} has no parameter {name!r}: {hint}")

    @classmethod
    def _names(cls) -> list[str]:
        return sorted(name for name in inspect.signature(cls.__init__).parameters if name != "self")

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if name in self.__dataclass_fields__:
            self.__dict__["_ready"] = None

    def get_params(self, deep: bool = True) -> dict[str, object]:
        """The value of each parameter, by name; ``deep`` is accepted because scikit-learn passes it."""
        del deep
        return {name: getattr(self, name) for name in self._names()}

    def set_params(self, **params: object) -> Self:
        """Change some parameters. They are checked when they are used."""
        self._check_names(params)
        for name, value in params.items():
            setattr(self, name, value)
        return self

    def _check_params(self) -> None:
        for each in fields(self):
            kind, value = each.metadata["kind"], getattr(self, each.name)
            if kind is not None and not kind.check(value):
                raise OptionError(f"{each.name} is {value!r}: give {kind.allowed}")

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

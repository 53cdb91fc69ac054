"""Parameters as attributes of a vectorizer, by scikit-learn's conventions."""

from __future__ import annotations

import difflib
import inspect
from typing import TYPE_CHECKING, ClassVar, Self

from likely.errors import OptionError, UnknownOptionError
from likely.vectorize.drop_in.parameters import PARAMETERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from sklearn.utils import Tags


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
        if name in PARAMETERS or name == "dtype":
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

"""Naive Bayes text classification: fast, exact, and explained."""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from likely import errors, vectorize
    from likely.analyze import analyze
    from likely.evaluate import Evaluation, evaluate
    from likely.explain import Explanation
    from likely.model import NaiveBayes, load
    from likely.train import train

    __version__: str

__all__ = ["Evaluation", "Explanation", "NaiveBayes", "analyze", "errors", "evaluate", "load", "train", "vectorize"]

_HOMES = {
    "Evaluation": "evaluate",
    "Explanation": "explain",
    "NaiveBayes": "model",
    "analyze": "analyze",
    "evaluate": "evaluate",
    "load": "model",
    "train": "train",
}


class _Package(ModuleType):
    """What is public is loaded when it is first asked for, so that ``likely --help`` need not wait for numpy."""

    def __getattr__(self, name: str) -> Any:
        value: Any
        if name == "__version__":
            from importlib.metadata import version

            value = version("likely")
        elif name in _HOMES:
            value = getattr(import_module(f"likely.{_HOMES[name]}"), name)
        elif name in __all__:
            return import_module(f"likely.{name}")
        else:
            raise AttributeError(f"module 'likely' has no attribute {name!r}")
        super().__setattr__(name, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        # Python names a package's modules in it as they are loaded; `likely.evaluate` is to be the function.
        if not (name in _HOMES and isinstance(value, ModuleType)):
            super().__setattr__(name, value)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *__all__, "__version__"})


sys.modules[__name__].__class__ = _Package

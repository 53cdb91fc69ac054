"""Naive Bayes text classification: fast, exact, and explained."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likely import errors, vectorize
    from likely.analysis.analyzer import analyze
    from likely.evaluation.evaluate import evaluate
    from likely.evaluation.evaluation import Evaluation
    from likely.explanation.explanation import Explanation
    from likely.model.naive_bayes import NaiveBayes, load
    from likely.training.train import train

    __version__: str

__all__ = ["Evaluation", "Explanation", "NaiveBayes", "analyze", "errors", "evaluate", "load", "train", "vectorize"]

_HOMES = {
    "Evaluation": "evaluation.evaluation",
    "Explanation": "explanation.explanation",
    "NaiveBayes": "model.naive_bayes",
    "analyze": "analysis.analyzer",
    "evaluate": "evaluation.evaluate",
    "load": "model.naive_bayes",
    "train": "training.train",
}
"""Where each public name is defined. It is loaded on first use, so that ``likely --help`` need not wait for numpy."""


def __getattr__(name: str) -> object:
    value: object
    if name == "__version__":
        from likely import _native

        value = _native.VERSION
    elif name in _HOMES:
        value = getattr(import_module(f"likely.{_HOMES[name]}"), name)
    elif name in __all__:
        return import_module(f"likely.{name}")
    else:
        raise AttributeError(f"module 'likely' has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "__version__"})

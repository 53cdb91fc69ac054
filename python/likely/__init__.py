"""Naive Bayes text classification: fast, exact, and explained."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from likely import drawing

if TYPE_CHECKING:
    from likely import errors, vectorize
    from likely.batch.select import select
    from likely.core.analyzer import analyze
    from likely.evaluation.compare import compare
    from likely.evaluation.evaluate import evaluate
    from likely.evaluation.evaluation import Evaluation
    from likely.explanation.explanation import Explanation
    from likely.model.measuring import check, cross_validate, hold_out, learning_curve, leave_one_out
    from likely.model.naive_bayes import NaiveBayes, load
    from likely.model.train import train

    __version__: str

__all__ = [
    "Evaluation",
    "Explanation",
    "NaiveBayes",
    "analyze",
    "check",
    "compare",
    "cross_validate",
    "errors",
    "evaluate",
    "hold_out",
    "learning_curve",
    "leave_one_out",
    "load",
    "select",
    "train",
    "vectorize",
]

_HOMES = {
    "Evaluation": "evaluation.evaluation",
    "Explanation": "explanation.explanation",
    "NaiveBayes": "model.naive_bayes",
    "analyze": "core.analyzer",
    "check": "model.measuring",
    "compare": "evaluation.compare",
    "cross_validate": "model.measuring",
    "evaluate": "evaluation.evaluate",
    "hold_out": "model.measuring",
    "learning_curve": "model.measuring",
    "leave_one_out": "model.measuring",
    "load": "model.naive_bayes",
    "select": "batch.select",
    "train": "model.train",
}
"""Where each public name is defined. It is loaded on first use, so that ``likely --help`` need not wait for numpy."""

_DRAWN = {"evaluation_html": "pages", "explanation_html": "pages", "plot_evaluation": "plots"}
"""The modules of `likely.report` with the functions that evaluations and explanations are drawn with."""


def _draw(name: str, *arguments: object) -> object:
    return getattr(import_module(f"likely.report.{_DRAWN[name]}"), name)(*arguments)


drawing.draw = _draw


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

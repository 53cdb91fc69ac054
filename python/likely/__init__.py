"""Naive Bayes text classification: fast, exact, and explained."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from likely import drawing

if TYPE_CHECKING:
    from likely import errors, vectorize
    from likely.core.analyzer import analyze
    from likely.evaluation.evaluate import evaluate
    from likely.evaluation.evaluation import Evaluation
    from likely.explanation.explanation import Explanation
    from likely.model.comparing import compare
    from likely.naive_bayes import NaiveBayes, load
    from likely.selecting.select import select
    from likely.training.check.data_check import check
    from likely.training.curve import learning_curve
    from likely.training.evaluations import cross_validate, hold_out, leave_one_out
    from likely.training.train import train

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
    "NaiveBayes": "naive_bayes",
    "analyze": "core.analyzer",
    "check": "training.check.data_check",
    "compare": "model.comparing",
    "cross_validate": "training.evaluations",
    "evaluate": "evaluation.evaluate",
    "hold_out": "training.evaluations",
    "learning_curve": "training.curve",
    "leave_one_out": "training.evaluations",
    "load": "naive_bayes",
    "select": "selecting.select",
    "train": "training.train",
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

"""Naive Bayes text classification: fast, exact, and explained."""

from __future__ import annotations

from importlib.metadata import version

from likely import errors, vectorize
from likely.analyze import analyze
from likely.evaluate import Evaluation, evaluate
from likely.explain import Explanation
from likely.model import NaiveBayes

__all__ = ["Evaluation", "Explanation", "NaiveBayes", "analyze", "errors", "evaluate", "vectorize"]

__version__ = version("likely")

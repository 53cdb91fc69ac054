"""`likely` on Spark: train a model, predict and learn where the data lies.

| module | contents |
| --- | --- |
| `spark.training` | `train`: a DataFrame of labelled texts becomes a model |
| `spark.predicting` | `predict`: a DataFrame gets columns with predictions |
| `spark.learning` | `learn`, `forget`: a model changes by the rows of a DataFrame |
| `spark.pipeline` | an estimator and its model for Spark ML pipelines |
| `spark.frame` | `Frame`: what workers make of a DataFrame: counts and samples |
| `spark.session` | `start_session`, and the one place where ``mapInArrow`` is called |
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from likely.extras import extra

if TYPE_CHECKING:
    from likely.spark.learning import forget, learn
    from likely.spark.pipeline import LikelyNaiveBayes, LikelyNaiveBayesModel
    from likely.spark.predicting import predict
    from likely.spark.session import start_session
    from likely.spark.training import train

__all__ = [
    "LikelyNaiveBayes",
    "LikelyNaiveBayesModel",
    "forget",
    "learn",
    "predict",
    "start_session",
    "train",
]

_HOMES = {
    "LikelyNaiveBayes": "pipeline",
    "LikelyNaiveBayesModel": "pipeline",
    "forget": "learning",
    "learn": "learning",
    "predict": "predicting",
    "start_session": "session",
    "train": "training",
}
"""Where each public name is defined. It is loaded on first use, and pyspark with it."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'likely.spark' has no attribute {name!r}")
    extra("pyspark", "Spark")
    value: object = getattr(import_module(f"likely.spark.{_HOMES[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})

"""`likely` on Spark: train a model, predict and learn where the data lies.

| module | contents |
| --- | --- |
| `spark.training` | `train`: a DataFrame becomes a model; `learn`, `forget`: a model changes by its rows |
| `spark.predicting` | `predict`: a DataFrame gets columns with predictions |
| `spark.pipeline` | an estimator and its model for Spark ML pipelines |
| `spark.frame` | `Frame`: what workers make of a DataFrame: counts and samples |
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from likely.extras import extra

if TYPE_CHECKING:
    from likely.spark.pipeline import LikelyNaiveBayes, LikelyNaiveBayesModel
    from likely.spark.predicting import predict
    from likely.spark.training import forget, learn, train

__all__ = [
    "LikelyNaiveBayes",
    "LikelyNaiveBayesModel",
    "forget",
    "learn",
    "predict",
    "train",
]

_HOMES = {
    "LikelyNaiveBayes": "pipeline",
    "LikelyNaiveBayesModel": "pipeline",
    "forget": "training",
    "learn": "training",
    "predict": "predicting",
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

"""`likely` on Spark: train a model, predict and learn where the data lies.

| module | contents |
| --- | --- |
| `spark.training` | `train`: a DataFrame becomes a model; `learn`, `forget`: a model changes by its rows |
| `spark.predicting` | `predict`: a DataFrame gets columns with predictions |
| `spark.pipeline` | an estimator and its model for Spark ML pipelines |
| `spark.frame` | `start_session`; `Frame`: what workers make of a DataFrame: counts and samples |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.extras import extra
from likely.lazy_names import loaded_on_use

if TYPE_CHECKING:
    from likely.spark.frame import start_session
    from likely.spark.pipeline import LikelyNaiveBayes, LikelyNaiveBayesModel
    from likely.spark.predicting import predict
    from likely.spark.training import forget, learn, train

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
    "forget": "training",
    "learn": "training",
    "predict": "predicting",
    "start_session": "frame",
    "train": "training",
}
"""Where each public name is defined. It is loaded on first use, and pyspark with it."""

__getattr__, __dir__ = loaded_on_use(__name__, _HOMES, before=lambda: extra("pyspark", "Spark"))

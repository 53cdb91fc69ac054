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

from typing import TYPE_CHECKING

from likely.extras import extra
from likely.lazy_names import loaded_on_use

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

__getattr__, __dir__ = loaded_on_use(__name__, _HOMES, before=lambda: extra("pyspark", "Spark"))

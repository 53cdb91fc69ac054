"""`likely` on Spark: a model is trained, applied, evaluated and changed where the data lies.

| module | contents |
| --- | --- |
| `spark.session` | `start_session`: a session of Spark, whose local workers run the Python of the driver |
| `spark.mapping` | `mapped`: the one place where ``mapInArrow`` is called |
| `spark.carrying` | `carry`: a model reaches every executor once |
| `spark.predicting` | `predict`: a DataFrame gets columns with predictions |
| `spark.evaluating` | `evaluate`: predictions are compared with gold labels on the cluster |
| `spark.learning` | `learn`, `forget`: a model changes by the rows of a DataFrame |
| `spark.streaming`, `spark.journal` | `learner`: a model file learns each batch of a stream exactly once |
| `spark.pipeline`, `spark.stored` | an estimator and its model for the pipelines of Spark ML |
| `spark.files` | files in Parquet, CSV or JSON as DataFrames, and the other way round |
| `spark.shipping` | `ship`: the package reaches executors on which it is not installed |
| `spark.frame` | `Frame`: what workers make of a DataFrame: counts and samples |
| `spark.transfer` | record batches from workers to the driver |
| `spark.training` | `train`: a DataFrame of labelled texts becomes a model |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.extras import extra
from likely.lazy_names import loaded_on_use

if TYPE_CHECKING:
    from likely.spark.evaluating import evaluate
    from likely.spark.learning import forget, learn
    from likely.spark.pipeline import LikelyNaiveBayes, LikelyNaiveBayesModel
    from likely.spark.predicting import predict
    from likely.spark.session import start_session
    from likely.spark.shipping import ship
    from likely.spark.streaming import learner
    from likely.spark.training import train

__all__ = [
    "LikelyNaiveBayes",
    "LikelyNaiveBayesModel",
    "evaluate",
    "forget",
    "learn",
    "learner",
    "predict",
    "ship",
    "start_session",
    "train",
]

_HOMES = {
    "LikelyNaiveBayes": "pipeline",
    "LikelyNaiveBayesModel": "pipeline",
    "evaluate": "evaluating",
    "forget": "learning",
    "learn": "learning",
    "learner": "streaming",
    "predict": "predicting",
    "ship": "shipping",
    "start_session": "session",
    "train": "training",
}
"""Where each public name is defined. It is loaded on first use, and pyspark with it."""

__getattr__, __dir__ = loaded_on_use(__name__, _HOMES, before=lambda: extra("pyspark", "Spark"))

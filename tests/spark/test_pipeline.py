"""The estimator and its model in a pipeline of Spark ML: tuned, saved and loaded."""

from __future__ import annotations

import gc
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from likely import NaiveBayes, load, train
from likely.core import file as model_file
from likely.errors import NotFittedError, OptionError, SourceError
from likely.options.model import MODEL
from likely.spark import LikelyNaiveBayes, LikelyNaiveBayesModel

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

TEXTS = ["good fun", "so good", "dull plot", "so dull", "fun, good fun", "a dull, dull film"]
TAGS = ["pos", "pos", "neg", "neg", "pos", "neg"]


@pytest.fixture(scope="module")
def reviews(spark: SparkSession) -> DataFrame:
    return spark.createDataFrame(list(zip(TEXTS, TAGS, strict=True)), "body string, tag string").cache()


def test_the_options_of_the_model_are_parameters(spark: SparkSession) -> None:
    estimator = LikelyNaiveBayes(textCol="body", alpha=0.5, ngrams=[1, 2])
    assert estimator.options == {"alpha": 0.5, "ngrams": (1, 2)}
    assert {param.name for param in estimator.params} >= {name for name in MODEL if MODEL[name].has_flag}
    assert estimator.setTextCol("x").setLabelCol("y").setPredictionCol("p").getTextCol() == "x"
    assert MODEL["alpha"].help in estimator.explainParam("alpha")
    assert estimator.copy({estimator.alpha: 2.0}).options["alpha"] == 2.0
    with pytest.raises(OptionError, match="alpha=-1"):
        LikelyNaiveBayes(alpha=-1)
    with pytest.raises(OptionError, match="alhpa"):
        LikelyNaiveBayes(alhpa=1)
    with pytest.raises(OptionError, match="tokenizer cannot be stored"):
        LikelyNaiveBayes(tokenizer=str.split)
    with pytest.raises(NotFittedError, match="no model"):
        _ = LikelyNaiveBayesModel().naive_bayes


# Spark leaves the pool of its cross-validation open.
@pytest.mark.filterwarnings("ignore:unclosed running multiprocessing pool", "ignore:Exception ignored in")
def test_a_pipeline_is_tuned_saved_and_loaded(spark: SparkSession, reviews: DataFrame, tmp_path: Path) -> None:
    from pyspark.ml import Pipeline, PipelineModel
    from pyspark.ml.evaluation import MulticlassClassificationEvaluator
    from pyspark.ml.feature import StringIndexer
    from pyspark.ml.tuning import CrossValidator, ParamGridBuilder

    indexer = StringIndexer(inputCol="tag", outputCol="number", stringOrderType="alphabetAsc")
    estimator = LikelyNaiveBayes(textCol="body", labelCol="number", variant="binary", calibrate=False)
    pipeline = Pipeline(stages=[indexer, estimator])
    grid = ParamGridBuilder().addGrid(estimator.alpha, [0.5, 1.0]).build()
    evaluator = MulticlassClassificationEvaluator(labelCol="number", metricName="accuracy")
    tuned = CrossValidator(estimator=pipeline, estimatorParamMaps=grid, evaluator=evaluator, numFolds=2, seed=1).fit(
        reviews
    )
    gc.collect()
    assert len(tuned.avgMetrics) == 2
    assert all(0 <= metric <= 1 for metric in tuned.avgMetrics)
    best: Any = tuned.bestModel
    found = best.transform(reviews)
    assert dict(found.dtypes)["prediction"] == "double"
    expected = [row.number for row in best.stages[0].transform(reviews).collect()]
    assert [row.prediction for row in found.collect()] == expected
    best.write().overwrite().save(str(tmp_path / "pipeline"))
    again: Any = PipelineModel.load(str(tmp_path / "pipeline"))
    one, other = (each.stages[1].naive_bayes for each in (best, again))
    assert model_file.to_bytes(one._snapshot()) == model_file.to_bytes(other._snapshot())
    assert again.stages[1].getTextCol() == "body"
    (file,) = (tmp_path / "pipeline").rglob("model.likely")
    assert load(file).classes_.tolist() == [0, 1]
    pipeline.save(str(tmp_path / "estimator"))
    stages: Any = Pipeline.load(str(tmp_path / "estimator")).getStages()
    assert stages[1].options == {"variant": "binary", "calibrate": False}


def test_labels_of_text_stay_text_and_the_counts_are_those_of_one_process(reviews: DataFrame) -> None:
    fitted = LikelyNaiveBayes(textCol="body", labelCol="tag", alpha=0.5).fit(reviews)
    expected = train(TEXTS, TAGS, alpha=0.5)._remember_columns(fitted.naive_bayes.columns_)
    one, other = (model_file.to_bytes(model._snapshot()) for model in (fitted.naive_bayes, expected))
    assert one == other
    rows = fitted.setPredictionCol("tone").transform(reviews).select("tone", "tone_probability").collect()
    assert [row.tone for row in rows] == expected.predict(TEXTS).tolist()


def test_a_row_without_a_prediction_is_not_a_number_for_evaluators(spark: SparkSession) -> None:
    model = NaiveBayes().fit(["good", "dull"], [1, 0])
    df = spark.createDataFrame([("good", 1.0), (None, 1.0)], "text string, label double")
    rows = LikelyNaiveBayesModel(model).transform(df).collect()
    assert rows[0].prediction == 1.0
    assert math.isnan(rows[1].prediction)
    assert rows[1].prediction_problem == "no text"
    with pytest.raises(SourceError, match="another predictionCol"):
        LikelyNaiveBayesModel(model).setPredictionCol("label").transform(df)

"""Training on Spark: the bytes of one process, whatever the partitions and the bad rows."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import likely
import pyarrow as pa
import pytest
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.errors import DataWarning, LabelError, SourceError, TextError, TrainingWarning
from likely.sample import load_sample
from likely.spark import train

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

WEIGHTS = (0.1, 1.0, 2.5)


def corpus() -> tuple[list[str], list[str]]:
    texts, labels = load_sample()
    return [*texts, "", "na\u00efve \u6f22\u5b57 \U0001f600"], [*labels, labels[0], labels[1]]


def frame(spark: SparkSession, columns: dict[str, list[Any]], partitions: int) -> DataFrame:
    """The rows in random order, in this many partitions, some of which are empty if there are many."""
    rows = list(zip(*columns.values(), strict=True))
    random.Random(partitions).shuffle(rows)
    return spark.createDataFrame(rows, list(columns)).repartition(partitions)


def data(model: NaiveBayes) -> bytes:
    """The bytes of a model, whatever the names of its columns, which texts in memory do not have."""
    return to_bytes(replace(model._snapshot(), columns=None))


def test_the_columns_are_remembered(spark: SparkSession) -> None:
    columns: dict[str, list[Any]] = {"body": ["good fun", "dull"], "tag": ["+", "-"], "weight": [1.0, 2.0]}
    found = train(frame(spark, columns, 2), "body", "tag", "weight", plain=True)
    expected = likely.train(pa.table(columns), text="body", label="tag", weight="weight", plain=True)
    assert found.columns_ == expected.columns_ is not None
    assert to_bytes(found._snapshot()) == to_bytes(expected._snapshot())


@pytest.mark.parametrize(
    ("partitions", "options"),
    [
        (1, {"ngrams": (1, 2), "variant": "binary"}),
        (7, {"weighting": "tfidf", "stop_words": "en"}),
        (200, {"ngrams": (1, 2), "punctuation": "keep", "calibrate": False}),
    ],
    ids=["1", "7", "200"],
)
def test_any_partitions_make_the_model_of_one_process(
    spark: SparkSession, partitions: int, options: dict[str, Any]
) -> None:
    texts, labels = corpus()
    expected = data(likely.train(texts, labels, **options))
    df = frame(spark, {"body": texts, "tag": labels}, partitions)
    assert data(train(df, text="body", label="tag", **options)) == expected


def test_options_are_chosen_as_in_one_process(spark: SparkSession) -> None:
    texts, labels = corpus()
    found = train(frame(spark, {"text": texts, "label": labels}, 3))
    assert found.tuning_ is not None
    assert data(found) == data(likely.train(texts, labels))


def test_rare_terms_are_dropped_on_the_cluster(spark: SparkSession) -> None:
    texts, labels = corpus()
    df = frame(spark, {"text": texts, "label": labels}, 3)
    whole = likely.train(texts, labels, ngrams=(1, 2), min_documents=3)
    with pytest.warns(TrainingWarning, match="terms in fewer than 3 documents were dropped, so .* prune=False keeps"):
        found = train(df, ngrams=(1, 2), min_documents=3)
    assert data(train(df, ngrams=(1, 2), min_documents=3, prune=True)) == data(found)
    assert data(found) == data(whole.pruned(min_documents=3))
    assert found._dropped_terms > 1000
    assert data(train(df, ngrams=(1, 2), min_documents=3, prune=False)) == data(whole)


@pytest.mark.parametrize(
    "options",
    [{"weighting": "tfidf", "norm": "l2"}, {"variant": "nbsvm", "calibrate": False}],
    ids=["l2", "nbsvm"],
)
def test_options_that_read_twice_work(spark: SparkSession, options: dict[str, Any]) -> None:
    texts, labels = corpus()
    texts, labels = texts[::3], labels[::3]
    df = frame(spark, {"text": texts, "label": labels}, 3)
    assert data(train(df, **options)) == data(likely.train(texts, labels, **options))


def test_weights_are_exact(spark: SparkSession) -> None:
    texts, labels = corpus()
    weights = [WEIGHTS[at % 3] for at in range(len(texts))]
    df = frame(spark, {"text": texts, "label": [len(label) for label in labels], "w": weights}, 5)
    model = NaiveBayes(alpha=0.5, calibrate=False, thresholds={})
    expected = data(model.fit(texts, [len(label) for label in labels], weights))
    assert data(train(df, weight="w", alpha=0.5, calibrate=False, thresholds={})) == expected


def test_bad_rows_are_counted_and_told(spark: SparkSession) -> None:
    rows = [("good", 1.0), ("so good", 1.0), ("bad", 2.0), (None, 2.0), ("lost", None), ("half", 0.5)]
    df = spark.createDataFrame(rows, "text string, label double")
    with pytest.warns(DataWarning, match="3 of 6 rows were left out"):
        model = train(df, plain=True)
    assert data(model) == data(likely.train(["good", "so good", "bad"], [1, 1, 2], plain=True))
    with pytest.raises(SourceError, match="none of the 1 rows can be learned"):
        train(df.where("text is null"), plain=True)


def test_wrong_columns_are_named(spark: SparkSession) -> None:
    df = spark.createDataFrame([("good", 1, b"x")], "text string, label int, data binary")
    with pytest.raises(SourceError, match="there is no column 'body', but 'text', 'label', 'data'"):
        train(df, text="body")
    with pytest.raises(TextError, match="the column 'label' is of type int: texts are strings"):
        train(df, text="label")
    with pytest.raises(LabelError, match="'data' is of type binary"):
        train(df, label="data")
    weighted = df.selectExpr("text", "label", "array(1.0) as w")
    with pytest.raises(SourceError, match=r"'w' is of type array<.*>: weights are numbers"):
        train(weighted, weight="w")

"""Predictions of a DataFrame: all columns stay, bad rows have a problem, and the model travels once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from likely import NaiveBayes
from likely.batch.scoring import score
from likely.errors import OptionError, SourceError
from likely.spark import forget, learn, predict, train
from likely.spark.frame import mapped
from likely.spark.predicting import carried, carry

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS = [(1, "so good", [1]), (2, None, []), (3, "dull 😀", [3]), (4, "", None), (5, "größer so", [5, 5])]


@pytest.fixture(scope="module")
def model() -> NaiveBayes:
    return NaiveBayes(abstain=0.4).fit(["good fun", "so good", "dull plot", "so so"], ["+", "+", "-", "?"])


def test_the_columns_are_those_of_one_process(spark: SparkSession, model: NaiveBayes) -> None:
    df = spark.createDataFrame(ROWS, "id int, `the body` string, more array<int>").repartition(3)
    found = predict(df, model, "the body", top=2)
    ids, bodies, more = zip(*ROWS, strict=True)
    columns = {
        "id": pa.array(ids, pa.int32()),
        "the body": pa.array(bodies),
        "more": pa.array(more, pa.list_(pa.int32())),
    }
    expected = pa.Table.from_batches(score([pa.record_batch(columns)], model, text="the body", top=2))
    assert found.columns == expected.schema.names
    assert found.toArrow().sort_by("id").to_pylist() == expected.to_pylist()


def test_a_worker_loads_a_model_once_and_uses_its_own_processors(spark: SparkSession, model: NaiveBayes) -> None:
    name = carry(spark, model)
    assert carry(spark, model) == name

    def identities(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import os

        for _ in batches:
            found = carried(name)
            same = found is carried(name)
            yield pa.record_batch({"process": [os.getpid()], "same": [same], "threads": [found.threads]})

    rows = mapped(spark.range(8).repartition(4), identities, "process bigint, same boolean, threads bigint").collect()
    assert {(row.same, row.threads) for row in rows} == {(True, 1)}
    names = [path.rpartition("/")[2] for path in spark.sparkContext.listFiles]
    assert names.count(name) == 1


def test_what_cannot_work_is_refused_before_anything_runs(spark: SparkSession, model: NaiveBayes) -> None:
    df = spark.createDataFrame([("a", 1.0)], "text string, known double")
    with pytest.raises(SourceError, match="already have a column 'known'"):
        predict(df, model)
    with pytest.raises(SourceError, match="no column 'body'"):
        predict(df, model, "body", name="p")
    own = NaiveBayes(tokenizer=str.split).fit(["good", "bad"], [1, 0])
    with pytest.raises(OptionError, match="tokenizer of its own"):
        predict(df, own, name="p")


def test_arguments_of_wrong_types_are_named(spark: SparkSession, model: NaiveBayes) -> None:
    df: Any = spark.createDataFrame([("a", "+")], "text string, label string")
    wrong: Any = 3
    for call in (predict, learn, forget):
        with pytest.raises(OptionError, match="the model is of type int: give a NaiveBayes"):
            call(df, wrong)
        with pytest.raises(SourceError, match="expected a Spark DataFrame, but found list"):
            call([("a", "+")], model)  # type: ignore[arg-type]
        with pytest.raises(SourceError, match="named by a value of type int"):
            call(df, model, text=wrong)
        with pytest.raises(SourceError, match="named by a value of type Column"):
            call(df, model, text=df["text"])
    for call in (learn, forget):
        with pytest.raises(SourceError, match="named by a value of type int"):
            call(df, model, label=wrong)
    with pytest.raises(SourceError, match="expected a Spark DataFrame, but found list"):
        train([("a", "+")])  # type: ignore[arg-type]
    with pytest.raises(SourceError, match="named by a value of type int"):
        train(df, text=wrong)
    with pytest.raises(OptionError, match="prior=3 is not allowed"):
        predict(df, model, prior=wrong)
    with pytest.raises(OptionError, match="name=3 is not allowed"):
        predict(df, model, name=wrong)
    assert model.class_documents_.tolist() == [2, 1, 1]  # nothing was learned or forgotten


def test_columns_may_have_any_names(spark: SparkSession, model: NaiveBayes) -> None:
    df = spark.createDataFrame(
        [("so good", "+", 1.0), ("dull plot", "-", 2.0)], "`a.b` string, `a``b` string, a double"
    )
    found = predict(df, model, "a.b")
    assert found.columns[:4] == ["a.b", "a`b", "a", "prediction"]
    assert [(row["a`b"], row["prediction"]) for row in found.collect()] == [("+", "+"), ("-", "-")]
    assert train(df, text="a.b", label="a`b", weight="a", plain=True).class_documents_.tolist() == [1, 2]
    again = NaiveBayes().fit(["x", "y"], ["+", "-"])
    assert learn(df, again, "a.b", "a`b").class_documents_.tolist() == [2, 2]

"""Learning and forgetting on the cluster: the bytes are those of one process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.errors import NotAdditiveError, NotLearnedError, SkippedRowsWarning, UnknownClassError
from likely.spark import forget, learn

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TEXTS = ["good fun", "so good", "dull plot", "so so", "fun plot", "dull"]
TAGS = [1, 1, 0, 2, 1, 0]


@pytest.mark.parametrize("options", [{}, {"ngrams": (1, 2), "weighting": "tfidf"}], ids=["plain", "tfidf"])
def test_the_bytes_are_those_of_one_process(spark: SparkSession, options: dict[str, object]) -> None:
    rows = [(text, str(tag), 0.5 + tag) for text, tag in zip(TEXTS, TAGS, strict=True)]
    df = spark.createDataFrame(rows, "body string, tag string, times double").repartition(3)
    model = NaiveBayes(**options).fit(["good", "bad"], [1, 0])  # type: ignore[arg-type]
    before = to_bytes(model._snapshot())
    expected = NaiveBayes(**options).fit(["good", "bad"], [1, 0])  # type: ignore[arg-type]
    expected.learn(TEXTS, TAGS, [row[2] for row in rows])
    learned = learn(df, model, "body", "tag", "times")
    assert learned is model
    assert to_bytes(model._snapshot()) == to_bytes(expected._snapshot())
    assert to_bytes(forget(df, model, "body", "tag", "times")._snapshot()) == before


def test_a_model_that_has_learned_nothing_begins(spark: SparkSession) -> None:
    df = spark.createDataFrame(list(zip(TEXTS, TAGS, strict=True)), "text string, label int")
    model = learn(df, NaiveBayes(alpha=0.5))
    assert to_bytes(model._snapshot()) == to_bytes(NaiveBayes(alpha=0.5).fit(TEXTS, TAGS)._snapshot())


def test_what_cannot_be_learned_is_said(spark: SparkSession) -> None:
    df = spark.createDataFrame([("good", "1"), (None, "1"), ("bad", "x")], "text string, label string")
    model = NaiveBayes().fit(["good", "bad"], [1, 0])
    with pytest.warns(SkippedRowsWarning, match="2 of 3 rows were left out"):
        learn(df, model)
    assert model.class_documents_.tolist() == [1.0, 2.0]
    other = spark.createDataFrame([("good", 7)], "text string, label int")
    with pytest.raises(UnknownClassError, match="7"):
        learn(other, model, new_classes=False)
    with pytest.raises(NotLearnedError):
        forget(other, model)
    l2 = NaiveBayes(weighting="tfidf", norm="l2").fit(["good", "bad"], [1, 0])
    with pytest.raises(NotAdditiveError, match="norm='l2'"):
        learn(other, l2)

"""An evaluation on the cluster has the confusion counts of one process."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from likely import NaiveBayes
from likely.errors import SourceError
from likely.spark import evaluate

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TEXTS = ["good fun", "so good", "dull plot", "so so", "fun plot", "dull", "so dull", "unheard of", "good so"]
GOLD = [1, 1, 0, 2, 1, 0, 2, 0, 0]


def test_the_counts_are_those_of_one_process(spark: SparkSession) -> None:
    model = NaiveBayes().fit(TEXTS[:6], GOLD[:6])
    rows = [*zip(TEXTS, map(float, GOLD), strict=True), (None, 1.0), ("good", None)]
    df = spark.createDataFrame(rows, "body string, `the tag` double").repartition(3)
    found = evaluate(df, model, "body", "the tag", abstain=0.4)
    expected = model.evaluate(TEXTS, GOLD, abstain=0.4)
    assert found.confusion.tolist() == expected.confusion.tolist()
    assert found.abstained == expected.abstained
    assert found.coverage == expected.coverage
    assert found.confidence == pytest.approx(expected.confidence, rel=1e-12)
    assert found.notes[0] == "2 rows were left out: no text (1), no label (1)."
    with pytest.raises(SourceError, match="no column 'tag'"):
        evaluate(df, model, "body", "tag")

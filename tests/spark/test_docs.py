"""The examples of the pages about Spark run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.docs.pages import DOCS, Reader

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

PAGES = ["production/spark.md", "production/spark-ml.md", "coming-from/spark.md"]

ROWS = [
    ("good fun", "pos"),
    ("so good", "pos"),
    ("fun, good fun", "pos"),
    ("dull plot", "neg"),
    ("so dull", "neg"),
    ("a dull, dull film", "neg"),
]


@pytest.mark.parametrize("page", PAGES)
def test_the_examples_run(spark: SparkSession, page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    reviews = spark.createDataFrame(ROWS, "body string, tag string")
    names = {"__name__": "__main__", "spark": spark, "reviews": reviews, "folder": tmp_path}
    assert Reader(DOCS / page, names).read() >= 1

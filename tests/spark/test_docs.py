"""The examples of the page about Spark run."""

from __future__ import annotations

import doctest
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PAGE = Path(__file__).parents[2] / "docs" / "production" / "spark.md"

ROWS = [
    ("good fun", "pos"),
    ("so good", "pos"),
    ("fun, good fun", "pos"),
    ("dull plot", "neg"),
    ("so dull", "neg"),
    ("a dull, dull film", "neg"),
]


def test_the_examples_run(spark: SparkSession, tmp_path: Path) -> None:
    reviews = spark.createDataFrame(ROWS, "body string, tag string")
    found = doctest.testfile(
        str(PAGE),
        module_relative=False,
        globs={"spark": spark, "reviews": reviews, "folder": tmp_path},
        optionflags=doctest.NORMALIZE_WHITESPACE,
    )
    assert (found.attempted >= 10, found.failed) == (True, 0)

"""Files in the formats that Spark reads and writes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from likely.errors import SourceError
from likely.spark.files import chosen_columns, format_of, read_files, write_files

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS = [('a "quoted"\nfilm, größer', "pos"), ("so dull", "neg")]


@pytest.mark.parametrize("name", ["parquet", "csv", "tsv", "jsonl"])
def test_rows_survive_every_format(spark: SparkSession, tmp_path: Path, name: str) -> None:
    df = spark.createDataFrame(ROWS, "review string, tone string").coalesce(1)
    place = str(tmp_path / "rows")
    write_files(df, place, name)
    found = read_files(spark, [place], name)
    assert sorted(map(tuple, found.collect())) == sorted(ROWS)
    with pytest.raises(SourceError, match="cannot write"):
        write_files(df, place, name)


def test_columns_are_given_or_guessed(spark: SparkSession) -> None:
    df = spark.createDataFrame(
        [("so good a film", "pos"), ("how dull it is", "neg")] * 3, "review string, sentiment string"
    )
    found = chosen_columns(df, None, None, labelled=True)
    assert (found.text, found.label) == ("review", "sentiment")
    assert chosen_columns(df, "sentiment", None, labelled=False).text == "sentiment"
    with pytest.raises(SourceError, match="body"):
        chosen_columns(df, "body", "sentiment", labelled=True)


def test_the_format_follows_from_the_names(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    for name in ("_SUCCESS", ".part-0.csv.crc", "part-0.csv", "part-1.csv.gz"):
        (folder / name).touch()
    assert format_of([str(folder)]) == "csv"
    assert format_of([f"{folder}/*"]) == "csv"
    assert format_of(["hdfs://host/reviews"], "parquet") == "parquet"
    with pytest.raises(SourceError, match="unknown format: say which with --input-format"):
        format_of(["hdfs://host/reviews"])
    with pytest.raises(SourceError, match=r"several formats \(csv, parquet\)"):
        format_of([str(folder), "a.parquet"])
    with pytest.raises(SourceError, match="does not read excel"):
        format_of([], "excel")

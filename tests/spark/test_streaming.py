"""A model file learns a stream: every batch exactly once, although batches come again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from likely import NaiveBayes, load
from likely.errors import SkippedRowsWarning, SparkError
from likely.spark import learner, predict
from likely.storage.model_file import to_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from pyspark.sql import DataFrame, SparkSession

PARTS = [
    [("good fun", "pos"), ("dull", "neg")],
    [("so good", "pos")],
    [("so dull", "neg")],
]
SCHEMA = "body string, tag string"


def write(folder: Path, at: int) -> None:
    rows = [json.dumps({"body": text, "tag": tag}) for text, tag in PARTS[at]]
    (folder / f"{at}.json").write_text("\n".join(rows))


def run(spark: SparkSession, data: Path, checkpoint: Path, each: Callable[[DataFrame, int], None]) -> None:
    """Let a query read all that is there, one file per batch."""
    stream = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).json(str(data))
    query = (
        stream.writeStream.foreachBatch(each)
        .option("checkpointLocation", str(checkpoint))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()


def test_a_batch_that_comes_again_is_not_learned_twice(spark: SparkSession, tmp_path: Path) -> None:
    data, checkpoint, path = tmp_path / "data", tmp_path / "checkpoint", tmp_path / "m.likely"
    data.mkdir()
    for at in range(2):
        write(data, at)
    run(spark, data, checkpoint, learner(path, "body", "tag", alpha=0.5))
    learned = [row for part in PARTS[:2] for row in part]
    expected = NaiveBayes(alpha=0.5).fit([text for text, _ in learned], [tag for _, tag in learned])
    assert path.read_bytes() == to_bytes(expected._snapshot())
    # The process ends after the model was written, but before Spark notes that the batch is done.
    for name in ("1", ".1.crc"):
        (checkpoint / "commits" / name).unlink()
    write(data, 2)
    run(spark, data, checkpoint, learner(path, "body", "tag"))
    expected.learn(["so dull"], ["neg"])
    assert path.read_bytes() == to_bytes(expected._snapshot())
    # Another query, with a checkpoint of its own, counts its batches from 0 again.
    shutil.rmtree(checkpoint)
    shutil.rmtree(data)
    data.mkdir()
    write(data, 0)
    run(spark, data, checkpoint, learner(path, "body", "tag"))
    assert load(path).class_documents_.tolist() == [3.0, 3.0]
    found = predict(spark.readStream.schema(SCHEMA).json(str(data)), path, "body")
    query = found.writeStream.format("memory").queryName("found").trigger(availableNow=True).start()
    query.awaitTermination()
    assert {row.body: row.prediction for row in spark.table("found").collect()} == dict(PARTS[0])


def test_batches_without_usable_rows_change_nothing(spark: SparkSession, tmp_path: Path) -> None:
    path = tmp_path / "m.likely"
    NaiveBayes().fit(["good", "dull"], ["pos", "neg"]).save(path)
    before, each = path.read_bytes(), learner(path, "body", "tag")
    each(spark.createDataFrame([], SCHEMA), 0)
    each(spark.createDataFrame([(None, "pos")], SCHEMA), 1)
    assert path.read_bytes() == before
    NaiveBayes().fit(["so good", "dull"], ["pos", "neg"]).save(path)
    with pytest.raises(SparkError, match="has changed since it learned batch 1"):
        each(spark.createDataFrame([("good", "pos")], SCHEMA), 2)


def test_bad_rows_are_left_out(spark: SparkSession, tmp_path: Path) -> None:
    each = learner(tmp_path / "m.likely", "body", "tag")
    with pytest.warns(SkippedRowsWarning):
        each(spark.createDataFrame([("good", "pos"), (None, "pos")], SCHEMA), 0)
    assert load(tmp_path / "m.likely").class_documents_.tolist() == [1.0]

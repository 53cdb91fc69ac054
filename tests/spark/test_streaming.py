"""Streams: predictions, and the recipe of docs/production/spark-ml.md, which learns every batch exactly once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from likely import NaiveBayes, load
from likely.core.file import to_bytes
from likely.spark import learn, predict

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

PARTS: list[list[tuple[str | None, str]]] = [
    [("good fun", "pos"), ("dull", "neg"), (None, "neg")],
    [("so good", "pos")],
    [("so dull", "neg")],
]
SCHEMA = "body string, tag string"


def write(folder: Path, at: int) -> None:
    rows = [json.dumps({"body": text, "tag": tag}) for text, tag in PARTS[at]]
    (folder / f"{at}.json").write_text("\n".join(rows))


def run(spark: SparkSession, folder: Path) -> None:
    """Let a query learn all that is there, one file per batch."""

    def learn_batch(batch: DataFrame, number: int) -> None:
        model = load(folder / f"{number - 1}.likely")
        rows = batch.dropna(subset=["body", "tag"])
        if not rows.isEmpty():
            learn(rows, model, text="body", label="tag")
        model.save(folder / f"{number}.likely")

    stream = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).json(str(folder / "data"))
    query = (
        stream.writeStream.foreachBatch(learn_batch)
        .option("checkpointLocation", str(folder / "checkpoint"))
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()


def test_a_batch_that_comes_again_is_not_learned_twice(spark: SparkSession, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    expected = NaiveBayes().fit(["good", "dull"], ["pos", "neg"])
    expected.save(tmp_path / "-1.likely")
    for at in range(2):
        write(tmp_path / "data", at)
    run(spark, tmp_path)
    expected.learn(["good fun", "dull", "so good"], ["pos", "neg", "pos"])
    assert (tmp_path / "1.likely").read_bytes() == to_bytes(expected._snapshot())
    # The process ends after the model was written, but before Spark notes that the batch is done.
    for name in ("1", ".1.crc"):
        (tmp_path / "checkpoint" / "commits" / name).unlink()
    write(tmp_path / "data", 2)
    run(spark, tmp_path)
    expected.learn(["so dull"], ["neg"])
    assert (tmp_path / "2.likely").read_bytes() == to_bytes(expected._snapshot())


def test_a_stream_gets_predictions(spark: SparkSession, tmp_path: Path) -> None:
    model = NaiveBayes().fit(["good", "dull"], ["pos", "neg"])
    write(tmp_path, 0)
    found = predict(spark.readStream.schema(SCHEMA).json(str(tmp_path)), model, "body")
    query = found.writeStream.format("memory").queryName("found").trigger(availableNow=True).start()
    query.awaitTermination()
    rows = spark.table("found").collect()
    assert {row.body: (row.prediction, row.problem) for row in rows} == {
        "good fun": ("pos", None),
        "dull": ("neg", None),
        None: (None, "no text"),
    }

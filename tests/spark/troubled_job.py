"""A job on a cluster with trouble, which `test_cluster` runs: `python troubled_job.py MASTER FOLDER`.

In every stage, the first attempt of one task goes on only when Spark has started a second one, and the Python worker
of another task is killed after its first batch. FOLDER gets a mark per attempt, and the model.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from likely.sample import load_sample
from likely.spark import train
from likely.spark.frame import mapped
from pyspark.sql import SparkSession

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import pyarrow as pa

SETTINGS: dict[str, bool | float | int | str | None] = {
    "spark.speculation": "true",
    "spark.speculation.interval": "50ms",
    "spark.speculation.multiplier": "1.1",
    "spark.speculation.quantile": "0.1",
    "spark.speculation.minTaskRuntime": "50ms",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "20",
    "spark.executor.memory": "512m",
}
OPTIONS = {"ngrams": (1, 2), "min_documents": 2, "calibrate": False}
PARTITIONS, COPIED, KILLED = 5, 0, 1


def troubled(folder: Path) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """A function that passes batches on, after the trouble that was announced."""

    def pass_on(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        from pyspark import TaskContext

        task = TaskContext.get()
        assert task is not None
        partition, attempt = task.partitionId(), task.attemptNumber()
        stage = f"stage-{task.stageId()}"
        (folder / f"{stage}-partition-{partition}-attempt-{attempt}").touch()
        if partition == COPIED and attempt == 0:
            end = time.monotonic() + 120
            while not (folder / f"{stage}-partition-{partition}-attempt-1").exists():
                assert time.monotonic() < end, "Spark has not started a second attempt"
                time.sleep(0.02)
            (folder / f"{stage}-both-at-once").touch()
        for batch in batches:
            yield batch
            if partition == KILLED and attempt == 0:
                os.kill(os.getpid(), signal.SIGKILL)

    return pass_on


def main(master: str, folder: Path) -> None:
    """Train on the sample corpus, and save the model."""
    spark = SparkSession.builder.master(master).config(map=SETTINGS).getOrCreate()
    texts, labels = load_sample()
    rows = spark.createDataFrame(list(zip(texts, labels, strict=True)), "text string, label string")
    df = mapped(rows.repartition(PARTITIONS), troubled(folder), "text string, label string")
    train(df, **OPTIONS).save(folder / "m.likely")  # type: ignore[arg-type]
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]))

"""Sessions: the Python of the workers."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from likely.spark.frame import WORKER_PYTHON, mapped, session_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    import pytest
    from pyspark.sql import SparkSession


def worker_python(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    for _ in batches:
        yield pa.record_batch({"python": [sys.executable]})


def test_local_workers_run_the_python_of_the_driver(spark: SparkSession) -> None:
    rows = mapped(spark.range(1), worker_python, "python string").collect()
    assert [row.python for row in rows] == [sys.executable]


def test_a_session_that_exists_is_made_ready(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(WORKER_PYTHON, raising=False)
    monkeypatch.setattr(spark.sparkContext, "pythonExec", "python-that-is-not-there")
    df = spark.range(1)
    assert session_of(df) is spark
    row = mapped(df, worker_python, "python string").first()
    assert row is not None
    assert row["python"] == sys.executable

"""Sessions: the Python of the workers, and what is said if Java is missing."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from likely.errors import MissingExtraError
from likely.spark.frame import WORKER_PYTHON, mapped, session_of, start_session

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa
    from pyspark.sql import SparkSession


def worker_python(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    import pyarrow as pa

    for _ in batches:
        yield pa.record_batch({"python": [sys.executable]})


def test_local_workers_run_the_python_of_the_driver(spark: SparkSession) -> None:
    rows = mapped(spark.range(1), worker_python, "python string").collect()
    assert [row.python for row in rows] == [sys.executable]


def test_a_session_that_exists_is_made_ready(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(WORKER_PYTHON)
    monkeypatch.setattr(spark.sparkContext, "pythonExec", "python-that-is-not-there")
    df = spark.range(1)
    assert session_of(df) is spark
    row = mapped(df, worker_python, "python string").first()
    assert row is not None
    assert row["python"] == sys.executable


def test_a_missing_java_is_said_in_one_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(MissingExtraError, match="needs Java 17 or later, and there is none on the path: `apt-get"):
        start_session("local[1]")
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    with pytest.raises(MissingExtraError, match=f"JAVA_HOME is '{tmp_path}', where there is none"):
        start_session("local[1]")

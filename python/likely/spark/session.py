"""Spark sessions: starting one, making one ready for `likely`, and the one place where ``mapInArrow`` is called."""

from __future__ import annotations

import os
import shutil
import sys
import warnings
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, cast

from likely.errors import MissingExtraError, SourceError
from likely.extras import extra

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    import pyarrow as pa
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

    BatchFunction = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]

WORKER_PYTHON = "PYSPARK_PYTHON"
"""The environment variable that tells Spark which Python its workers run."""

_FILTERS = Lock()


def start_session(master: str = "local[*]", settings: Mapping[str, str] | None = None) -> SparkSession:
    """Start a Spark session, or return the one of this process.

    Workers of a local master run the Python of this process, unless ``PYSPARK_PYTHON`` names another.

    Parameters
    ----------
    master : str
        Where the work is done: ``"local[2]"``, ``"yarn"``, ``"spark://host:7077"``.
    settings : mapping of str to str, optional
        Spark settings, such as ``{"spark.driver.memory": "4g"}``.

    Examples
    --------
    >>> from likely.spark import start_session
    >>> spark = start_session("local[2]", {"spark.ui.enabled": "false"})  # doctest: +SKIP
    """
    sql = extra("pyspark.sql", "Spark")
    _check_java()
    if is_local(master):
        os.environ.setdefault(WORKER_PYTHON, sys.executable)
    builder = sql.SparkSession.builder.master(master)
    for name, value in (settings or {}).items():
        builder = builder.config(name, value)
    try:
        return cast("SparkSession", builder.getOrCreate())
    except Exception as error:
        reason = (str(error) or type(error).__name__).strip().splitlines()[0]
        raise SourceError(f"Spark cannot be started at {master!r}: {reason}") from error


def session_of(df: DataFrame) -> SparkSession:
    """The session of a DataFrame, ready for `likely`: workers of a local master run the Python of this process.

    Without this they run the first ``python3`` of the path, which may lack what this one has.
    """
    check_frame(df)
    spark = df.sparkSession
    context = getattr(spark, "sparkContext", None)  # a Spark Connect session has none: its workers are elsewhere
    if context is not None and is_local(context.master) and WORKER_PYTHON not in os.environ:
        context.pythonExec = sys.executable
    return spark


def check_frame(df: object) -> None:
    """Raise ``SourceError`` unless this is a Spark DataFrame."""
    if not hasattr(df, "sparkSession"):
        raise SourceError(f"expected a Spark DataFrame, but found {type(df).__name__}: call `spark.createDataFrame`")


def is_local(master: str) -> bool:
    """Whether the workers of a master run on this machine."""
    return master == "local" or master.startswith(("local[", "local-cluster["))


def _check_java() -> None:
    """Raise ``MissingExtraError`` if Spark would not find Java."""
    home = os.environ.get("JAVA_HOME")
    found = Path(home, "bin", "java").is_file() if home else shutil.which("java") is not None
    if not found:
        where = f"JAVA_HOME is {home!r}, where there is none" if home else "there is none on the path"
        raise MissingExtraError(
            f"Spark needs Java 17 or later, and {where}: `apt-get install openjdk-17-jre-headless` (or "
            "`brew install openjdk@17`) installs it"
        )


def mapped(df: DataFrame, function: BatchFunction, schema: StructType | str) -> DataFrame:
    """The DataFrame that a function of the record batches of a partition makes; ``schema`` says what it yields."""
    session_of(df)
    if any(quoted(name) != f"`{name}`" or "." in name for name in df.columns):
        # Spark looks up each column by its name without quoting it, so that such names fail.
        df, function = df.toDF(*(f"column_{at}" for at in range(len(df.columns)))), _renamed(function, df.columns)
    # The filters of warnings belong to all threads, and a Spark ML cross-validation fits in several.
    with _FILTERS, warnings.catch_warnings():
        # Spark asks for the version of pandas even if only Arrow is used, and doubts version 3.
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        return df.mapInArrow(function, schema)


def quoted(name: str) -> str:
    """The name of a column as Spark wants it, whatever dots, spaces and quotes it has.

    Examples
    --------
    >>> quoted("a.b"), quoted("a`b")
    ('`a.b`', '`a``b`')
    """
    return f"`{name.replace('`', '``')}`"


def _renamed(function: BatchFunction, names: list[str]) -> BatchFunction:
    """The function of record batches whose columns get these names."""

    def renamed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return function(batch.rename_columns(names) for batch in batches)

    return renamed

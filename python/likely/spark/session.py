"""Sessions of Spark: one is started, or one that exists is made ready for `likely`."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, cast

from likely.errors import SourceError, SparkError
from likely.extras import extra

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import DataFrame, SparkSession

WORKER_PYTHON = "PYSPARK_PYTHON"
"""The variable of the environment from which Spark takes the Python of its workers."""


def start_session(master: str = "local[*]", settings: Mapping[str, str] | None = None) -> SparkSession:
    """A session of Spark at this master: a new one, or the one of this process.

    Workers of a local master run the Python of this process, if ``PYSPARK_PYTHON`` names no other.

    Parameters
    ----------
    master : str
        Where the work is done: ``"local[2]"``, ``"yarn"``, ``"spark://host:7077"``.
    settings : mapping of str to str, optional
        Settings of Spark, such as ``{"spark.driver.memory": "4g"}``.

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
        raise SparkError(f"Spark cannot be started at {master!r}: {_first_line(error)}") from error


def session_of(df: DataFrame) -> SparkSession:
    """The session of a DataFrame, ready for `likely`: workers of a local master run the Python of this process.

    Without this they run the first ``python3`` of the path, which may lack what this one has.
    """
    check_frame(df)
    spark = df.sparkSession
    context = getattr(spark, "sparkContext", None)  # a session of Spark Connect has none: its workers are elsewhere
    if context is not None and is_local(context.master) and WORKER_PYTHON not in os.environ:
        context.pythonExec = sys.executable
    return spark


def check_frame(df: object) -> None:
    """Raise ``SourceError`` if this is not a DataFrame of Spark."""
    if not hasattr(df, "sparkSession"):
        raise SourceError(
            f"expected a DataFrame of Spark, but found {type(df).__name__}: call `spark.createDataFrame`"
        )


def is_local(master: str) -> bool:
    """Whether the workers of a master run on this machine.

    Examples
    --------
    >>> is_local("local[2,4]"), is_local("local-cluster[2,1,1024]"), is_local("spark://host:7077")
    (True, True, False)
    """
    return master == "local" or master.startswith(("local[", "local-cluster["))


def _check_java() -> None:
    """Raise ``SparkError`` if Spark would not find Java."""
    home = os.environ.get("JAVA_HOME")
    found = Path(home, "bin", "java").is_file() if home else shutil.which("java") is not None
    if not found:
        where = f"JAVA_HOME is {home!r}, where there is none" if home else "there is none on the path"
        raise SparkError(
            f"Spark needs Java 17 or later, and {where}: `apt-get install openjdk-17-jre-headless` (or "
            "`brew install openjdk@17`) installs it"
        )


def _first_line(error: Exception) -> str:
    return (str(error) or type(error).__name__).strip().splitlines()[0]

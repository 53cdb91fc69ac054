"""One session of Spark, which all tests of a process share."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote"
"""Flags with which Java starts sooner, and would run slower for long."""

# Every Spark that a test starts, in this process or in another, reads its settings here.
os.environ["SPARK_CONF_DIR"] = str(Path(__file__).parent / "settings")
os.environ["SPARK_LAUNCHER_OPTS"] = JAVA


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Starting Spark takes seconds, and minutes on a machine that does much else."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.timeout(600))


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A local Spark with two workers, in which a task is tried up to four times."""
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master("local[2,4]").getOrCreate()
    yield session
    session.stop()

"""One session of Spark, which all tests of a process share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from likely.spark.session import start_session

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.default.parallelism": "2",
    "spark.driver.memory": "1g",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.execution.arrow.pyspark.enabled": "true",
    "spark.log.level": "ERROR",
}
"""Quick for small data, and quiet."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Starting Spark takes seconds, and minutes on a machine that does much else."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.timeout(600))


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A local Spark with two workers, in which a task is tried up to four times."""
    session = start_session("local[2,4]", SETTINGS)
    yield session
    session.stop()

"""`ship` for real: the workers run a Python in which `likely` is not installed."""

from __future__ import annotations

import io
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import likely
import numpy as np
import pyarrow as pa
import pytest
from likely import NaiveBayes
from likely.spark import predict, ship, train
from likely.spark.mapping import mapped
from likely.spark.shipping import zipped

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PACKAGE = Path(likely.__file__).parent

ROWS = [("so good", "+"), ("dull", "-"), (None, "-")]
CLUSTER = ("pyspark", "py4j", "numpy", "numpy.libs", "pyarrow", "pandas", "dateutil", "six.py", "pytz", "tzdata")
"""What is installed on the machines of a cluster."""


def bare_python(folder: Path) -> Path:
    """A Python that has what a cluster has, and nothing of this project."""
    venv.create(folder, with_pip=False, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    own = Path(np.__file__).parents[1]
    assert own == Path(pa.__file__).parents[1]
    for name in CLUSTER:
        if (own / name).exists():
            (site / name).symlink_to(own / name)
    start = folder / "start"
    # Spark gives its workers the path of the driver, on which the package may be.
    start.write_text(f"#!/bin/sh\nPYTHONPATH= exec '{folder}/bin/python' \"$@\"\n")
    start.chmod(0o755)
    return start


def test_workers_without_the_package_import_it_from_the_archive(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spark.sparkContext, "pythonExec", str(bare_python(tmp_path / "bare")))
    session = spark.newSession()  # what is shipped in it does not concern the one of other tests
    rows = session.createDataFrame(ROWS, "text string, label string").coalesce(1)
    model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])
    with pytest.raises(Exception, match="No module named 'likely'"):
        predict(rows, model).collect()
    name = ship(session)
    assert ship(session) == name
    assert [row.prediction for row in predict(rows, model).collect()] == ["+", "-", None]
    assert train(rows.dropna(), plain=True).vocabulary_ == ["dull", "good", "so"]

    def places(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import likely
        import pyarrow as pa

        for _ in batches:
            yield pa.record_batch({"place": [likely.__file__]})

    found = mapped(rows, places, "place string").collect()
    assert found
    assert all(f"/{name}/likely/" in row.place for row in found)


def test_the_archive_holds_the_package_and_nothing_compiled_by_python() -> None:
    data = zipped(PACKAGE)
    assert data == zipped(PACKAGE)
    names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    assert {"likely/__init__.py", "likely/_native.abi3.so", "likely/data/stopwords.toml"} <= set(names)
    assert not [name for name in names if name.endswith(".pyc")]

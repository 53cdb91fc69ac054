"""`ship` for real: the workers run a Python in which `likely` is not installed."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import likely
import numpy as np
import pyarrow as pa
from likely.spark.shipping import zipped

SCRIPT = """
import os, sys
sys.path.insert(0, os.environ.pop("PACKAGE"))
from likely import NaiveBayes
from likely.spark import evaluate, predict, ship, start_session, train
from likely.spark.mapping import mapped

quiet = {"spark.ui.enabled": "false", "spark.log.level": "OFF", "spark.sql.shuffle.partitions": "1",
         "spark.driver.bindAddress": "127.0.0.1", "spark.driver.host": "127.0.0.1"}
spark = start_session("local[1]", quiet)
rows = spark.createDataFrame([("so good", "+"), ("dull", "-"), (None, "-")], "text string, label string")
model = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])

def where(batches):
    import likely, pyarrow as pa
    for batch in batches:
        yield pa.record_batch({"place": [likely.__file__]})

try:
    predict(rows, model).collect()
except Exception as error:
    print("before:", "No module named 'likely'" in str(error))
name = ship(spark)
assert ship(spark) == name
print("after:", [row.prediction for row in predict(rows, model).collect()])
print("trained:", train(rows.dropna(), plain=True).vocabulary_)
print("accuracy:", evaluate(rows, model).accuracy)
print("place:", all(f"/{name}/likely/" in row.place for row in mapped(rows, where, "place string").collect()))
spark.stop()
"""


def bare_python(folder: Path) -> Path:
    """A Python that has what a cluster has, and nothing of this project."""
    venv.create(folder, with_pip=False, symlinks=True)
    (site,) = folder.glob("lib/python*/site-packages")
    own = Path(np.__file__).parents[1]
    assert own == Path(pa.__file__).parents[1]
    for name in ("numpy", "numpy.libs", "pyarrow", "pandas", "dateutil", "six.py", "pytz", "tzdata"):
        if (own / name).exists():
            (site / name).symlink_to(own / name)
    return folder / "bin" / "python"


def test_workers_without_the_package_import_it_from_the_archive(tmp_path: Path) -> None:
    bare = bare_python(tmp_path / "bare")
    done = subprocess.run([bare, "-c", "import likely"], env={}, capture_output=True, text=True, check=False)
    assert "No module named 'likely'" in done.stderr
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {
        "PYSPARK_PYTHON": str(bare),
        "PYSPARK_DRIVER_PYTHON": sys.executable,
        "PACKAGE": str(Path(likely.__file__).parents[1]),
    }
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    done = subprocess.run(
        [sys.executable, script], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout.splitlines() == [
        "before: True",
        "after: ['+', '-', None]",
        "trained: ['dull', 'good', 'so']",
        "accuracy: 1.0",
        "place: True",
    ], done.stderr[-3000:]


def test_the_archive_holds_the_package_and_nothing_compiled_by_python() -> None:
    data = zipped(Path(likely.__file__).parent)
    assert data == zipped(Path(likely.__file__).parent)
    names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    assert {"likely/__init__.py", "likely/_native.abi3.so", "likely/data/stopwords.toml"} <= set(names)
    assert not [name for name in names if name.endswith(".pyc")]

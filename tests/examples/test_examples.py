"""The examples run as they stand, and each makes the model file that one process makes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from likely import NaiveBayes
from likely.sample import load_sample

EXAMPLES = Path(__file__).parents[2] / "examples"

RAY = """
import runpy, sys
import ray
ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, object_store_memory=100_000_000)
ray.data.DataContext.get_current().enable_progress_bars = False
sys.argv.pop(0)
runpy.run_path(sys.argv[0], run_name="__main__")
ray.shutdown()
"""
"""Runs the example with few processes, which end with it."""


class Data:
    """The sample corpus in a few Parquet files, the bytes of its model, and its predictions."""

    def __init__(self, folder: Path) -> None:
        texts, labels = load_sample()
        self.rows = pa.table({"text": list(texts), "label": list(labels)})
        self.folder, self.model, self.out = folder / "data", folder / "m.likely", folder / "out"
        self.folder.mkdir()
        for at in range(3):
            pq.write_table(self.rows.take(list(range(at, self.rows.num_rows, 3))), self.folder / f"{at}.parquet")
        self.one = NaiveBayes().fit(list(texts), list(labels))
        self.one.save(folder / "one.likely")
        self.bytes = (folder / "one.likely").read_bytes()

    def predictions(self) -> dict[str, str]:
        texts = self.rows["text"].to_pylist()
        return dict(zip(texts, self.one.predict(texts).tolist(), strict=True))


@pytest.fixture
def data(tmp_path: Path) -> Data:
    return Data(tmp_path)


def run(*command: object) -> str:
    environment = os.environ | {"RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0", "RAY_USAGE_STATS_ENABLED": "0"}
    done = subprocess.run(
        [sys.executable, *map(str, command)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-4000:]
    return done.stdout


def test_processes_make_the_bytes_of_one_process(data: Data) -> None:
    shown = run(EXAMPLES / "with_multiprocessing.py", data.folder, data.model, data.out)
    assert len(shown.splitlines()) == 3
    assert data.model.read_bytes() == data.bytes
    found = ds.dataset(data.out).to_table()
    assert dict(zip(found["text"].to_pylist(), found["prediction"].to_pylist(), strict=True)) == data.predictions()


def test_duckdb_makes_the_bytes_of_one_process(data: Data, tmp_path: Path) -> None:
    database = tmp_path / "reviews.duckdb"
    with duckdb.connect(database) as connection:
        connection.sql(f"CREATE TABLE reviews AS SELECT * FROM '{data.folder}/*.parquet'")
    run(EXAMPLES / "with_duckdb.py", database, data.model)
    assert data.model.read_bytes() == data.bytes
    with duckdb.connect(database, read_only=True) as connection:
        found = connection.sql("SELECT text, prediction FROM predictions").fetchall()
    assert dict(found) == data.predictions()


@pytest.mark.timeout(400)
def test_ray_makes_the_bytes_of_one_process(data: Data, tmp_path: Path) -> None:
    script = tmp_path / "run_ray.py"
    script.write_text(RAY)
    run(script, EXAMPLES / "with_ray.py", data.folder, data.model, data.out)
    assert data.model.read_bytes() == data.bytes
    found = ds.dataset(data.out).to_table()
    assert dict(zip(found["text"].to_pylist(), found["prediction"].to_pylist(), strict=True)) == data.predictions()


@pytest.mark.parametrize("name", ["with_duckdb", "with_multiprocessing"])
def test_without_arguments_an_example_says_what_it_wants(name: str) -> None:
    done = subprocess.run([sys.executable, EXAMPLES / f"{name}.py"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"`python {name}.py " in done.stderr
    assert "Traceback" not in done.stderr

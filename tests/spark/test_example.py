"""The example for spark-submit runs as it stands."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import likely
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
from likely.core.file import to_bytes

EXAMPLE = Path(__file__).parents[2] / "examples" / "with_spark.py"


def test_it_makes_the_bytes_of_one_process(tmp_path: Path) -> None:
    texts, labels = ["good fun", "so dull", "a good film", None, "dull plot"], ["pos", "neg", "pos", "neg", "neg"]
    data, model, out = tmp_path / "data", tmp_path / "m.likely", tmp_path / "out"
    data.mkdir()
    for at in range(2):
        pq.write_table(pa.table({"text": texts[at::2], "label": labels[at::2]}), data / f"{at}.parquet")
    command = [sys.executable, str(EXAMPLE), str(data), str(model), str(out)]
    environment = os.environ | {"PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-4000:]
    known = [(text, label) for text, label in zip(texts, labels, strict=True) if text is not None]
    likely.train(*zip(*known, strict=True)).save(tmp_path / "one.likely")
    there, here = (likely.load(path)._snapshot() for path in (model, tmp_path / "one.likely"))
    assert there.columns is not None
    assert to_bytes(replace(there, columns=None)) == to_bytes(here)
    found = ds.dataset(out).to_table().to_pylist()
    expected: dict[str | None, tuple[str | None, str | None]] = {text: (label, None) for text, label in known}
    expected[None] = (None, "no text")
    assert {row["text"]: (row["prediction"], row["problem"]) for row in found} == expected

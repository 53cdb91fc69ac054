"""Train and score in several processes of one machine: `python with_multiprocessing.py DATA MODEL OUT`.

DATA is a folder of Parquet files with the columns text and label. Each process counts whole files; the counts are
added by `build`, so that the model file has the same bytes as if one process had read all files. OUT gets one file
per file of DATA, with the columns of `likely predict`.
"""

from __future__ import annotations

import sys
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from likely.batch.counting import build, count
from likely.batch.scoring import score


def counted(path: Path) -> list[pa.RecordBatch]:
    """The counts of one file. A process holds one state for all of its batches."""
    return list(count(pq.ParquetFile(path).iter_batches()))


def scored(path: Path, model: str, out: Path) -> Path:
    """Write the rows of a file with their predictions. The model is loaded once per process."""
    rows = pq.ParquetFile(path)
    target = out / path.name
    writer = None
    for batch in score(rows.iter_batches(), model):
        writer = writer or pq.ParquetWriter(target, batch.schema)
        writer.write_batch(batch)
    if writer is not None:
        writer.close()
    return target


def main(data: str, model: str, out: str, processes: int = 2) -> None:
    """Train a model on a folder, save it, and predict the folder."""
    files = sorted(Path(data).glob("*.parquet"))
    Path(out).mkdir(parents=True, exist_ok=True)
    # A forked process could inherit locks of the threads of the kernel; a spawned one starts afresh.
    with get_context("spawn").Pool(processes) as pool:
        parts = pool.imap_unordered(counted, files)
        build(rows for part in parts for rows in part).save(model)
        for target in pool.imap_unordered(partial(scored, model=model, out=Path(out)), files):
            print(target)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])

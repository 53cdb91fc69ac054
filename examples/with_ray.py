"""Train and score with Ray Data: `python with_ray.py DATA MODEL OUT`.

DATA is a folder of Parquet files with the columns text and label. Each task counts one block; the rows of counts are
added by `build`, so that the model file has the same bytes as if one process had read all files. OUT becomes a folder
of Parquet files with the columns of `likely predict`.
"""

from __future__ import annotations

import sys

import pyarrow as pa
import ray
from likely.batch.counting import build, count
from likely.batch.scoring import score


def counted(block: pa.Table) -> pa.Table:
    """The counts of one block."""
    return pa.Table.from_batches(count([block]))


def scored(block: pa.Table, model: str) -> pa.Table:
    """The rows of one block with their predictions. The model is loaded once per worker process."""
    return pa.Table.from_batches(score([block], model))


def main(data: str, model: str, out: str) -> None:
    """Train a model on a folder, save it, and predict the folder."""
    rows = ray.data.read_parquet(data)
    # Whole blocks are counted at once: the larger they are, the fewer rows of counts there are to add.
    counts = rows.map_batches(counted, batch_size=None, batch_format="pyarrow", zero_copy_batch=True)
    build(counts.iter_batches(batch_size=None, batch_format="pyarrow")).save(model)
    # On several machines, the file must be at the same path on each: a shared disk, or ray.put and a local copy.
    found = rows.map_batches(scored, batch_size=None, batch_format="pyarrow", fn_kwargs={"model": model})
    found.write_parquet(out)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])

"""Peak memory above the start while fitting ten copies in Arrow batches, against one copy."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
from likely import NaiveBayes

from benchmarks import corpus
from benchmarks.measure import THREADS, Claim, in_fresh_process, memory, reset_peak, show

if TYPE_CHECKING:
    from collections.abc import Iterator

BATCH = 1000


def claims() -> list[Claim]:
    texts, labels, name = corpus.load()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "corpus.jsonl")
        with path.open("w", encoding="utf-8") as out:
            out.writelines(json.dumps([t, y]) + "\n" for t, y in zip(texts, labels, strict=True))
        once, many = (in_fresh_process("benchmarks.memory", str(path), copies)["bytes"] for copies in ("1", "10"))
    detail = f"{many / 1e6:.0f} MB against {once / 1e6:.0f} MB ({name})"
    return [Claim("peak memory, ten copies against one", many / once, 1.3, detail, at_most=True)]


def batches(path: Path, copies: int) -> Iterator[pa.RecordBatch]:
    """The texts in batches, read again for each copy."""
    for _ in range(copies):
        with path.open(encoding="utf-8") as lines:
            texts: list[str] = []
            for line in lines:
                texts.append(json.loads(line)[0])
                if len(texts) == BATCH:
                    yield pa.record_batch({"text": texts})
                    texts = []
            if texts:
                yield pa.record_batch({"text": texts})


def fit_copies(path: Path, copies: int) -> int:
    """The peak memory above the start, in bytes."""
    with path.open(encoding="utf-8") as lines:
        labels = [json.loads(line)[1] for line in lines] * copies
    reader = pa.RecordBatchReader.from_batches(pa.schema({"text": pa.string()}), batches(path, copies))
    reset_peak()
    start = memory("VmRSS")
    NaiveBayes(threads=THREADS).fit(reader, labels)
    return memory("VmHWM") - start


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps({"bytes": fit_copies(Path(sys.argv[1]), int(sys.argv[2]))}))
    else:
        show(claims())

"""The constants of the cost model in `docs/production/scale.md`: what counting costs per GB, without Spark.

`python -m benchmarks.scale 6 60 300` measures IMDB x 6, x 60 and x 300: 0.2, 2 and 10 GB. Each part of 4 copies
(133 MB) is what one task counts. All figures are seconds of one core, not of the clock, so that they do not depend on
what else the machine does.
"""

from __future__ import annotations

import resource
import sys
import time
from typing import TYPE_CHECKING, Any

import pyarrow as pa
from likely.batch.counting import Summing, count, settled_once
from likely.spark.frame import packed

from benchmarks import corpus

if TYPE_CHECKING:
    from collections.abc import Iterator

PART = 4
"""The number of copies of a part."""
OPTIONS: dict[str, dict[str, Any]] = {"words": {}, "words and pairs": {"ngrams": (1, 2)}}


def varied(at: int) -> tuple[list[str], list[str]]:
    """A copy of the corpus in which each text begins elsewhere and has a word of its own."""
    texts, labels, _ = corpus.load()
    found = []
    for row, text in enumerate(texts):
        cut = text.find(" ", at * 37 % max(len(text), 1)) + 1
        found.append(f"{text[cut:]} {text[:cut]}copy{at}n{row}")
    return found, labels


def part(first: int, copies: int) -> list[pa.RecordBatch]:
    """The record batches of one part."""
    batches = []
    for at in range(first, min(first + PART, copies)):
        texts, labels = varied(at)
        batches += pa.table({"text": texts, "label": labels}).to_batches(max_chunksize=10_000)
    return batches


def measure(copies: int, options: dict[str, Any]) -> Iterator[tuple[str, float]]:
    """The figures of one size."""
    summing = Summing(settled_once({**options, "threads": 1}).analyzer)
    size = rows = shuffled = 0
    counting = building = 0.0
    for first in range(0, copies, PART):
        batches = part(first, copies)
        size += sum(batch["text"].nbytes for batch in batches)
        begun = time.process_time()
        counted = list(count(batches, threads=1, **options))
        counting += time.process_time() - begun
        rows += sum(batch.num_rows for batch in counted)
        shuffled += sum(len(slice_["slice"][0].as_py()) for slice_ in packed(counted))
        begun = time.process_time()
        for batch in counted:
            summing.add(batch)
        building += time.process_time() - begun
    gigabytes = size / 1e9
    yield "GB", gigabytes
    yield "core-seconds per GB, counting", counting / gigabytes
    yield "million rows per GB, shuffled", rows / 1e6 / gigabytes
    yield "MB per GB, shuffled (compressed)", shuffled / 1e6 / gigabytes
    yield "core-seconds per million rows, added", building / (rows / 1e6)
    counts = summing.counts()
    yield "million terms", counts.terms / 1e6
    yield "peak memory of this process, MB", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


if __name__ == "__main__":
    for copies in map(int, sys.argv[1:] or ["6"]):
        for name, options in OPTIONS.items():
            if copies > 60 and options:
                continue
            for what, figure in measure(copies, options):
                print(f"x{copies} {name}: {what}: {figure:.3g}", flush=True)

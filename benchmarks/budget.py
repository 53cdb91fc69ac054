"""The choice of options: seconds and memory with many classes, with much text, and with many languages."""

from __future__ import annotations

import json
import os
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import likely
import numpy as np

from benchmarks.corpus import word
from benchmarks.measure import Claim, in_fresh_process, memory, reset_peak, show
from benchmarks.tasks import fifth_held_out

if TYPE_CHECKING:
    from collections.abc import Iterator

SECONDS = 15
"""The default budget is 10 seconds, which may be exceeded by half."""
MEGABYTES = 250
LANGUAGES = "lingua_langid"


def claims() -> Iterator[Claim]:
    for kind, name, seconds, gigabytes in (
        ("short", "113 classes, 90,000 short texts", SECONDS, 1),
        ("pairs:1000", "1,000 classes of two documents", SECONDS, 1),
        ("pairs:16000", "16,000 classes of two documents", 20, 1),
        ("large", f"{MEGABYTES} MB of text", 60, 2),
    ):
        figures = in_fresh_process("benchmarks.budget", kind)
        detail = f"{figures['documents']:,.0f} documents judged with {figures['settings']:.0f} settings"
        yield Claim(f"likely train, {name}: s", figures["seconds"], seconds, detail, at_most=True)
        yield Claim(f"likely train, {name}: peak memory, GB", figures["bytes"] / 1e9, gigabytes, "", at_most=True)
    if os.environ.get("LIKELY_DATA"):
        figures = in_fresh_process("benchmarks.budget", "languages")
        yield Claim("likely train, 75 languages: accuracy, %", figures["accuracy"], 97.5, "a fifth is held out")
        yield Claim("likely train, 75 languages: s", figures["seconds"], 20, "", at_most=True)


def short() -> tuple[list[str], list[str]]:
    """Short texts of 113 classes: six words of any class and two that are mostly of their own."""
    rng = random.Random(1)
    common = [word(rank) for rank in range(30_000)]
    shares = np.cumsum(1 / np.arange(1, len(common) + 1)).tolist()
    labels = [rng.randrange(113) for _ in range(90_000)]

    def own(label: int) -> str:
        number = 30 * (label if rng.random() < 0.5 else rng.randrange(113)) + rng.randrange(30)
        return word(30_000 + number * 1_009 % (30 * 113))  # the words of a class have no beginning in common

    texts = [" ".join([*rng.choices(common, cum_weights=shares, k=6), own(each), own(each)]) for each in labels]
    return texts, [f"class {label}" for label in labels]


def pairs(classes: int) -> tuple[list[str], list[str]]:
    """Two documents per class, which share one word."""
    texts = [f"w{at // 2} common a b{at % 7} c" for at in range(2 * classes)]
    return texts, [f"c{at // 2}" for at in range(2 * classes)]


def write_large(path: Path) -> None:
    """Documents of a hundred Zipfian words of four classes, as CSV."""
    rng, size = np.random.default_rng(1), 200_000
    words, done = np.array([word(rank) for rank in range(size)]), 0
    with path.open("w", encoding="utf-8") as out:
        out.write("text,label\n")
        while done < MEGABYTES * 1_000_000:
            labels = rng.integers(0, 4, 2_000)
            ranks = (np.minimum(rng.zipf(1.25, size=(2_000, 100)) - 1, size - 1) + labels[:, None] * 3) % size
            rows = zip(words[ranks].tolist(), labels.tolist(), strict=True)
            done += out.write("".join(f"{' '.join(row)},c{label}\n" for row, label in rows))


def run(kind: str) -> dict[str, float]:
    """The seconds and the peak memory of one training without options."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "large.csv")
        if kind == "large":
            write_large(path)
            return trained(path)
    if kind == "languages":
        corpus = fifth_held_out(LANGUAGES, 1)
        return trained(corpus.texts, corpus.labels, corpus.test)
    return trained(*(short() if kind == "short" else pairs(int(kind.partition(":")[2]))))


def trained(
    source: Path | list[str], labels: list[str] | None = None, test: tuple[list[str], list[str]] = ([], [])
) -> dict[str, float]:
    reset_peak()
    start, begun = memory("VmRSS"), time.perf_counter()
    model = likely.train(source, labels)
    seconds, tuning = time.perf_counter() - begun, model.tuning_
    texts, gold = test
    return {
        "seconds": seconds,
        "bytes": memory("VmHWM") - start,
        "documents": tuning.documents if tuning else 0,
        "settings": len(tuning.trials) if tuning else 0,
        "accuracy": 100 * float(np.mean(model.predict(texts) == np.array(gold))) if texts else 0.0,
    }


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(run(sys.argv[1])))
    else:
        show(claims())

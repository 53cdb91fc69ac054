"""Near-copies: seconds and memory for long texts, a million short texts, and boilerplate that all texts share."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING

from likely.evaluation.near_copies import FingerprintMaker, copy_groups

from benchmarks import corpus
from benchmarks.measure import THREADS, Claim, in_fresh_process, memory, reset_peak, show

if TYPE_CHECKING:
    from collections.abc import Iterator

BARS = {
    "50,000 long texts": (10.0, 1.0),
    "1,000,000 short texts": (60.0, 1.5),
    "200,000 texts of boilerplate": (20.0, 1.0),
}
"""The largest number of seconds, and of gigabytes above those of the texts."""


def claims() -> Iterator[Claim]:
    for name, (seconds, gigabytes) in BARS.items():
        found = in_fresh_process("benchmarks.near_copies", name)
        detail = f"{found['copies']:,.0f} texts are copies of others"
        yield Claim(f"near-copies, {name}, s", found["seconds"], seconds, detail, at_most=True)
        yield Claim(f"near-copies, {name}, GB", found["bytes"] / 1e9, gigabytes, detail, at_most=True)


def texts_of(name: str) -> list[str]:
    """The texts that are measured."""
    if name.startswith("50,000"):
        texts = corpus.load()[0]
        return texts + [text[: 9 * len(text) // 10] + " and so on" for text in texts]
    if name.startswith("1,000,000"):
        return [text for part in range(10) for text in corpus.generate(100_000, 15, seed=part)[0]]
    return [
        f"Dear customer, your order {number} was shipped today and arrives at your address in {number % 7} days"
        for number in range(200_000)
    ]


def measure(name: str) -> dict[str, float]:
    """The seconds, the peak memory above the start, and the number of texts that are copies."""
    texts = texts_of(name)
    reset_peak()
    start, begun = memory("VmRSS"), time.perf_counter()
    groups, _ = copy_groups(FingerprintMaker(THREADS).add(texts).made())
    seconds = time.perf_counter() - begun
    return {"seconds": seconds, "bytes": memory("VmHWM") - start, "copies": len(texts) - len(set(groups.tolist()))}


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(measure(sys.argv[1])))
    else:
        show(claims())

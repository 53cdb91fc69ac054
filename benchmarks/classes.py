"""Ten thousand classes and a million short documents: the memory, and the time to predict ten thousand texts."""

from __future__ import annotations

import json
import random
import sys

from likely import NaiveBayes

from benchmarks.corpus import word
from benchmarks.measure import THREADS, Claim, best, in_fresh_process, memory, reset_peak, show

CLASSES, DOCUMENTS, PREDICTED = 10_000, 1_000_000, 10_000


def claims() -> list[Claim]:
    figures = in_fresh_process("benchmarks.classes", "run")
    detail = f"{figures['pairs']:,.0f} counts, fitted in {figures['fit']:.1f} s"
    name = f"{CLASSES:,} classes, {DOCUMENTS:,} documents"
    return [
        Claim(f"{name}: peak memory, GB", figures["bytes"] / 1e9, 2, detail, at_most=True),
        Claim(f"{name}: predict {PREDICTED:,}, s", figures["predict"], 10, "", at_most=True),
    ]


def run() -> dict[str, float]:
    rng = random.Random(1)
    common = [word(rank) for rank in range(50_000)]

    def text(label: int) -> str:
        own = [f"c{label}x{rng.randrange(20)}" for _ in range(3)]
        return " ".join([*rng.choices(common, k=7), *own])

    labels = [rng.randrange(CLASSES) for _ in range(DOCUMENTS)]
    texts = [text(label) for label in labels]
    reset_peak()
    start = memory("VmRSS")
    seconds, model = best(lambda: NaiveBayes(threads=THREADS).fit(texts, labels), 1)
    probes = [text(label) for label in range(PREDICTED)]
    model.predict(probes[:1])
    predicting, _ = best(lambda: model.predict(probes), 3)
    return {
        "bytes": memory("VmHWM") - start,
        "fit": seconds,
        "predict": predicting,
        "pairs": int(model._snapshot().counts.cells(model._snapshot().counts.sorted_ids()).starts[-1]),
    }


if __name__ == "__main__":
    if sys.argv[1:] == ["run"]:
        print(json.dumps(run()))
    else:
        show(claims())

"""Labels flipped at random, and how many of them are found by `suspects`, whose list has a length of its own."""

from __future__ import annotations

import os
import random
from typing import TYPE_CHECKING

import likely

from benchmarks import tasks
from benchmarks.measure import Claim, show

if TYPE_CHECKING:
    from collections.abc import Iterator

BAR = 0.6
SHARE = 0.05
SEEDS = (1, 2, 3)
CORPORA = ("imdb", "20newsgroups", "ag_news_partial")


def claims() -> Iterator[Claim]:
    """The worst of the seeds, corpus by corpus; the model is what `likely.train` makes of the flipped labels."""
    for name in CORPORA if os.environ.get("LIKELY_DATA") else ():
        found = [of_seed(*tasks.training(name), seed) for seed in SEEDS]
        for at, measure in enumerate(("precision", "recall")):
            values = [each[at] for each in found]
            detail = ", ".join(f"{value:.3f}" for value in values)
            yield Claim(f"{SHARE:.0%} of labels flipped, {measure}: {name}", min(values), BAR, detail)


def of_seed(texts: list[str], labels: list[str], seed: int) -> tuple[float, float]:
    """Precision and recall of the suspects among labels of which some are flipped."""
    noisy, flipped = flip(labels, seed)
    model = likely.train(texts, noisy)
    suspects = {each.row for each in model.suspects(texts, noisy)}
    hits = len(suspects & flipped)
    return hits / max(len(suspects), 1), hits / len(flipped)


def flip(labels: list[str], seed: int) -> tuple[list[str], set[int]]:
    """The labels with a share of them replaced by another class, and the rows of those."""
    draw, classes, noisy = random.Random(seed), sorted(set(labels)), list(labels)
    rows = draw.sample(range(len(labels)), round(SHARE * len(labels)))
    for row in rows:
        noisy[row] = draw.choice([each for each in classes if each != labels[row]])
    return noisy, set(rows)


if __name__ == "__main__":
    show(claims())

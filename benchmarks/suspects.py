"""Precision and recall of `suspects` with its default number of documents, if labels were changed at random."""

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
    """The worst result over the seeds, per corpus; the model is trained by `likely.train` on the changed labels."""
    for name in CORPORA if os.environ.get("LIKELY_DATA") else ():
        found = [of_seed(*tasks.training(name), seed) for seed in SEEDS]
        for at, measure in enumerate(("precision", "recall")):
            values = [each[at] for each in found]
            detail = ", ".join(f"{value:.3f}" for value in values)
            yield Claim(f"{SHARE:.0%} of labels flipped, {measure}: {name}", min(values), BAR, detail)


def of_seed(texts: list[str], labels: list[str], seed: int) -> tuple[float, float]:
    """The precision and recall of the suspects, if some labels are wrong."""
    noisy, flipped = flip(labels, seed)
    model = likely.train(texts, noisy)
    suspects = {each.row for each in model.suspects(texts, noisy)}
    hits = len(suspects & flipped)
    return hits / max(len(suspects), 1), hits / len(flipped)


def flip(labels: list[str], seed: int) -> tuple[list[str], set[int]]:
    """The labels, a share of which is replaced by another class, and the rows that were replaced."""
    draw, classes, noisy = random.Random(seed), sorted(set(labels)), list(labels)
    rows = draw.sample(range(len(labels)), round(SHARE * len(labels)))
    for row in rows:
        noisy[row] = draw.choice([each for each in classes if each != labels[row]])
    return noisy, set(rows)


if __name__ == "__main__":
    show(claims())

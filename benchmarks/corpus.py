"""The texts to measure on: IMDB train if LIKELY_DATA has it, else generated Zipfian text of the same size."""

from __future__ import annotations

import gzip
import itertools
import json
import os
import random
from functools import cache
from pathlib import Path

DOCUMENTS = 25_000
WORDS = 230


@cache
def load() -> tuple[list[str], list[str], str]:
    """Texts, labels, and a description of the corpus."""
    folder = os.environ.get("LIKELY_DATA")
    path = Path(folder or "", "imdb", "train.jsonl.gz")
    if folder and path.exists():
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        return [row["text"] for row in rows], [str(row["label"]) for row in rows], "IMDB train"
    return *generate(DOCUMENTS, WORDS), "generated Zipfian text"


def generate(documents: int, words: int, seed: int = 1) -> tuple[list[str], list[str]]:
    """Texts of random words by Zipf's law, in two classes that prefer different words."""
    rng = random.Random(seed)
    vocabulary = [word(rank) for rank in range(100_000)]
    cumulative = list(itertools.accumulate(1 / (rank + 3) for rank in range(len(vocabulary))))
    texts, labels = [], []
    for at in range(documents):
        drawn = rng.choices(vocabulary, cum_weights=cumulative, k=words)
        label = "neg" if at % 2 else "pos"
        texts.append(" ".join([*drawn, f"{label}{rng.randrange(50)}"]) + ".")
        labels.append(label)
    return texts, labels


def word(rank: int) -> str:
    """A pronounceable word for a rank; frequent words are short."""
    syllables = ["ba", "ke", "li", "mo", "nu", "ra", "se", "ti", "vo", "zu"]
    return "".join(syllables[int(digit)] for digit in str(rank))


def size(texts: list[str]) -> int:
    """The number of bytes of the texts in UTF-8."""
    return sum(len(text.encode()) for text in texts)


def one_review(texts: list[str]) -> str:
    """A text of about 230 words."""
    return min(texts, key=lambda text: abs(len(text.split()) - WORDS))

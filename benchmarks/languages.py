"""The speed of counting words of several writing systems on one thread; scikit-learn's CountVectorizer is beside it.

If LIKELY_DATA has them, the texts are sentences of ChnSentiCorp (Han) and of lingua's languages, drawn at random.
In two of a hundred longer words, the second half is that of another word, because a large corpus has rare words.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import re
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

from likely import NaiveBayes

from benchmarks import corpus
from benchmarks.measure import Claim, best, peers, show

if TYPE_CHECKING:
    from collections.abc import Iterator

MEGABYTES = 10
RARE = 0.02
ONE_HAN_CHARACTER = r"[一-鿿]|\w+"
"""What scikit-learn must count in Han text to do the same work."""
SOURCES = {
    "Han": ("chnsenticorp_htl", None, "我们的房间很好住在酒店服务员人太不是"),
    "Cyrillic": ("lingua_langid", ("ru", "uk", "bg"), "баженилуромащёпис"),
    "French": ("lingua_langid", ("fr",), "baçéliênousrateùx"),
}
"""For each writing system the folder of texts, their languages, and the letters of generated words."""
BARS = {"Han": 180, "Cyrillic": 250, "French": 300}
"""Megabytes per second."""


def claims() -> Iterator[Claim]:
    for system, bar in BARS.items():
        texts, name = load(system)
        labels = [str(at % 2) for at in range(len(texts))]
        pattern = {"token_pattern": ONE_HAN_CHARACTER} if system == "Han" else {}
        theirs = peers("count", {"texts": texts, "settings": pattern})["seconds"]
        ours, _ = best(partial(fit, texts, labels))
        megabytes = corpus.size(texts) / 1e6
        detail = f"{theirs / ours:.1f} times scikit-learn ({name})"
        yield Claim(f"count words, {system}, one thread, MB/s", megabytes / ours, bar, detail)


def fit(texts: list[str], labels: list[str]) -> NaiveBayes:
    return NaiveBayes(threads=1).fit(texts, labels)


@cache
def load(system: str) -> tuple[list[str], str]:
    """Texts of a writing system, and a description of them."""
    folder, languages, letters = SOURCES[system]
    path = Path(os.environ.get("LIKELY_DATA", ""), folder, "all.jsonl.gz")
    if not path.exists():
        return drawn(generated(letters)), "generated text"
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return drawn([row["text"] for row in rows if languages is None or row["label"] in languages]), folder


def generated(letters: str, seed: int = 1) -> list[str]:
    """Sentences of random words; their lengths are those of words in English."""
    rng = random.Random(seed)
    words = ["".join(rng.choices(letters, k=rng.choice((1, 2, 2, 3, 3, 4, 4, 5, 6, 7, 9)))) for _ in range(8000)]
    drawn_often = [1 / (rank + 3) for rank in range(len(words))]
    return [" ".join(rng.choices(words, drawn_often, k=20)).capitalize() + "." for _ in range(2000)]


def drawn(sentences: list[str], seed: int = 1) -> list[str]:
    """Texts of random sentences, of ``MEGABYTES`` in all, with rare words."""
    rng = random.Random(seed)
    words = [word for sentence in sentences for word in re.findall(r"\w{4,}", sentence)]

    def varied(found: re.Match[str]) -> str:
        word = found.group()
        if rng.random() >= RARE:
            return word
        other = rng.choice(words)
        return word[: (len(word) + 1) // 2] + other[len(other) // 2 :]

    texts, size = [], 0
    while size < MEGABYTES * 1_000_000:
        text = re.sub(r"\w{4,}", varied, " ".join(rng.choices(sentences, k=rng.randint(2, 16))))
        texts.append(text)
        size += len(text.encode())
    return texts


if __name__ == "__main__":
    show(claims())

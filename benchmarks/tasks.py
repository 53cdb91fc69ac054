"""The corpora of LIKELY_DATA by task, each with folds for cross-validation and its test split, if it has one."""

from __future__ import annotations

import gzip
import json
import os
import re
import zlib
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

PASSAGE = 120
POSTERS = 25
HEADER_END = "\n\n"
OTHERS_WORDS = (">", "|", ":")
Rows = tuple[list[str], list[str]]


@dataclass(frozen=True)
class Labelled:
    """Texts to choose options on, the fold of each, and the test texts."""

    name: str
    texts: list[str]
    labels: list[str]
    folds: list[int]
    test: Rows = field(default=([], []))


def corpora(task: str) -> list[Labelled]:
    """The corpora of each preset, in the order of the tables."""
    return {
        "sentiment": lambda: [
            split("imdb", 2),
            split("polarity_v2"),
            split("sentence_polarity"),
            split("sst2"),
            split("subjectivity"),
            split("semeval2017_4a", 2),
            split("chnsenticorp_htl"),
            split("wisesight_thai", 2),
        ],
        "spam": lambda: [split("sms_spam"), split("spamassassin", 3), bodies("spamassassin", 3)],
        "topics": lambda: [
            split("20newsgroups", 2),
            bodies("20newsgroups", 2),
            split("bbc_news"),
            split("ag_news_partial", 2),
            split("reuters_r8"),
            split("reuters_r52"),
            split("trec_questions"),
        ],
        "language": lambda: [fifth_held_out("lingua_langid", 2)],
        "authorship": lambda: [papers(), passages(), posters()],
    }[task]()


@cache
def read(name: str, part: str) -> Rows:
    """The texts and labels of a file; empty if the file does not exist."""
    path = Path(os.environ["LIKELY_DATA"], name, f"{part}.jsonl.gz")
    if not path.exists():
        return [], []
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    return [row["text"] for row in rows], [str(row["label"]) for row in rows]


def training(name: str) -> Rows:
    return read(name, "train") if read(name, "train")[0] else read(name, "all")


def hashed(at: int, parts: int, salt: str = "") -> int:
    """The part of a row, the same on every machine."""
    return zlib.crc32(f"{salt}{at}".encode()) % parts


def stratified(labels: list[str], parts: int) -> list[int]:
    """The part of each row, the same on every machine; each part has its share of each class."""
    found = [0] * len(labels)
    for label in sorted(set(labels)):
        own = [at for at, other in enumerate(labels) if other == label]
        for turn, at in enumerate(sorted(own, key=lambda at: zlib.crc32(f"s{at}".encode()))):
            found[at] = turn % parts
    return found


def split(name: str, folds: int = 4) -> Labelled:
    texts, labels = training(name)
    return Labelled(name, texts, labels, [hashed(at, folds) for at in range(len(texts))], read(name, "test"))


def bodies(name: str, folds: int) -> Labelled:
    """The messages without headers, which contain lists, hosts and newsgroups and so make the task too easy."""
    whole = split(name, folds)
    test = ([body(text) for text in whole.test[0]], whole.test[1])
    return Labelled(f"{name}, bodies", [body(text) for text in whole.texts], whole.labels, whole.folds, test)


def body(text: str) -> str:
    return text.split(HEADER_END, 1)[-1]


def fifth_held_out(name: str, folds: int) -> Labelled:
    """A corpus without a test split; a fifth of it becomes the test split."""
    texts, labels = training(name)
    held = [hashed(at, 5, "t") == 0 for at in range(len(texts))]
    kept = [at for at, out in enumerate(held) if not out]
    test = [at for at, out in enumerate(held) if out]
    return Labelled(
        name,
        [texts[at] for at in kept],
        [labels[at] for at in kept],
        [hashed(at, folds) for at in range(len(kept))],
        ([texts[at] for at in test], [labels[at] for at in test]),
    )


def papers() -> Labelled:
    """The Federalist papers, each left out once; the test split is the twelve disputed ones."""
    texts, labels = training("federalist")
    return Labelled("federalist", texts, labels, list(range(len(texts))), read("federalist", "test"))


def passages() -> Labelled:
    """The Federalist papers in short passages; all passages of a paper are in the same fold."""
    texts, labels = training("federalist")
    cut = [(part, at) for at, text in enumerate(texts) for part in passages_of(text.split())]
    return Labelled(
        f"federalist, passages of {PASSAGE} words",
        [part for part, _ in cut],
        [labels[at] for _, at in cut],
        [at % 7 for _, at in cut],
    )


def passages_of(words: list[str]) -> list[str]:
    return [" ".join(words[at : at + PASSAGE]) for at in range(0, len(words) - PASSAGE // 2, PASSAGE)]


def posters() -> Labelled:
    """The authors of messages, for the authors with most messages, without headers and quotations."""
    texts, _ = training("20newsgroups")
    senders = [sender(text) for text in texts]
    busiest = {name for name, _ in Counter(senders).most_common(POSTERS)}
    kept = [at for at, name in enumerate(senders) if name in busiest]
    return Labelled(
        f"20newsgroups, the {POSTERS} busiest posters",
        [own_words(texts[at]) for at in kept],
        [senders[at] for at in kept],
        [hashed(at, 4) for at in kept],
    )


def sender(text: str) -> str:
    found = re.search(r"^From: (.*)$", text, re.MULTILINE)
    return found.group(1) if found else "?"


def own_words(text: str) -> str:
    lines = body(text).splitlines()
    return "\n".join(line for line in lines if not line.startswith(OTHERS_WORDS) and "writes:" not in line)

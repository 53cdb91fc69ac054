"""Documents as they come from the web: JSON Lines with metadata, made from the corpora in LIKELY_DATA.

Each document joins random texts of one corpus until it is as long as a page of the web: log-normal, about 2.3 KB in
the mean, as in C4. In two of a hundred longer words, the second half is that of another word, because the web has
rare words.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import re
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

GOOD = {"bbc_news": "all", "ag_news_partial": "*", "imdb": "*"}
"""The corpora of edited text, and their parts."""
OTHER = {"20newsgroups": "*", "spamassassin": "all", "semeval2017_4a": "*", "sms_spam": "all"}
"""The corpora of other text."""
LANGUAGES = {"lingua_langid": "all"}
RARE = 0.02
MEDIAN, SPREAD = 1200, 1.15
"""The median of the lengths in characters, and the standard deviation of their logarithms."""
LONGEST = 200_000


@cache
def rows(corpus: str, part: str) -> list[dict[str, str]]:
    """The texts and labels of a corpus in LIKELY_DATA."""
    found: list[dict[str, str]] = []
    for path in sorted(Path(os.environ["LIKELY_DATA"], corpus).glob(f"{part}.jsonl.gz")):
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            found.extend(json.loads(line) for line in lines)
    return found


def labelled_rows(first: int = 0, seed: int = 1) -> list[tuple[str, str]]:
    """Texts that are good or bad: every second text of each corpus from this one on, in random order."""
    found = [
        (row["text"], label)
        for corpora, label in ((GOOD, "good"), (OTHER, "bad"))
        for corpus, part in corpora.items()
        for row in rows(corpus, part)[first::2]
    ]
    random.Random(seed).shuffle(found)
    return found


def pages(megabytes: int, seed: int = 1) -> Iterator[str]:
    """Pages of the web, of this many megabytes in all, one JSON object per line."""
    rng = random.Random(seed)
    pools = [
        _varied([row["text"] for row in rows(corpus, part)[1::2]], rng)
        for corpus, part in (GOOD | OTHER | LANGUAGES).items()
    ]
    size = at = 0
    while size < megabytes * 1_000_000:
        page = _page(rng, rng.choice(pools), at)
        size += len(page.encode())
        at += 1
        yield page


def _page(rng: random.Random, pool: list[str], at: int) -> str:
    wanted = min(rng.lognormvariate(0, SPREAD) * MEDIAN, LONGEST)
    parts, length = [], 0.0
    while length < wanted:
        parts.append(rng.choice(pool)[: int(wanted)])
        length += len(parts[-1]) + 1
    host = f"www.{rng.getrandbits(32):08x}.example"
    row = {
        "id": f"<urn:uuid:{rng.getrandbits(128):032x}>",
        "url": f"https://{host}/{rng.getrandbits(64):x}/{at}.html",
        "text": "\n".join(parts),
        "metadata": {
            "date": f"2026-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}T00:00:00Z",
            "warc": f"crawl-{rng.randrange(90000):05}.warc.gz",
            "offset": rng.getrandbits(30),
            "host": host,
        },
    }
    return json.dumps(row, ensure_ascii=at % 2 == 0) + "\n"


def _varied(texts: list[str], rng: random.Random) -> list[str]:
    """The texts with rare words."""
    words = [word for text in texts[:2000] for word in re.findall(r"\w{4,}", text)]

    def varied(found: re.Match[str]) -> str:
        word = found.group()
        if rng.random() >= RARE:
            return word
        other = rng.choice(words)
        return word[: (len(word) + 1) // 2] + other[len(other) // 2 :]

    return [re.sub(r"\w{4,}", varied, text) for text in texts]

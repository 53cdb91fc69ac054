"""The time to select documents by importance resampling, against the reference package of the paper, and its weights.

`python -m benchmarks.selecting [MB]` makes this much raw text from the corpora in LIKELY_DATA: 1000 MB by default, in
`make bench` 200 MB. The target is bbc_news, and the raw documents are those of other English corpora, joined to pages
as long as those of the web. Both sides run as processes of their own, on the same files and two processors.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import likely
import numpy as np

from benchmarks.measure import HERE, PEERS, THREADS, Claim, show

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy.typing as npt

TARGET = "bbc_news"
RAW = ("imdb", "20newsgroups", "ag_news_partial", "reuters_r90_multilabel", "spamassassin", "semeval2017_4a", "sst2")
SEED = 17
PAGE = 2400
"""The mean length of a raw document in characters, as in C4."""
COMPARED_MB = 8
"""How much raw text the weights are compared on."""
WORDS = re.compile(r"\w+|[^\w\s]+")
"""The tokens of NLTK's WordPunctTokenizer, which the reference package uses."""


def claims(megabytes: int = 200) -> Iterator[Claim]:
    if "LIKELY_DATA" not in os.environ:
        return
    with tempfile.TemporaryDirectory() as folder:
        target = write(Path(folder, "target.jsonl"), texts_of([TARGET]), None)
        yield from same_weights(target, Path(folder))
        raw = [Path(folder, f"raw{at}.jsonl") for at in range(THREADS)]
        for at, path in enumerate(raw):
            write(path, pages(at), megabytes * 1_000_000 // len(raw))
        number = sum(1 for path in raw for _ in path.open("rb")) // 10
        yield from speed(target, raw, number, Path(folder))


def speed(target: Path, raw: list[Path], number: int, folder: Path) -> Iterator[Claim]:
    """How much faster the command is, and its memory. On a machine that others use, the processor time says more."""
    size = sum(path.stat().st_size for path in raw) / 1e6
    args = ["select", "--target", target, *(part for path in raw for part in ("--raw", path))]
    args += ["--number", number, "-o", folder / "ours", "--threads", THREADS]
    ours = timed([sys.executable, "-m", "likely.cli", *map(str, args)])
    theirs = reference(target, raw, folder / "theirs", number=number, buckets=10_000)
    detail = (
        f"{size:.0f} MB: {ours.seconds:.1f} s ({size / ours.seconds:.0f} MB/s), data-selection {theirs.seconds:.0f} s"
    )
    yield Claim("select against data-selection with two processes", theirs.seconds / ours.seconds, 30, detail)
    detail = f"{size:.0f} MB: {ours.processor:.1f} s, data-selection {theirs.processor:.0f} s"
    yield Claim("the same in processor time", theirs.processor / ours.processor, 30, detail)
    yield Claim("select, peak memory in MB", ours.memory / 1e6, 1000, f"{size:.0f} MB raw", at_most=True)


@dataclass(frozen=True)
class Cost:
    """The seconds of a process, the processor time of it and its children, and its peak memory in bytes."""

    seconds: float
    processor: float
    memory: int


def timed(command: list[str]) -> Cost:
    """What a command costs."""
    begun = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if status:
        sys.exit(f"{command} ended with status {process.returncode}")
    return Cost(time.perf_counter() - begun, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def reference(target: Path, raw: list[Path], cache: Path, **wish: Any) -> Cost:
    """What the reference package costs. It leaves the weights in its cache."""
    if not PEERS.exists():
        sys.exit("the peers are not installed: run `make bench`")
    wish = {"min_words": 100, "processes": THREADS} | wish
    wish |= {"raw": list(map(str, raw)), "target": str(target), "cache": str(cache), "out": f"{cache}-out"}
    return timed([str(PEERS), str(HERE / "selecting_peer.py"), json.dumps(wish)])


def same_weights(target: Path, folder: Path) -> Iterator[Claim]:
    """Whether the weights are those of the reference package, if texts are cut as there.

    The hash functions differ, so that other n-grams share a bucket. So we compare with how much the reference package
    agrees with itself, if it has a few buckets more, which also changes the n-grams that share one.
    """
    raw = write(folder / "few.jsonl", pages(99), COMPARED_MB * 1_000_000)
    rows = [json.loads(line)["text"] for line in raw.open("rb")]
    for buckets in (10_000, 1_000_000):
        theirs, again = (reference_weights(target, raw, folder / f"{at}", len(rows)) for at in (buckets, buckets + 3))
        ours = weights(target, rows, buckets)
        detail = f"{len(rows):,} documents, {buckets:,} buckets; data-selection with itself"
        for what, measure, by_chance in (
            ("rank correlation with", rank_correlation, 0.01),
            ("share of the best tenth that is that of", shared, 0.08),
        ):
            found, usual = measure(ours, theirs), measure(again, theirs)
            yield Claim(f"{what} data-selection", found, usual - by_chance, f"{detail} {usual:.4f}")


def reference_weights(target: Path, raw: Path, cache: Path, number: int) -> npt.NDArray[np.float64]:
    """The log importance weights of the reference package; the name of the cache is the number of buckets."""
    reference(target, [raw], cache, number=number // 10, buckets=int(cache.name), min_words=0, processes=1)
    found: npt.NDArray[np.float64] = np.load(cache / "log_importance_weights" / "0.npy")
    return found


def rank_correlation(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> float:
    """Spearman's rank correlation."""
    return float(np.corrcoef(ranks(a), ranks(b))[0, 1])


def shared(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> float:
    """The share of the best tenth that is the same."""
    best = len(a) // 10
    return len({*np.argsort(-a)[:best]} & {*np.argsort(-b)[:best]}) / best


def weights(target: Path, rows: list[str], buckets: int) -> npt.NDArray[np.float64]:
    """Our log importance weights, with the tokens and about the smoothing of the reference package."""
    tokens = sum(2 * len(WORDS.findall(json.loads(line)["text"])) for line in target.open("rb"))
    options: dict[str, Any] = {"alpha": 1e-8 * tokens, "tokenizer": lambda text: WORDS.findall(text.lower())}
    frame = [{"text": text} for text in rows]
    return likely.select(target, frame, len(rows), best=True, min_words=0, buckets=buckets, **options).log_weights


def ranks(values: npt.NDArray[np.float64]) -> npt.NDArray[np.int64]:
    """The rank of each value."""
    return np.argsort(np.argsort(values))


def pages(seed: int) -> Iterator[str]:
    """Endless documents of about the length of a page of the web, each from one corpus."""
    dice = random.Random(SEED + seed)
    texts = [list(texts_of([corpus])) for corpus in RAW]
    while True:
        corpus, wanted, page = dice.choice(texts), dice.expovariate(1 / PAGE), ""
        while len(page) < wanted:
            page += dice.choice(corpus) + "\n"
        yield page


def texts_of(corpora: list[str]) -> Iterator[str]:
    """The texts of some corpora in LIKELY_DATA."""
    for corpus in corpora:
        for path in sorted(Path(os.environ["LIKELY_DATA"], corpus).glob("*.jsonl.gz")):
            with gzip.open(path, "rt", encoding="utf-8") as lines:
                yield from (json.loads(line)["text"] for line in lines)


def write(path: Path, texts: Iterator[str], size: int | None) -> Path:
    """A file of JSON Lines with these texts, until it has this many bytes."""
    with path.open("w", encoding="utf-8") as file:
        for at, text in enumerate(texts):
            file.write(json.dumps({"id": at, "text": text, "url": f"https://example.org/{at}"}) + "\n")
            if size is not None and file.tell() >= size:
                break
    return path


if __name__ == "__main__":
    show(claims(int(sys.argv[1]) if len(sys.argv) > 1 else 1000))

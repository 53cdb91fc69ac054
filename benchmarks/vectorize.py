"""Speed and peak memory of the vectorizers, against those of scikit-learn."""

from __future__ import annotations

import json
import sys
import tempfile
from functools import partial
from pathlib import Path
from typing import Any

from likely.vectorize import CountVectorizer, HashingVectorizer, TfidfVectorizer

from benchmarks import corpus
from benchmarks.measure import THREADS, Claim, best, in_fresh_process, memory, peers, reset_peak, show

TIMES = 1000


def claims() -> list[Claim]:
    texts, _, name = corpus.load()
    theirs = peers("vectorize")
    works: list[tuple[str, Any, int]] = [
        ("CountVectorizer.fit_transform, unigrams", CountVectorizer().fit_transform, 20),
        ("CountVectorizer.fit_transform, uni+bigrams", CountVectorizer(ngram_range=(1, 2)).fit_transform, 15),
        (
            "CountVectorizer.fit_transform, char_wb 2-4",
            CountVectorizer(analyzer="char_wb", ngram_range=(2, 4)).fit_transform,
            15,
        ),
        ("TfidfVectorizer.fit_transform, uni+bigrams", TfidfVectorizer(ngram_range=(1, 2)).fit_transform, 12),
        ("HashingVectorizer.transform", HashingVectorizer().transform, 20),
    ]
    found = []
    for work, run, bar in works:
        run.__self__.set_params(threads=THREADS)
        seconds, _ = best(partial(run, texts))
        detail = f"{seconds:.3f} s, scikit-learn {theirs[work]:.2f} s ({name})"
        found.append(Claim(work, theirs[work] / seconds, bar, detail))
    return [*found, one_review(texts, theirs["one review"]), peak(texts, theirs["peak"])]


def one_review(texts: list[str], theirs: float) -> Claim:
    """The time for one text at a time."""
    fitted, one = CountVectorizer(threads=THREADS).fit(texts), [corpus.one_review(texts)]
    seconds = best(lambda: [fitted.transform(one) for _ in range(TIMES)])[0] / TIMES
    detail = f"{seconds * 1e6:.1f} us, scikit-learn {theirs * 1e6:.0f} us"
    return Claim("CountVectorizer.transform, one review", theirs / seconds, 40, detail)


def peak(texts: list[str], theirs: float) -> Claim:
    """The peak memory above the start, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "texts.json")
        path.write_text(json.dumps(texts), encoding="utf-8")
        ours = in_fresh_process("benchmarks.vectorize", str(path))["bytes"]
    detail = f"{ours / 1e6:.0f} MB, scikit-learn {theirs / 1e6:.0f} MB"
    return Claim("peak memory of fit_transform, uni+bigrams", ours / theirs, 0.5, detail, at_most=True)


def peak_bytes(texts: list[str]) -> int:
    """The peak memory of fit_transform, in bytes."""
    CountVectorizer().fit_transform(texts[:10])  # what has to be loaded is loaded
    reset_peak()
    start = memory("VmRSS")
    CountVectorizer(ngram_range=(1, 2), threads=THREADS).fit_transform(texts)
    return memory("VmHWM") - start


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps({"bytes": peak_bytes(json.loads(Path(sys.argv[1]).read_text(encoding="utf-8")))}))
    else:
        show(claims())

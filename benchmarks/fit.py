"""The time to fit a model to raw text, against scikit-learn and against `wc -w` on the same bytes."""

from __future__ import annotations

import subprocess
import tempfile
from functools import partial
from pathlib import Path

from likely import NaiveBayes

from benchmarks import corpus
from benchmarks.measure import THREADS, Claim, best, peers, show

COPIES = 10


def claims() -> list[Claim]:
    texts, labels, name = corpus.load()
    megabytes = corpus.size(texts) / 1e6
    theirs = peers("fit")
    words = wc(texts)
    found = []
    for kind, ngrams, bars in (("unigrams", (1, 1), (45, 55)), ("bigrams", (1, 2), (25, 25))):
        once, _ = best(partial(fit, texts, labels, ngrams))
        many, _ = best(partial(fit, texts * COPIES, labels * COPIES, ngrams))
        for seconds, copies, bar in ((once, 1, bars[0]), (many, COPIES, bars[1])):
            speed = copies * megabytes / seconds
            ratio = theirs[kind] * copies / seconds
            detail = f"{speed:.0f} MB/s, scikit-learn {megabytes / theirs[kind]:.1f} ({name} x{copies})"
            found.append(Claim(f"fit {kind}, {copies} x, against scikit-learn", ratio, bar, detail))
            if kind == "unigrams":
                detail = f"wc -w {megabytes / words:.0f} MB/s"
                found.append(Claim(f"fit {kind}, {copies} x, against wc -w", words * copies / seconds, 2, detail))
    return found


def fit(texts: list[str], labels: list[str], ngrams: tuple[int, int]) -> NaiveBayes:
    """A fitted model with its weights, which the first prediction computes."""
    model = NaiveBayes(ngrams=ngrams, threads=THREADS).fit(texts, labels)
    model.predict(["ready"])
    return model


def wc(texts: list[str]) -> float:
    """The seconds of `wc -w` on a file in the page cache."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "texts.txt")
        path.write_text("\n".join(texts), encoding="utf-8")
        return best(lambda: subprocess.run(["wc", "-w", str(path)], check=True, stdout=subprocess.DEVNULL))[0]


if __name__ == "__main__":
    show(claims())

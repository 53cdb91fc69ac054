"""Predictions of 25,000 reviews at once and of one at a time, against scikit-learn and fastText."""

from __future__ import annotations

from likely import NaiveBayes

from benchmarks import corpus
from benchmarks.measure import THREADS, Claim, best, peers, show


def claims() -> list[Claim]:
    texts, labels, name = corpus.load()
    theirs = peers("predict")
    model = NaiveBayes(threads=THREADS).fit(texts, labels)
    one = [corpus.one_review(texts)]
    batch, _ = best(lambda: model.predict(texts))
    single = best(lambda: [model.predict(one) for _ in range(1000)])[0] / 1000
    speed = f"{corpus.size(texts) / 1e6 / batch:.0f} MB/s ({name})"
    found = [Claim("predict all, against scikit-learn", theirs["sklearn"] / batch, 25, speed)]
    if "fasttext" in theirs:
        found.append(Claim("predict all, against fastText", theirs["fasttext"] / batch, 8, speed))
    micro = f"{single * 1e6:.1f} us, scikit-learn {theirs['sklearn one'] * 1e6:.0f}"
    micro += f", fastText {theirs['fasttext one'] * 1e6:.1f}" if "fasttext one" in theirs else ""
    found.append(Claim("predict one, against scikit-learn", theirs["sklearn one"] / single, 40, micro))
    found.append(Claim("predict one, microseconds", single * 1e6, 15, "from Python", at_most=True))
    return found


if __name__ == "__main__":
    show(claims())

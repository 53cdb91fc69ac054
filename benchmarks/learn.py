"""Learning one document, then predicting one, on a model of a million terms: against fitting it again."""

from __future__ import annotations

import itertools

from likely import NaiveBayes

from benchmarks.measure import THREADS, Claim, best, show

TERMS = 1_000_000


def claims() -> list[Claim]:
    texts = [" ".join(f"w{rank}" for rank in range(at, at + 100)) for at in range(0, TERMS, 100)]
    labels = [at % 2 for at in range(len(texts))]
    model = NaiveBayes(threads=THREADS)
    refit, _ = best(lambda: model.fit(texts, labels).predict([texts[0]]), 3)
    numbers = itertools.cycle(range(1000))

    def learn_and_predict() -> None:
        at = next(numbers)
        model.learn([f"{texts[at]} new{at}"], [labels[at]])
        model.predict([texts[at]])

    seconds = best(lambda: [learn_and_predict() for _ in range(200)], 5)[0] / 200
    detail = f"{seconds * 1e6:.0f} us against {refit:.2f} s, {len(model.vocabulary_):,} terms"
    return [Claim("learn one and predict one, share of a refit", seconds / refit, 1 / 1000, detail, at_most=True)]


if __name__ == "__main__":
    show(claims())

"""`likely train --prefer strongest` against TfidfVectorizer(ngram_range=(1, 2)) and LinearSVC: time and accuracy."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import likely
import numpy as np

from benchmarks import corpus, tasks
from benchmarks.measure import THREADS, Claim, peers, show

if TYPE_CHECKING:
    from collections.abc import Iterator

BAR = 1.0
ACCURACIES = {"imdb": 91.4, "20newsgroups": 88.1}
"""The accuracy on the test split that must be reached, in percent."""
ROUNDED = 0.05
"""An accuracy is compared as it is shown, with one digit."""


def claims() -> Iterator[Claim]:
    if corpus.load()[2] != "IMDB train":
        yield against("generated Zipfian text", *corpus.generate(2_000, corpus.WORDS))
        return
    for name, bar in ACCURACIES.items():
        yield from with_accuracy(name, bar)


def against(name: str, texts: list[str], labels: list[str]) -> Claim:
    """The time of training in units of the peer's; one run each, because each takes many seconds."""
    seconds, _ = trained(texts, labels)
    return compared(name, seconds, peers("linear_svc", {"texts": texts, "labels": labels})["train"])


def with_accuracy(name: str, bar: float) -> Iterator[Claim]:
    texts, labels = tasks.training(name)
    seconds, model = trained(texts, labels)
    asked, gold = tasks.read(name, "test")
    accuracy = 100 * float(np.mean(model.predict(asked) == np.array(gold)))
    yield compared(name, seconds, peers("linear_svc", {"texts": texts, "labels": labels})["train"])
    detail = str(model.tuning_.options) if model.tuning_ else ""
    yield Claim(f"likely train --prefer strongest, {name}: accuracy, %", accuracy + ROUNDED, bar, detail)


def trained(texts: list[str], labels: list[str]) -> tuple[float, likely.NaiveBayes]:
    begun = time.perf_counter()
    model = likely.train(texts, labels, prefer="strongest", threads=THREADS)
    return time.perf_counter() - begun, model


def compared(name: str, seconds: float, theirs: float) -> Claim:
    detail = f"{seconds:.1f} s, LinearSVC {theirs:.1f} s"
    return Claim(
        f"likely train --prefer strongest, {name}: times LinearSVC", seconds / theirs, BAR, detail, at_most=True
    )


if __name__ == "__main__":
    show(claims())

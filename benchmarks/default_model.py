"""The model that `likely train` makes without options: training, loading, and predictions of many texts and of one.

The corpora are those of `LIKELY_DATA`; without them there are no claims.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import likely
import numpy as np

from benchmarks import corpus
from benchmarks.command import likely as command
from benchmarks.measure import Claim, best, in_fresh_process, memory, peers, show
from benchmarks.tasks import read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely import NaiveBayes

TIMES = 2
"""The number of runs of what takes seconds, for `likely` and for the peer."""


class Bars(NamedTuple):
    """The bars of a corpus: seconds and accuracy of training; speed of predictions and its ratio to the peer."""

    seconds: float
    accuracy: float
    megabytes: float | None = None
    ratio: float | None = None


BARS = {
    "imdb": Bars(5, 88.9, 150, 40),
    "20newsgroups": Bars(7, 85.7, 120),
    "reuters_r52": Bars(4, 92.4),
}


def claims() -> Iterator[Claim]:
    if not os.environ.get("LIKELY_DATA"):
        return
    for name, bars in BARS.items():
        texts, labels = read(name, "train")
        seconds, model = best(lambda: likely.train(texts, labels), TIMES)  # noqa: B023 - it is called at once
        yield from of_training(name, bars, seconds, model)
        if bars.megabytes:
            yield from of_batches(name, bars, model)
        if name == "imdb":
            yield from of_one_review(model, corpus.one_review(texts))
            yield from of_a_file(model, corpus.one_review(texts))


def of_training(name: str, bars: Bars, seconds: float, model: NaiveBayes) -> Iterator[Claim]:
    """How long training takes, and how good the model is."""
    asked, truth = read(name, "test")
    accuracy = float(100 * np.mean(model.predict(asked) == np.array(truth)))
    detail = "no options chosen" if model.tuning_ is None else model.tuning_.command
    yield Claim(f"train, default model, {name}, seconds", seconds, bars.seconds, detail, at_most=True)
    yield Claim(f"accuracy of the default model, {name}", accuracy, bars.accuracy, f"{model.terms_:,} terms")


def of_batches(name: str, bars: Bars, model: NaiveBayes) -> Iterator[Claim]:
    """The speed of predictions of all training texts, in absolute terms and against the linear classifier."""
    texts, labels = read(name, "train")
    megabytes = corpus.size(texts) / 1e6
    theirs = peers("linear_svc", {"texts": texts, "labels": labels})
    ours, _ = best(lambda: model.predict(texts))
    detail = (
        f"TfidfVectorizer(1, 2) and LinearSVC {megabytes / theirs['predict']:.1f}, trained in {theirs['train']:.1f} s"
    )
    yield Claim(f"predict, default model, {name}, MB/s", megabytes / ours, bars.megabytes or 0, detail)
    if bars.ratio:
        yield Claim(f"predict, default model, {name}, against LinearSVC", theirs["predict"] / ours, bars.ratio, "")


def of_one_review(model: NaiveBayes, review: str) -> Iterator[Claim]:
    """The time of one prediction, and how much of it is owed to the size of the vocabulary."""
    ours, small = (seconds_of_one(each, review) for each in (model, tenth(model)))
    yield Claim("predict one, default model, microseconds", ours * 1e6, 60, f"{model.terms_:,} terms", at_most=True)
    detail = f"{small * 1e6:.1f} us"
    yield Claim("predict one, against a tenth of the terms", ours / small, 1.5, detail, at_most=True)


def seconds_of_one(model: NaiveBayes, review: str) -> float:
    model.predict([review])
    return best(lambda: [model.predict([review]) for _ in range(200)])[0] / 200


def tenth(model: NaiveBayes) -> NaiveBayes:
    """The same model with at most a tenth of its terms, those of the most documents."""
    fewest, small = 2, model.pruned(min_documents=2)
    while small.terms_ > model.terms_ / 10:
        fewest *= 2
        small = model.pruned(min_documents=fewest)
    return small


def of_a_file(model: NaiveBayes, review: str) -> Iterator[Claim]:
    """The time and the memory to load a model and predict one text, in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/model.likely"
        saved = model.save(path)
        found = [in_fresh_process("benchmarks.default_model", path, review) for _ in range(5)]
        cold, _ = best(command("predict", path, "--text", review))
    seconds = min(each["seconds"] for each in found)
    detail = f"{saved.size / 1e6:.0f} MB"
    yield Claim("load and predict one, default model, seconds", seconds, 0.3, detail, at_most=True)
    yield Claim("likely predict --text, default model, cold, seconds", cold, 0.6, detail, at_most=True)
    peak = max(each["bytes"] for each in found) / 1e6
    yield Claim("peak memory to load and predict, default model, MB", peak, 400, detail, at_most=True)


def loaded(path: str, review: str) -> dict[str, Any]:
    """The seconds to load a model and predict one text, and the peak memory of the process."""
    load = likely.load  # the modules that it needs are imported now, which is not timed
    begun = time.perf_counter()
    load(Path(path)).predict([review])
    return {"seconds": time.perf_counter() - begun, "bytes": memory("VmHWM")}


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(loaded(*sys.argv[1:])))
    else:
        show(claims())

"""The table of the README: the model that `likely train` makes by default beside other tools, on IMDB.

Each peer follows the recipe of its own documentation. All train on 25,000 reviews and predict 25,000 others, in one
run on the same two cores. `likely` chooses its options and calibrates within the time of training.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

import likely
import numpy as np

from benchmarks import corpus
from benchmarks.measure import best, peers
from benchmarks.spark import SETTINGS, THREADS, mllib
from benchmarks.tasks import read

TITLES = ("", "train", "predict 25,000", "predict one", "accuracy")


def main() -> None:
    if not os.environ.get("LIKELY_DATA"):
        sys.exit("set LIKELY_DATA to the folder of corpora")
    (texts, labels), (asked, gold) = read("imdb", "train"), read("imdb", "test")
    one = corpus.one_review(texts)
    found = {"likely": ours(texts, labels, asked, gold, one)}
    found |= peers("whole", {"texts": texts, "labels": labels, "asked": asked, "gold": gold, "one": one})  # type: ignore[arg-type]
    found["Spark MLlib"] = spark(texts, labels, asked, gold)
    print("| " + " | ".join(TITLES) + " |\n| --- " + "| ---: " * 4 + "|")
    for name, row in found.items():
        alone = f"{1000 * row['one']:.2g} ms" if "one" in row else "-"
        print(f"| {name} | {row['train']:.1f} s | {row['predict']:.2g} s | {alone} | {row['accuracy']:.1%} |")


def ours(texts: list[str], labels: list[str], asked: list[str], gold: list[str], one: str) -> dict[str, float]:
    train, model = best(lambda: likely.train(texts, labels), 2)
    predict, answers = best(lambda: model.predict(asked), 3)
    single, _ = best(lambda: [model.predict([one]) for _ in range(200)], 3)
    accuracy = float(np.mean(answers == np.array(gold)))
    return {"train": train, "predict": predict, "one": single / 200, "accuracy": accuracy}


def spark(texts: list[str], labels: list[str], asked: list[str], gold: list[str]) -> dict[str, float]:
    """MLlib in a warm session; what Spark itself needs to start does not count."""
    from pyspark.sql import SparkSession

    session = SparkSession.builder.master(f"local[{THREADS}]").config(map=SETTINGS).getOrCreate()
    frames: list[Any] = [
        session.createDataFrame(
            [(text, float(label == labels[0])) for text, label in rows], "text string, number double"
        )
        .repartition(2 * THREADS)
        .cache()
        for rows in (zip(texts, labels, strict=True), zip(asked, gold, strict=True))
    ]
    for frame in frames:
        frame.count()
    mllib(frames[0].limit(1000))
    train, model = best(lambda: mllib(frames[0]), 2)
    begun = time.perf_counter()
    right = model.transform(frames[1]).where("prediction = number").count()
    predict = time.perf_counter() - begun
    session.stop()
    return {"train": train, "predict": predict, "accuracy": right / len(asked)}


if __name__ == "__main__":
    main()

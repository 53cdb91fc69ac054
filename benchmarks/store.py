"""Loading and saving a model of 100,000 terms."""

from __future__ import annotations

import tempfile

import likely

from benchmarks.corpus import word
from benchmarks.measure import Claim, best, show

TERMS = 100_000


def claims() -> list[Claim]:
    text = " ".join(word(rank) for rank in range(TERMS))
    model = likely.NaiveBayes().fit([text, text + " more"], ["a", "b"])
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/model.likely"
        saving, saved = best(lambda: model.save(path), 20)
        loading, _ = best(lambda: likely.load(path), 20)
    detail = f"{saved.size / 1e3:.0f} kB, saved in {saving * 1000:.0f} ms"
    return [Claim("load 100,000 terms, milliseconds", loading * 1000, 60, detail, at_most=True)]


if __name__ == "__main__":
    show(claims())

"""The memory of a server that learns and predicts 100,000 documents from 16 clients, and whether it counted them all.

`LIKELY_LOAD` is another number of documents.
"""

from __future__ import annotations

import os
import random
import tempfile
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import likely
import numpy as np
from likely.client import Client
from likely.server.keeper import Keeper

from benchmarks.corpus import word
from benchmarks.measure import Claim, show
from benchmarks.soak_server import memory, serving

if TYPE_CHECKING:
    from collections.abc import Sequence

DOCUMENTS = int(os.environ.get("LIKELY_LOAD", "100000"))
PARTS = 20
CLIENTS = 16
WARM = 0.2
"""The first part of the documents, in which threads, buffers and the vocabulary come to be."""
Document = tuple[str, str]


def documents() -> list[Document]:
    """Documents of 30 words by Zipf's law; every hundredth is a copy of an earlier one."""
    chance = random.Random(18)
    words = [word(rank) for rank in range(5_000)]
    weights = [1 / (rank + 3) for rank in range(len(words))]
    found: list[Document] = []
    for number in range(DOCUMENTS):
        copied = number % 100 == 99
        new = (" ".join(chance.choices(words, weights, k=30)), chance.choice(["pos", "neg"]))
        found.append(found[chance.randrange(len(found))] if copied else new)
    return found


def claims() -> list[Claim]:
    some = documents()
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder, "a.store")
        with serving("--store", store, log=Path(folder, "log")) as (process, address):
            figures = []
            for part in np.array_split(np.arange(DOCUMENTS), PARTS):
                teach(address, [some[at] for at in part])
                figures.append(memory(process))
                print(f"      {part[-1] + 1:>9,} documents, {figures[-1] / 1e6:7.1f} MB", flush=True)
        with Keeper.open(None, store) as keeper:
            wrong = differences(keeper.model, some)
    warm = int(WARM * PARTS)
    at = (np.arange(PARTS) + 1)[warm:] * DOCUMENTS / PARTS
    slope = float(np.polyfit(at / 10_000, np.asarray(figures[warm:]) / 1e6, 1)[0])
    detail = f"{figures[0] / 1e6:.0f} MB after {DOCUMENTS // PARTS:,}, {figures[-1] / 1e6:.0f} MB after {DOCUMENTS:,}"
    return [
        Claim("memory per 10,000 documents over HTTP, MB", slope, 1, detail, at_most=True),
        Claim("counts that differ from the reference", wrong, 0, f"{DOCUMENTS:,} documents", at_most=True),
    ]


def teach(address: str, some: Sequence[Document]) -> None:
    """Learn each document, and predict it, with many clients."""
    failures: list[Exception] = []

    def work(mine: Sequence[Document]) -> None:
        try:
            with Client(address) as client:
                for text, label in mine:
                    client.learn([text], [label])
                    client.predict([text])
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(some[at::CLIENTS],)) for at in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def differences(model: likely.NaiveBayes, some: Sequence[Document]) -> int:
    """How many counts of a model are not those of a model that learned the documents in one go, copies once."""
    once = dict(some)
    expected = likely.NaiveBayes().fit(list(once), list(once.values()))
    counted = [
        {(row["term"], row["class"]): row for row in each.counts_table().to_pylist()} for each in (model, expected)
    ]
    return sum(counted[0].get(cell) != counted[1].get(cell) for cell in counted[0].keys() | counted[1].keys())


if __name__ == "__main__":
    show(claims())

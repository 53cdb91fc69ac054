"""Many clients that learn and predict at the same time: counts are exact, nothing fails, and memory stays flat."""

from __future__ import annotations

import random
import threading
from pathlib import Path

import pytest
from likely import NaiveBayes
from likely.client import Client, Retries
from likely.server.keeper import Keeper

from .amounts import DOCUMENTS, PATIENCE
from .conftest import LABELS, TEXTS
from .served import Served, serving

CLIENTS = 16
MOST_GROWTH = 40_000_000
"""A process that has started needs some memory for its threads and buffers, whatever it does."""
PER_DOCUMENT = 100
"""At most 1 MB per 10,000 documents."""


def documents() -> list[tuple[str, str]]:
    """Documents of words by Zipf's law; every hundredth is a copy of an earlier one."""
    chance = random.Random(18)
    words = [f"word{number}" for number in range(2_000)]
    weights = [1 / (rank + 3) for rank in range(len(words))]
    found: list[tuple[str, str]] = []
    for number in range(DOCUMENTS):
        if number % 100 == 99:
            found.append(found[chance.randrange(len(found))])
        else:
            found.append((" ".join(chance.choices(words, weights, k=30)), chance.choice(["pos", "neg"])))
    return found


def work(address: str, mine: list[tuple[str, str]], failures: list[Exception]) -> None:
    try:
        with Client(address, retries=Retries(attempts=1)) as client:
            for text, label in mine:
                client.learn([text], [label])
                assert client.predict([text])[0].known == 1.0
    except Exception as error:
        failures.append(error)


def run(server: Served, some: list[tuple[str, str]]) -> None:
    failures: list[Exception] = []
    threads = [
        threading.Thread(target=work, args=(server.address, some[at::CLIENTS], failures)) for at in range(CLIENTS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


@pytest.mark.timeout(PATIENCE)
def test_counts_are_exact_and_memory_is_flat(model_file: Path) -> None:
    store, all_of_them = model_file.with_suffix(".store"), documents()
    with serving(model_file, store) as server:
        half = len(all_of_them) // 2
        run(server, all_of_them[:half])
        before = server.memory()
        run(server, all_of_them[half:])
        assert server.memory() - before < MOST_GROWTH + PER_DOCUMENT * half
        assert server.end() == 0
        assert {each["status"] for each in server.events() if each["event"] == "request"} == {200}
    once = dict.fromkeys(all_of_them)
    expected = NaiveBayes().fit([*TEXTS, *(text for text, _ in once)], [*LABELS, *(label for _, label in once)])
    keeper = Keeper.open(model_file, store)
    order = [("term", "ascending"), ("class", "ascending")]
    assert keeper.model.counts_table().sort_by(order).equals(expected.counts_table().sort_by(order))
    assert keeper.model.class_documents_.tolist() == expected.class_documents_.tolist()
    keeper.close()

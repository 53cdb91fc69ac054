"""Clients that learn, move, forget and predict until they are told to end, and send again what was not answered."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random, SystemRandom

from likely import NaiveBayes
from likely.client import Client, Retries
from likely.server.keeper import Keeper

from .conftest import LABELS, TEXTS

NOT_FOR_CLIENTS = (15_000, 32_000)
"""Linux gives clients ports from 32768 on: one that asks a server which is away could even reach itself."""


class Clients:
    """Several clients, each with texts of its own. After `end`, `learned` is what a server must have."""

    def __init__(self, addresses: Sequence[str], clients: int = 8) -> None:
        self._enough = threading.Event()
        self._done: list[list[tuple[str, str]]] = [[] for _ in range(clients)]
        self._threads = [
            threading.Thread(target=self._work, args=(addresses[at % len(addresses)], at)) for at in range(clients)
        ]
        for thread in self._threads:
            thread.start()

    def _work(self, address: str, number: int) -> None:
        chance = Random(number)
        retries = Retries(attempts=100_000, first=0.01, longest=0.05, random=Random(number))
        with Client(address, retries=retries, timeout=5) as client:
            at = 0
            while not self._enough.is_set():
                at += 1
                text = f"client{number} text{at} word{chance.randrange(50)}"
                label = chance.choice(["pos", "neg", "new"])
                client.learn([text], [label], source=f"client{number}")
                kind = chance.randrange(10)
                if kind == 0:
                    client.forget(text)
                    continue
                if kind == 1:
                    label = "pos" if label == "neg" else "neg"
                    client.learn([text], [label])
                client.predict([text])
                self._done[number].append((text, label))

    @property
    def learned(self) -> list[tuple[str, str]]:
        """What is learned and acknowledged, and not forgotten."""
        return [pair for each in self._done for pair in each]

    def wait_for(self, more: int, seconds: float = 60) -> None:
        """Wait until this many more texts are learned: also if the machine is busy."""
        wanted, until = len(self.learned) + more, time.monotonic() + seconds
        while len(self.learned) < wanted:
            assert time.monotonic() < until, "the clients get no answers"
            time.sleep(0.001)

    def end(self) -> None:
        """Let each client finish what it has begun."""
        self._enough.set()
        for thread in self._threads:
            thread.join(60)
        assert not any(thread.is_alive() for thread in self._threads)

    def check(self, model: Path, store: Path | str) -> None:
        """The counts in a store are those of a model that learned what was acknowledged, one after the other."""
        texts, labels = zip(*self.learned, strict=True)
        expected = NaiveBayes().fit(TEXTS, LABELS).learn(list(texts), list(labels))
        with Keeper.open(model, store) as keeper:
            assert counts(keeper.model) == counts(expected)


def counts(model: NaiveBayes) -> set[tuple[object, ...]]:
    """The counts of every term in every class, and the documents of every class."""
    rows = {tuple(row.values()) for row in model.counts_table().to_pylist() if row["count"]}
    return rows | set(zip(model.classes_.tolist(), model.class_documents_.tolist(), strict=True))


def free_port() -> int:
    """A port that nobody uses now, and that no client gets for its own end while its server is away."""
    chance = SystemRandom()
    while True:
        with socket.socket() as found, contextlib.suppress(OSError):
            found.bind(("127.0.0.1", chance.randrange(*NOT_FOR_CLIENTS)))
            return int(found.getsockname()[1])

"""A server that is killed under clients which send again: nothing acknowledged is lost, and nothing is done twice."""

from __future__ import annotations

import signal
import socket
import threading
import time
from pathlib import Path
from random import Random

import pytest
from likely import NaiveBayes, load
from likely.client import Client, Retries
from likely.server.keeper import Correction, Keeper

from .amounts import KILLS, PATIENCE
from .conftest import LABELS, TEXTS
from .served import serving, starting

CLIENTS = 8


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def work(address: str, number: int, enough: threading.Event, done: list[tuple[str, str]]) -> None:
    """Learn texts of this client only, one after the other, and move or forget some of them."""
    chance = Random(number)
    retries = Retries(attempts=100_000, first=0.01, longest=0.05, random=Random(number))
    with Client(address, retries=retries, timeout=5) as client:
        at = 0
        while not enough.is_set():
            at += 1
            text, label = f"client{number} text{at} word{chance.randrange(50)}", chance.choice(["pos", "neg", "new"])
            client.learn([text], [label], source=f"client{number}")
            kind = chance.randrange(10)
            if kind == 0:
                client.forget(text)
                continue
            if kind == 1:
                label = "pos" if label == "neg" else "neg"
                client.learn([text], [label])
            client.predict([text])
            done.append((text, label))


@pytest.mark.timeout(PATIENCE)
def test_kills_under_load_lose_and_double_nothing(model_file: Path) -> None:
    store, port, enough = model_file.with_suffix(".store"), free_port(), threading.Event()
    done: list[list[tuple[str, str]]] = [[] for _ in range(CLIENTS)]
    address = f"http://127.0.0.1:{port}"
    threads = [threading.Thread(target=work, args=(address, at, enough, done[at])) for at in range(CLIENTS)]
    for thread in threads:
        thread.start()
    chance = Random(1)
    for at in range(KILLS):
        if at % 10 == 9:
            kill_while_it_starts(model_file, store, port, chance)
        else:
            kill_under_load(model_file, store, port, done, chance)
    with serving(model_file, store, port=port) as server:
        enough.set()
        for thread in threads:
            thread.join(30)
        assert not any(thread.is_alive() for thread in threads)
        assert server.end() == 0
    learned = [pair for each in done for pair in each]
    keeper = Keeper.open(model_file, store)
    expected = NaiveBayes().fit(TEXTS, LABELS).learn([text for text, _ in learned], [label for _, label in learned])
    assert counts(keeper.model) == counts(expected)
    keeper.close()
    assert counts(load(model_file)) == counts(NaiveBayes().fit(TEXTS, LABELS))


def kill_under_load(model: Path, store: Path, port: int, done: list[list[tuple[str, str]]], chance: Random) -> None:
    """Kill a server some time after the clients have got some answers: also if the machine is busy."""
    before, wanted = sum(map(len, done)), chance.randint(1, 12)
    with serving(model, store, port=port) as server:
        until = time.monotonic() + 60
        while sum(map(len, done)) - before < wanted:
            assert time.monotonic() < until, server.log.read_text()
            time.sleep(0.001)
        time.sleep(chance.uniform(0, 0.01))
        server.process.kill()


def kill_while_it_starts(model: Path, store: Path, port: int, chance: Random) -> None:
    wanted = {"settings": {"port": port}, "limits": {}, "environment": {}}
    with starting(model, store, wanted) as (process, _):
        time.sleep(chance.uniform(0, 0.1))
        process.kill()


def counts(model: NaiveBayes) -> set[tuple[object, ...]]:
    """The counts of every term in every class, and the documents of every class."""
    rows = {tuple(row.values()) for row in model.counts_table().to_pylist() if row["count"]}
    return rows | set(zip(model.classes_.tolist(), model.class_documents_.tolist(), strict=True))


def test_a_correction_is_durable_when_it_is_acknowledged(model_file: Path) -> None:
    store = model_file.with_suffix(".store")
    with serving(model_file, store) as server:
        server.post("/learn", corrections=[{"text": "zany", "label": "pos"}]).raise_for_status()
        server.process.send_signal(signal.SIGKILL)
        server.process.wait()
    keeper = Keeper.open(model_file, store)
    assert keeper.learn([Correction("zany", "pos")])[0].what == "known"
    keeper.close()

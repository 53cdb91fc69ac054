"""How soon one worker knows what another one has learned: from the acknowledgement to a prediction that uses it."""

from __future__ import annotations

import contextlib
import os
import random
import tempfile
import threading
import time
from pathlib import Path

import httpx
from likely.client import Client

from benchmarks.measure import Claim, show
from benchmarks.soak_server import imdb_model, percentile, serving

ROUNDS = 200
TEACHERS = 4
"""Clients that go on teaching, and so keep both workers busy."""


def claims() -> list[Claim]:
    with tempfile.TemporaryDirectory() as folder:
        model, store = imdb_model(Path(folder)), Path(folder, "a.store")
        with serving(model, "--store", store, "--workers", "2", log=Path(folder, "log")) as (_, address):
            one, other = two_workers(address)
            quiet = [seconds_until_known(one, other, f"quiet{at}") for at in range(ROUNDS)]
            with teaching(address):
                busy = [seconds_until_known(one, other, f"busy{at}") for at in range(ROUNDS)]
            one.close()
            other.close()
    return [claim("", quiet), claim(f" while {TEACHERS} clients teach", busy)]


def claim(when: str, times: list[float]) -> Claim:
    shown = ", ".join(f"{name} {percentile(times, share) * 1000:.0f}" for name, share in SHARES.items())
    return Claim(f"another worker knows it{when}, p99 ms", percentile(times, 0.99) * 1000, 100, shown, at_most=True)


SHARES = {"median": 0.5, "p90": 0.9, "p99": 0.99, "slowest": 1.0}


def two_workers(address: str) -> tuple[httpx.Client, httpx.Client]:
    """Two connections that different processes have taken."""
    first, process = connection(address)
    while True:
        second, other = connection(address)
        if other != process:
            return first, second
        second.close()


def connection(address: str) -> tuple[httpx.Client, int]:
    """A connection, and the process at its other end."""
    client = httpx.Client(base_url=address, trust_env=False, timeout=20)
    with client.stream("GET", "/livez") as answer:
        port = answer.extensions["network_stream"].get_extra_info("client_addr")[1]
        answer.read()
    return client, process_of(port)


def process_of(port: int) -> int:
    """The process of this machine that has accepted a connection from a port."""
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    number = next(row[9] for row in rows if int(row[2].rpartition(":")[2], 16) == port)
    for process in filter(str.isdecimal, os.listdir("/proc")):
        with contextlib.suppress(OSError):  # it has ended, or is somebody else's
            for file in os.scandir(f"/proc/{process}/fd"):
                if os.readlink(file) == f"socket:[{number}]":
                    return int(process)
    raise LookupError(port)


def seconds_until_known(one: httpx.Client, other: httpx.Client, word: str) -> float:
    time.sleep(random.uniform(0, 0.05))
    one.post("/learn", json={"corrections": [{"text": word, "label": "pos"}]}).raise_for_status()
    begun = time.perf_counter()
    while other.post("/predict", json={"text": word}).json()["predictions"][0]["known"] < 1:
        pass
    return time.perf_counter() - begun


class teaching:  # noqa: N801 - used as a function
    """Clients that teach until the end of a block."""

    def __init__(self, address: str) -> None:
        self._enough = threading.Event()
        self._threads = [threading.Thread(target=self._teach, args=(address, at)) for at in range(TEACHERS)]

    def _teach(self, address: str, number: int) -> None:
        with Client(address) as client:
            at = 0
            while not self._enough.is_set():
                client.learn([f"taught {at} by {number}"], ["neg"])
                at += 1

    def __enter__(self) -> None:
        for thread in self._threads:
            thread.start()

    def __exit__(self, *_: object) -> None:
        self._enough.set()
        for thread in self._threads:
            thread.join()


if __name__ == "__main__":
    show(claims())

"""How long a server is away that is killed and started again: a cold process, a store with entries, a whole model."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

from likely.client import Client

from benchmarks import corpus
from benchmarks.measure import Claim, show
from benchmarks.soak_server import imdb_model, serving

RESTARTS = 9
DOCUMENTS = 499
"""As many entries as may be there that are not folded, but one: all of them are replayed."""


def claims() -> list[Claim]:
    texts, labels, name = corpus.load()
    with tempfile.TemporaryDirectory() as folder:
        model, store, log = imdb_model(Path(folder)), Path(folder, "a.store"), Path(folder, "log")
        with serving(model, "--store", store, log=log) as (process, address):
            with Client(address) as client:
                for at in range(DOCUMENTS):
                    client.learn([f"{texts[at]} again"], [labels[at]])
            process.kill()
        times = []
        for _ in range(RESTARTS):
            begun = time.perf_counter()
            with serving(model, "--store", store, log=log) as (process, _):
                times.append(time.perf_counter() - begun)
                process.kill()
    detail = f"{DOCUMENTS} entries to replay; slowest {max(times):.2f} s; {name}"
    return [Claim("restart after kill -9, median seconds", sorted(times)[RESTARTS // 2], 1, detail, at_most=True)]


if __name__ == "__main__":
    show(claims())

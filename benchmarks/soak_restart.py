"""How long a server is away that is killed and started again: a cold process, a store with entries, a whole model.

The time in which the process waits because other programs use all processors is left out, and told beside it.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median

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
        whole, own = [], []
        for _ in range(RESTARTS):
            begun = time.perf_counter()
            with serving(model, "--store", store, log=log) as (process, _):
                whole.append(time.perf_counter() - begun)
                own.append(whole[-1] - waited(process.pid))
                process.kill()
    detail = f"{median(whole):.2f} s with waiting; {DOCUMENTS} entries to replay; {name}"
    return [Claim("restart after kill -9, median seconds", median(own), 1, detail, at_most=True)]


def waited(process: int) -> float:
    """For how many seconds the first thread of a process has waited for a processor (Linux, `schedstat`)."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[1]) / 1e9


if __name__ == "__main__":
    show(claims())

"""A server as users start it, `likely serve`, for the long measurements."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import likely

from benchmarks import corpus

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


@contextmanager
def serving(*args: str | Path, log: Path) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """A process of `likely serve`, and its address as soon as it answers."""
    port = free_port()
    command = [sys.executable, "-m", "likely.cli", "serve", *map(str, args), "--port", str(port)]
    address = f"http://127.0.0.1:{port}"
    with log.open("ab") as errors:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=errors)
    try:
        until_ready(address, process)
        yield process, address
    finally:
        process.terminate()
        process.wait(60)


def until_ready(address: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until a server answers."""
    with httpx.Client(trust_env=False) as client:
        while process.poll() is None:
            try:
                if client.get(f"{address}/readyz").status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.002)
    raise RuntimeError("the server has ended: its log says why")


def free_port() -> int:
    import socket

    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def imdb_model(folder: Path) -> Path:
    """The model of all reviews, with default options."""
    texts, labels, _ = corpus.load()
    path = folder / "reviews.likely"
    likely.NaiveBayes().fit(texts, labels).save(path)
    return path


def memory(process: subprocess.Popen[bytes]) -> int:
    """The bytes that a process has in memory."""
    pages = int(Path(f"/proc/{process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGESIZE")


def percentile(times: Sequence[float], share: float) -> float:
    """The time that this share of all times does not exceed."""
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def body(**fields: object) -> bytes:
    """A body of a request."""
    return json.dumps(fields).encode()

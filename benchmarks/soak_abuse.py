"""What good clients notice of bad ones: the 99th percentile of their times, with and without abuse, in turns.

Abuse is 200 clients that send one byte per second, and another one that sends, without a pause, broken requests, JSON
bombs and gzip bombs. It runs in a process of its own, on the same processors as the server and the good clients.
"""

from __future__ import annotations

import gzip
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time
from http.client import HTTPConnection
from pathlib import Path

import likely

from benchmarks import corpus
from benchmarks.measure import Claim, show
from benchmarks.soak_server import body, memory, percentile, serving

ROUNDS, SECONDS, CLIENTS, PER_SECOND = 4, 8.0, 4, 50
SLOW = 200
HEAD = b"POST /predict HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"


def claims() -> list[Claim]:
    texts, labels, name = corpus.load()
    good = body(text=corpus.one_review(texts))
    quiet: list[float] = []
    abused: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        model = Path(folder, "reviews.likely")
        likely.NaiveBayes().fit(texts, labels).save(model)
        with serving(model, log=Path(folder, "log")) as (process, address):
            port = int(address.rpartition(":")[2])
            ask(port, good, [])  # so that all is loaded
            before = memory(process)
            for _ in range(ROUNDS):
                ask(port, good, quiet)
                abuser = subprocess.Popen(
                    [sys.executable, "-m", "benchmarks.soak_abuse", str(port)], stdout=subprocess.PIPE, text=True
                )
                assert abuser.stdout is not None
                abuser.stdout.readline()  # all slow clients are there
                ask(port, good, abused)
                abuser.terminate()
                abuser.communicate()
            grown = (memory(process) - before) / 1e6
    late = [percentile(times, 0.99) * 1000 for times in (quiet, abused)]
    detail = f"{late[0]:.1f} ms alone, {late[1]:.1f} ms under abuse, of {len(abused):,} requests; {name}"
    return [
        Claim("good clients' p99 under abuse, times that alone", late[1] / late[0], 3, detail, at_most=True),
        Claim("memory after abuse, MB more than before", grown, 64, "", at_most=True),
    ]


def request(content: bytes, *headers: bytes) -> bytes:
    """A request for a prediction."""
    return HEAD + b"".join(headers) + b"content-length: %d\r\n\r\n" % len(content) + content


def ask(port: int, good: bytes, times: list[float]) -> None:
    """Ask with several clients, each some times per second, and note how long each answer takes."""
    threads = [threading.Thread(target=_ask, args=(port, good, times, at)) for at in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _ask(port: int, good: bytes, times: list[float], number: int) -> None:
    connection = HTTPConnection("127.0.0.1", port)
    due = time.perf_counter() + number / CLIENTS / PER_SECOND
    end = due + SECONDS
    while due < end:
        time.sleep(max(0.0, due - time.perf_counter()))
        begun = time.perf_counter()
        connection.request("POST", "/predict", good, {"content-type": "application/json"})
        answer = connection.getresponse()
        answer.read()
        times.append(time.perf_counter() - begun if answer.status == 200 else float("inf"))
        due = max(due + 1 / PER_SECOND, time.perf_counter())
    connection.close()


def abuse(port: int) -> None:
    """Abuse a server until this process is ended."""
    slow = [_slow(port) for _ in range(SLOW)]
    print("ready", flush=True)
    threading.Thread(target=_trickle, args=(port, slow), daemon=True).start()
    chance = random.Random(16)
    bombs = [
        request(gzip.compress(b" " * 200_000_000, 9)[:200_000], b"content-encoding: gzip\r\n"),
        request(b'{"texts":' + b"[" * 1_000_000),
        request(body(**{str(number): number for number in range(100_000)})),
        request(body(texts=[""] * 500_000)),
    ]
    for number in range(10**9):
        _send(port, bombs[number // 25 % len(bombs)] if number % 25 == 24 else _damaged(chance))


def _slow(port: int) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(HEAD)
    return connection


def _trickle(port: int, slow: list[socket.socket]) -> None:
    while True:
        for at, connection in enumerate(slow):
            time.sleep(1 / len(slow))
            try:
                connection.sendall(b"x")
            except OSError:  # it was cut off
                connection.close()
                slow[at] = _slow(port)


def _damaged(chance: random.Random) -> bytes:
    data = bytearray(request(b'{"text":"dull"}'))
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data))
        data[at : at + chance.randint(0, 20)] = chance.randbytes(chance.randint(0, 20))
    return bytes(data)


def _send(port: int, data: bytes) -> None:
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
            connection.sendall(data)
            connection.shutdown(socket.SHUT_WR)
            while connection.recv(65_536):
                pass
    except OSError:
        pass


if __name__ == "__main__":
    if sys.argv[1:]:
        abuse(int(sys.argv[1]))
    else:
        show(claims())

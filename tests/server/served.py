"""A server in a process of its own, on a free port of this machine."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

from . import nursery

_NURSERY: list[subprocess.Popen[str]] = []
"""The program that forks servers, as soon as there is one."""


class Forked:
    """A server that the nursery has forked: the part of `subprocess.Popen` that is needed."""

    def __init__(self, pipe: Path) -> None:
        self._pipe, self._said = os.open(pipe, os.O_RDONLY), b""
        self.returncode: int | None = None
        self.pid = int(self.line())

    def line(self, seconds: float | None = None) -> str:
        """The next line of the pipe; ``TimeoutError`` if it does not come in time."""
        while b"\n" not in self._said:
            if not select.select([self._pipe], [], [], seconds)[0]:
                raise TimeoutError
            part = os.read(self._pipe, 4_096)
            assert part, "the nursery has ended"
            self._said += part
        line, _, self._said = self._said.partition(b"\n")
        return line.decode()

    def address(self) -> str:
        """The address as soon as the server answers; nothing if it has ended instead."""
        line = self.line(100)
        if line.startswith("http"):
            return line
        self.returncode = int(line)
        return ""

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with contextlib.suppress(ProcessLookupError):  # it has just ended
                os.kill(self.pid, number)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def poll(self) -> int | None:
        """The exit status; None if the server runs."""
        try:
            return self.wait(0)
        except TimeoutError:
            return None

    def wait(self, seconds: float | None = None) -> int:
        """The exit status, as soon as the server has ended; ``TimeoutError`` if that takes longer."""
        while self.returncode is None:
            line = self.line(seconds)
            if not line.startswith("http"):  # the address, if nobody has waited for it
                self.returncode = int(line)
        return self.returncode

    def close(self) -> None:
        os.close(self._pipe)


@dataclass
class Served:
    """A running server."""

    process: Forked
    address: str
    log: Path

    @property
    def port(self) -> int:
        return int(self.address.rpartition(":")[2])

    def client(self, token: str | None = None) -> httpx.Client:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        return httpx.Client(base_url=self.address, headers=headers, trust_env=False, verify=False, timeout=20)  # noqa: S501 - no TLS, and starting it is slow

    def post(self, path: str, **body: object) -> httpx.Response:
        with self.client() as client:
            return client.post(path, json=body)

    def post_mail(self, path: str, message: bytes) -> httpx.Response:
        with self.client() as client:
            return client.post(path, content=message, headers={"content-type": "message/rfc822"})

    def get(self, path: str) -> httpx.Response:
        with self.client() as client:
            return client.get(path)

    def raw(self, data: bytes, *, seconds: float = 20) -> bytes:
        """All that the server answers to these bytes until it closes the connection."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as connection:
            try:
                connection.sendall(data)
                connection.shutdown(socket.SHUT_WR)
            except OSError:
                pass  # it has answered and closed already
            return read_all(connection)

    def in_flight(self) -> float:
        """The number of requests in work, beside the one that asks."""
        return float(re.findall(r"^likely_requests_in_flight (.*)$", self.get("/metrics").text, re.MULTILINE)[0]) - 1

    def events(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def memory(self) -> int:
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGESIZE")

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(30)


def until(is_so: Callable[[], bool], seconds: float = 60) -> None:
    """Wait until something is so, however busy the machine is."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


def read_all(connection: socket.socket) -> bytes:
    """All bytes until the other side closes."""
    found = b""
    try:
        while part := connection.recv(1 << 16):
            found += part
    except ConnectionResetError:
        pass
    return found


@contextlib.contextmanager
def serving(
    model: Path,
    store: Path | str | None = None,
    /,
    *,
    limits: Mapping[str, float] | None = None,
    environment: Mapping[str, str] | None = None,
    **settings: object,
) -> Iterator[Served]:
    """A server, which is killed at the end if it still runs. With ``model=None`` it begins with nothing."""
    wanted = {"settings": settings, "limits": dict(limits or {}), "environment": dict(environment or {})}
    with starting(model, store, wanted) as (process, log):
        address = process.address()
        assert address, log.read_text()
        yield Served(process, address, log)


@contextlib.contextmanager
def starting(model: Path, store: Path | str | None, wanted: Mapping[str, Any]) -> Iterator[tuple[Forked, Path]]:
    """A server that has just been forked, and its log. It is killed at the end if it still runs."""
    now = time.monotonic_ns()
    log, pipe = model.with_suffix(f".{now}.log"), model.with_suffix(f".{now}.pipe")
    log.touch()
    os.mkfifo(pipe)
    place = None if store is None else str(store)
    what = {"model": str(model), "store": place, "port": 0, "drain": 0.0, **wanted["settings"]}
    stdin = _nursery().stdin
    assert stdin is not None
    stdin.write(json.dumps({**wanted, "settings": what, "log": str(log), "pipe": str(pipe)}) + "\n")
    stdin.flush()
    process = Forked(pipe)
    try:
        yield process, log
    finally:
        process.kill()
        process.wait()
        process.close()
        pipe.unlink()


def _nursery() -> subprocess.Popen[str]:
    """The program that forks servers. It ends when its input is closed: with this process."""
    if not _NURSERY:
        _NURSERY.append(subprocess.Popen([sys.executable, nursery.__file__], stdin=subprocess.PIPE, text=True))
        atexit.register(_end_nursery)
    return _NURSERY[0]


def _end_nursery() -> None:
    process = _NURSERY.pop()
    assert process.stdin is not None
    process.stdin.close()
    process.wait()

"""A server in a process of its own, on a free port of this machine."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

_PROGRAM = """
import json, sys
from likely.server.http.limits import Limits
from likely.server.running import Settings, run
settings, limits = (json.loads(each) for each in sys.argv[1:])
run(Settings(**settings), Limits(**limits), lambda address: print(address, flush=True))
"""


@dataclass
class Served:
    """A running server."""

    process: subprocess.Popen[str]
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

    def events(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def memory(self) -> int:
        pages = int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGESIZE")

    def end(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(30)


def read_all(connection: socket.socket) -> bytes:
    """All bytes until the other side closes."""
    found = b""
    try:
        while part := connection.recv(1 << 16):
            found += part
    except ConnectionResetError:
        pass
    return found


@contextmanager
def serving(
    model: Path,
    store: Path | None = None,
    /,
    *,
    limits: Mapping[str, float] | None = None,
    environment: Mapping[str, str] | None = None,
    **settings: object,
) -> Iterator[Served]:
    """A server, which is killed at the end if it still runs. With ``model=None`` it begins with nothing."""
    wanted = {"model": str(model), "store": None if store is None else str(store), "port": 0, **settings}
    command = [sys.executable, "-c", _PROGRAM, json.dumps(wanted), json.dumps(dict(limits or {}))]
    log = model.with_suffix(f".{time.monotonic_ns()}.log")
    with log.open("w") as errors:
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=errors, text=True, env={**os.environ, **(environment or {})}
        )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address, log.read_text()
        yield Served(process, address, log)
    finally:
        process.kill()
        process.wait()
        assert process.stdout is not None
        process.stdout.close()

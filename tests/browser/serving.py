"""A real `likely serve` for the tests of its page: a process of its own on a free port."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from http.client import HTTPConnection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class Server:
    """A server that runs: its address, and what it answers without a browser."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process, self.address = process, address

    def ask(self, path: str, body: object = None) -> dict[str, object]:
        """The answer to a GET, or to a POST with a body."""
        host, _, port = self.address.removeprefix("http://").rpartition(":")
        connection = HTTPConnection(host, int(port), timeout=30)
        data = None if body is None else json.dumps(body)
        connection.request("POST" if data else "GET", path, data, {"content-type": "application/json"})
        answer: dict[str, object] = json.load(connection.getresponse())
        connection.close()
        return answer

    def stop(self) -> None:
        """End the server as an administrator does."""
        self.process.terminate()
        self.process.wait(timeout=30)


@contextmanager
def serving(
    folder: Path, *arguments: str, model: Path | None = None, port: int = 0, learns: bool = True
) -> Iterator[Server]:
    """A server, with a store in this folder if it learns."""
    command = [sys.executable, "-m", "likely.cli", "serve", *([str(model)] if model else []), "--json"]
    command += [*(["--store", str(folder / "page.store")] if learns else []), "--port", str(port), *arguments]
    with open(folder / "log.txt", "a", encoding="utf-8") as log:
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=os.environ.copy())
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, (folder / "log.txt").read_text()
    server = Server(process, json.loads(line)["address"])
    try:
        yield server
    finally:
        server.stop()
        process.stdout.close()

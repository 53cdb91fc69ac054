"""Several processes that serve one address. They share the store, and follow what the others have learned."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING

from likely.errors import LikelyError, OptionError
from likely.server.http.limits import Limits
from likely.server.keeper import Guards
from likely.server.keeper.rates import SharedRates
from likely.server.running import Settings, address_of, bind, run_bound
from likely.server.shared_file import SharedFile

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

PROGRAM = "from likely.server.workers import work; work()"
PAUSE = 0.05
"""How often the first process looks whether all others run, in seconds."""
AGAIN = 1.0
"""How long it waits before it starts a process that has ended, in seconds."""
GUARDS = ("classes", "label_bytes", "rate", "burst")
"""The guards that each process gets; the corrections of a sender are counted by all of them together."""


def run_workers(workers: int, settings: Settings, limits: Limits, listening: Callable[[str], None]) -> None:
    """Serve with this many processes until SIGTERM or Ctrl-C; the first of them folds the model."""
    bound = bind(settings)
    bound.listen(2_048)
    figures, rates = [SharedFile.create() for _ in range(workers)], SharedFile.create()
    group = _Group(
        [_Worker(replace(settings, folds=at == 0), limits, bound, at, figures, rates) for at in range(workers)]
    )
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, group.end)
    group.start()
    if not group.is_ending:
        listening(address_of(bound))
    group.watch()


@dataclass
class _Worker:
    """One process. It ends when its standard input is closed, also if this process was killed."""

    settings: Settings
    limits: Limits
    bound: socket.socket
    at: int
    figures: list[SharedFile]
    rates: SharedFile
    process: subprocess.Popen[str] | None = None
    ended: float = 0.0

    def start(self) -> None:
        told = {
            "settings": {name: value for name, value in vars(self.settings).items() if name != "guards"},
            "guards": {name: getattr(self.settings.guards, name) for name in GUARDS},
            "limits": asdict(self.limits),
            "socket": self.bound.fileno(),
            "at": self.at,
            "figures": [file.number for file in self.figures],
            "rates": self.rates.number,
        }
        # A group of its own: Ctrl-C is for the first process, which tells the others.
        self.process = subprocess.Popen(  # noqa: S603 - a program of our own
            [sys.executable, "-c", PROGRAM, json.dumps(told)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=[
                self.bound.fileno(),
                *(file.number for file in (*self.figures, self.rates)),
            ],
            process_group=0,
            text=True,
        )

    @property
    def is_running(self) -> bool:
        """Whether the process has been started, and has not ended."""
        return self.process is not None and self.process.poll() is None

    def wait_until_ready(self) -> None:
        """Wait until the process answers; ``OptionError`` with its reason if it cannot."""
        if self.process is not None and self.process.stdout is not None:
            told = self.process.stdout.readline().strip()
            if told != "ready":
                raise OptionError(told or "a worker has ended before it was ready: the log says why")

    def drain(self) -> None:
        """Let the process finish what is in flight, and end."""
        if self.process is not None and self.process.stdin is not None:
            self.process.stdin.close()

    def kill(self) -> None:
        """End the process at once."""
        if self.process is not None:
            self.process.kill()


@dataclass
class _Group:
    """All processes, and whether they are to end."""

    workers: list[_Worker]
    is_ending: bool = False

    def start(self) -> None:
        """Start the first process, which creates the store, then all others. If one cannot serve, none does."""
        try:
            for some in (self.workers[:1], self.workers[1:]):
                for worker in some:
                    worker.start()
                for worker in some:
                    worker.wait_until_ready()
        except BaseException as error:
            if not (self.is_ending and isinstance(error, OptionError)):
                self._kill()
                raise

    def watch(self) -> None:
        """Start again what has ended by itself, until all are to end and have ended."""
        while not self.is_ending or any(worker.is_running for worker in self.workers):
            for worker in self.workers:
                if not self.is_ending and not worker.is_running:
                    self._start_again(worker)
            time.sleep(PAUSE)

    def _start_again(self, worker: _Worker) -> None:
        now = time.monotonic()
        worker.ended = worker.ended or now
        if now - worker.ended >= AGAIN:
            worker.ended = 0.0
            worker.start()

    def end(self, number: int, frame: FrameType | None) -> None:
        """At the first signal, let all finish what is in flight; at the second, end at once."""
        del frame
        if self.is_ending:
            self._kill()
            os._exit(128 + number)
        self.is_ending = True
        for worker in self.workers:
            worker.drain()

    def _kill(self) -> None:
        for worker in self.workers:
            worker.kill()


def work() -> None:
    """Serve, as one of several processes that `run_workers` starts."""
    from likely.server.http.board import Board

    told = json.loads(sys.argv[1])
    rates = SharedRates(SharedFile(told["rates"]))
    given = told["settings"] | {"guards": Guards(**told["guards"], rates=rates)}
    settings = Settings(**given)
    threading.Thread(target=_end_with_input, daemon=True).start()
    try:
        bound = socket.socket(fileno=told["socket"])
        board = Board(list(map(SharedFile, told["figures"])), told["at"])
        run_bound(settings, Limits(**told["limits"]), bound, lambda: print("ready", flush=True), board)
    except LikelyError as error:
        print(" ".join(str(error).split()), flush=True)
        os._exit(2)


def _end_with_input() -> None:
    """Drain as soon as the first process closes the other end, or is gone."""
    sys.stdin.read()
    os.kill(os.getpid(), signal.SIGTERM)

"""A program that has loaded the server, and forks one per line that it reads: a new process would load it each time.

A line is JSON: the settings, the limits, variables of the environment, a file for the log, and a named pipe. The pipe
gets lines: the number of the process, its address as soon as it answers, and its exit status when it has ended.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import sys
import traceback
from typing import Any

LOADED = (
    *("likely.server.app", "likely.server.pool", "likely.server.running", "likely.server.store.sqlite"),
    *("likely.model.naive_bayes", "likely.core.file", "likely.evaluation.drift", "numpy"),
    *("likely.server.store.postgres", "psycopg", "importlib.metadata"),
    *("uvicorn", "uvicorn.lifespan.on", "uvicorn.loops.auto", "uvicorn.protocols.http.h11_impl", "uvloop"),
)
"""What a server needs. If one is missing here, it is loaded by each server, and nothing else is different."""


def main() -> None:
    """Fork a process per line, which waits for the server that it forks."""
    for name in LOADED:
        with contextlib.suppress(ImportError):  # without PostgreSQL, for example
            importlib.import_module(name)
    gc.collect()
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    nursery = os.getpid()
    for line in sys.stdin:
        if not os.fork():
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            _watch(json.loads(line), nursery)


def _watch(asked: dict[str, Any], nursery: int) -> None:
    """Fork a server, and write into the pipe what becomes of it."""
    pipe, server = os.open(asked["pipe"], os.O_WRONLY), os.fork()
    if not server:
        _serve(asked, pipe)

    def look(number: int, frame: object) -> None:
        """Leave no server behind if the tests were killed."""
        del number, frame
        if os.getppid() != nursery:
            os.kill(server, signal.SIGKILL)

    signal.signal(signal.SIGALRM, look)
    signal.setitimer(signal.ITIMER_REAL, 1, 1)
    os.write(pipe, b"%d\n" % server)
    _, status = os.waitpid(server, 0)
    os.write(pipe, b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _serve(asked: dict[str, Any], pipe: int) -> None:
    from likely.server.access import Limits
    from likely.server.running import ServerSettings, run

    log, nothing = os.open(asked["log"], os.O_WRONLY | os.O_APPEND), os.open(os.devnull, os.O_RDWR)
    for number, target in enumerate((nothing, nothing, log)):
        os.dup2(target, number)
    os.environ.update(asked["environment"])

    def tell(address: str) -> None:
        os.write(pipe, f"{address}\n".encode())

    try:
        run(ServerSettings(**asked["settings"]), Limits(**asked["limits"]), tell)
        os._exit(0)
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)


if __name__ == "__main__":
    main()

"""Running a server: the socket, one process or uvicorn's workers, signals, and what is done beside requests."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import random
import signal
import socket
import tempfile
import threading
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from importlib.metadata import version
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from likely.errors import OptionError
from likely.server import access
from likely.server.keeper import Guards, Keeper
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Mapping
    from types import FrameType

    from starlette.applications import Starlette
    from uvicorn import Config

    from likely.server.access import Limits
    from likely.server.service import Service

FOLD = 900.0
"""How often the model is folded into a file, if it has changed, in seconds."""
DUE = 500
"""With this many entries that are not folded, it is folded sooner. To replay them takes about half a second."""
SHARE = 0.1
"""At most this share of the time is spent on folding."""
FOLLOW = 0.025
"""How often a server looks for entries that other processes have written, in seconds."""
BACKLOG = 2_048
"""How many connections may wait to be accepted."""


@dataclass(frozen=True)
class ServerSettings:
    """What to serve, and where.

    Attributes
    ----------
    model : str or None
        The model file; None begins with a model that has learned nothing.
    store : str or None
        The store of corrections; without it the server does not learn.
    host, port : str, int
        The address; port 0 is any free one.
    token_file : str or None
        The file with tokens.
    allow_hosts : tuple of str
        Further names in the Host header.
    keep_texts : bool
        Whether the store keeps the texts of corrections.
    guards : Guards
        Limits on what may be learned.
    pool : tuple of str
        Files with texts that wait for labels.
    reading : mapping
        Options of reading these files.
    workers : int
        The number of processes.
    drain : float
        How many seconds the server still takes requests after SIGTERM, while `/readyz` says 503.
    logs_requests : bool
        Whether every request is in the log.
    """

    model: str | None
    store: str | None = None
    host: str = "127.0.0.1"
    port: int = 8000
    token_file: str | None = None
    allow_hosts: tuple[str, ...] = ()
    keep_texts: bool = False
    guards: Guards = field(default_factory=Guards)
    pool: tuple[str, ...] = ()
    reading: Mapping[str, object] = field(default_factory=dict)
    workers: int = 1
    drain: float = 1.0
    logs_requests: bool = False

    @property
    def name(self) -> str:
        """The name of the model: that of its file, without its suffix."""
        return Path(self.model).stem if self.model else "model"

    def open(self) -> Keeper:
        """The model and its store."""
        return Keeper.open(self.model, self.store, guards=self.guards, keep_texts=self.keep_texts)


def run(settings: ServerSettings, limits: Limits, listening: Callable[[str], None]) -> None:
    """Serve until SIGTERM or Ctrl-C. Then requests in flight are finished, and the model is folded.

    ``listening`` is called with the address as soon as clients can connect. A second signal ends the server at once:
    what was acknowledged is durable already.
    """
    bound = bind(settings)
    host, port = bound.getsockname()[:2]
    start = run_one if settings.workers == 1 else run_workers
    start(
        settings,
        limits,
        bound,
        partial(listening, f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"),
    )


def run_one(settings: ServerSettings, limits: Limits, bound: socket.socket, listening: Callable[[], None]) -> None:
    """Serve in this process."""
    os.environ.pop("PROMETHEUS_MULTIPROC_DIR", None)
    beside = ThreadPoolExecutor(1)  # the model is opened while modules are imported, so that a restart is fast
    opened = beside.submit(settings.open)
    beside.shutdown(wait=False)
    import uvicorn

    class Server(uvicorn.Server):
        """A server that ends with the exit status 0 after a signal."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            """Finish what is in flight."""
            self.should_exit = True

    app = _app(settings, limits, opened, listening, is_worker=False)
    Server(_config(app, limits)).run([bound])


def run_workers(
    settings: ServerSettings, limits: Limits, bound: socket.socket, listening: Callable[[], None]
) -> None:
    """Serve with several processes, which share the socket and the store.

    This process checks the model and creates the store before it starts the others, and folds when they have ended.
    """
    settings.open().close()
    share = settings.guards.rate and settings.guards.rate / settings.workers
    theirs = replace(settings, guards=replace(settings.guards, rate=share))
    with tempfile.TemporaryDirectory(prefix="likely-") as figures:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = figures
        from prometheus_client.multiprocess import mark_process_dead
        from uvicorn.supervisors import Multiprocess

        class Supervisor(Multiprocess):
            """uvicorn's supervisor of processes. A second signal ends them at once."""

            def end(self, number: int, frame: FrameType | None) -> None:
                """Let all processes finish what is in flight; at the second signal, end at once."""
                if self.should_exit.is_set():
                    for process in self.processes:
                        process.kill()
                    os._exit(128 + number)
                self.should_exit.set()

            def keep_subprocess_alive(self) -> None:
                """Start again what has ended by itself; its requests are not in flight any more."""
                before = {process.pid for process in self.processes}
                super().keep_subprocess_alive()
                for pid in before - {process.pid for process in self.processes}:
                    mark_process_dead(pid)  # type: ignore[no-untyped-call]

        config = _config(partial(worker_app, theirs, limits), limits, factory=True, workers=settings.workers)
        supervisor = Supervisor(config, [bound])
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, supervisor.end)
        listening()
        supervisor.run()
    if settings.store is not None:
        settings.open().close(fold=True)


def worker_app(settings: ServerSettings, limits: Limits) -> Starlette:
    """The application of one of several processes. It ends with the process that has started it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the first process, which tells the others
    threading.Thread(target=_end_with_parent, daemon=True).start()
    with ThreadPoolExecutor(1) as beside:
        return _app(settings, limits, beside.submit(settings.open), lambda: None, is_worker=True)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


def bind(settings: ServerSettings) -> socket.socket:
    """The socket of an address; ``OptionError`` if it is not free, or if it needs a token."""
    host, port = settings.host, settings.port
    access.check_address(host, access.Tokens.of(access.read_tokens(settings.token_file, os.environ)))
    if settings.token_file is not None:
        access.warn_of_readers(settings.token_file)
    family, both = (socket.AF_INET6, socket.has_dualstack_ipv6()) if ":" in host else (socket.AF_INET, False)
    try:
        return socket.create_server((host, port), family=family, backlog=BACKLOG, dualstack_ipv6=both)
    except OSError as error:
        why = f"port {port}: {str(error.strerror).partition(' (while')[0]}. Choose another with --port"
        raise OptionError(f"cannot listen at {printable(host)}, {why}") from error


def _config(app: Callable[..., object], limits: Limits, **more: object) -> Config:
    import uvicorn

    return uvicorn.Config(
        app,
        http="h11",  # which answers requests with an Upgrade header, and bounds headers
        h11_max_incomplete_event_size=limits.headers,
        limit_concurrency=limits.connections,
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=int(limits.idle_time),
        timeout_graceful_shutdown=int(limits.drain_time),
        timeout_worker_healthcheck=20,
        backlog=BACKLOG,
        **more,  # type: ignore[arg-type]
    )


def _app(
    settings: ServerSettings,
    limits: Limits,
    opened: Future[Keeper],
    listening: Callable[[], None],
    *,
    is_worker: bool,
) -> Starlette:
    """The application, which follows and folds its store while it is served."""
    from likely.server.app import make_app
    from likely.server.pool import Pool
    from likely.server.service import Service, UvicornLog

    tokens = access.Tokens.of(access.read_tokens(settings.token_file, os.environ))
    own = access.LOCAL_NAMES if access.is_loopback(settings.host) else frozenset[str]()
    gate = access.Gate(tokens, own | {name.lower() for name in settings.allow_hosts})
    pool = Pool(tuple(settings.pool), settings.reading)
    service = Service(opened.result(), settings.name, version("likely"), pool)
    logger = logging.getLogger("uvicorn")
    logger.handlers, logger.propagate = [UvicornLog(service.log)], False
    logger.setLevel(logging.WARNING)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        _drain_before_the_end(service, settings.drain)
        tasks = [asyncio.create_task(work) for work in (_follow(service), _fold(service))]
        listening()
        yield
        for task in tasks:
            task.cancel()
        is_whole = service.close(fold=not is_worker, seconds=limits.drain_time)
        service.log.event("ended")
        if not is_whole:  # the store hangs, and its threads with it
            os._exit(0)

    return make_app(service, gate, limits, logs_requests=settings.logs_requests, lifespan=lifespan)


def _drain_before_the_end(service: Service, drain: float) -> None:
    """At a signal, let `/readyz` say 503 for some seconds before uvicorn hears of it; a second one ends at once."""
    loop = asyncio.get_running_loop()

    def begin(number: int, frame: FrameType | None) -> None:
        if service.is_draining:
            os._exit(128 + number)
        service.is_draining = True
        service.log.event("draining", signal=signal.Signals(number).name)
        loop.call_soon_threadsafe(loop.call_later, drain, stops[number], number, frame)

    handlers = {int(number): signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGINT)}
    stops = {number: stop for number, stop in handlers.items() if callable(stop)}
    for number in stops:
        signal.signal(number, begin)


async def _follow(service: Service) -> None:
    """Take over, again and again, what other processes have learned."""
    while True:
        await asyncio.sleep(FOLLOW)
        try:
            await service.durably(service.keeper.refresh)
            service.heard = monotonic()
            service.log.said.clear()
        except Exception as error:
            service.log.error(error, "follow")
            await asyncio.sleep(1)


async def _fold(service: Service) -> None:
    """Fold the model into a file when many entries are not in it, or some for long: a restart is then fast.

    What was forgotten is erased with it. Several processes look at different times, and find nothing left to fold.
    """
    keeper, loop = service.keeper, asyncio.get_running_loop()
    latest = loop.time() + FOLD
    while True:
        await asyncio.sleep(random.uniform(0.5, 1.5))  # noqa: S311 - not a secret
        begun, status = loop.time(), keeper.status
        least = 1 if begun >= latest else DUE
        if not status.can_learn or status.seq - status.folded_seq < least:
            continue
        try:
            await asyncio.to_thread(keeper.fold_if_due, least)
        except Exception as error:  # it is tried again
            service.log.error(error, "fold")
        latest = loop.time() + FOLD
        await asyncio.sleep((loop.time() - begun) / SHARE)

"""Running a server: the socket, the signals, the end."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from likely.errors import OptionError
from likely.extras import extra
from likely.server.keeper import Guards, Keeper
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import FrameType

    from uvicorn import Server

    from likely.server.http.app import App
    from likely.server.http.board import Board
    from likely.server.http.limits import Limits
    from likely.server.http.service import Service

FOLD = 900.0
"""How often the model is folded into a file, if it has changed, in seconds."""
PUBLISH = 1.0
"""How often a process writes its figures for the others, in seconds."""
FOLLOW = 0.025
"""How often a server looks for entries that other processes have written, in seconds."""


@dataclass(frozen=True)
class Settings:
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
    drain : float
        How many seconds the server still takes requests after SIGTERM, while `/readyz` says 503.
    logs_requests : bool
        Whether every request is in the log.
    folds : bool
        Whether this process folds the model into a file now and then, and at the end: one of several does.
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
    drain: float = 1.0
    logs_requests: bool = False
    folds: bool = True

    @property
    def name(self) -> str:
        """The name of the model: that of its file, without its suffix."""
        return Path(self.model).stem if self.model else "model"


def run(settings: Settings, limits: Limits, listening: Callable[[str], None]) -> None:
    """Serve until SIGTERM or Ctrl-C. Then requests in flight are finished, and the model is folded.

    ``listening`` is called with the address as soon as the server answers. A second signal ends the process at once:
    what was acknowledged is durable already.
    """
    bound = bind(settings)
    run_bound(settings, limits, bound, lambda: listening(address_of(bound)))


def run_bound(
    settings: Settings,
    limits: Limits,
    bound: socket.socket,
    listening: Callable[[], None],
    board: Board | None = None,
) -> None:
    """Serve at a socket, as `run` does; ``board`` has the figures of other processes."""
    beside = ThreadPoolExecutor(1)  # the model is opened while modules are imported, so that a restart is fast
    opened = beside.submit(
        Keeper.open,
        settings.model,
        settings.store,
        guards=settings.guards,
        keep_texts=settings.keep_texts,
    )
    beside.shutdown(wait=False)
    from likely.server.http.access import LOCAL_NAMES, Gate, Tokens, is_loopback, read_tokens
    from likely.server.http.app import App
    from likely.server.http.board import Board
    from likely.server.http.service import Service
    from likely.server.pool import Pool

    import_module("uvicorn")
    tokens = Tokens.of(read_tokens(settings.token_file, os.environ))
    own = LOCAL_NAMES if is_loopback(settings.host) else frozenset[str]()
    hosts = own | {name.lower() for name in settings.allow_hosts}
    service = Service(opened.result(), settings.name, _version(), board or Board())
    service.pool = Pool(tuple(settings.pool), settings.reading)
    app = App(service, Gate(tokens, hosts), limits, logs_requests=settings.logs_requests)
    server = _server(app, service, limits)
    folds = settings.folds and settings.store is not None
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(_Running(server, service, listening, folds, settings.drain).until_the_end(bound))
    service.close(fold=folds)
    service.log.event("ended")


def _version() -> str:
    from importlib.metadata import version

    return version("likely")


def bind(settings: Settings) -> socket.socket:
    """The socket of an address; ``OptionError`` if it is not free, or if it needs a token."""
    for library in ("msgspec", "uvicorn"):
        extra(library, "The server")
    from likely.server.http.access import Tokens, check_address, read_tokens

    host, port = settings.host, settings.port
    check_address(host, Tokens.of(read_tokens(settings.token_file, os.environ)))
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    bound = socket.socket(family)
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        bound.bind((host, port))
    except OSError as error:
        bound.close()
        raise OptionError(
            f"cannot listen at {printable(host)}, port {port}: {error.strerror}. Choose another with --port"
        ) from error
    return bound


def address_of(bound: socket.socket) -> str:
    """The address of a socket, for people and clients."""
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _server(app: App, service: Service, limits: Limits) -> Server:
    import uvicorn

    from likely.server.http.log import ToLog

    logger = logging.getLogger("uvicorn")
    logger.handlers, logger.propagate = [ToLog(service.log)], False
    logger.setLevel(logging.WARNING)
    config = uvicorn.Config(
        app,
        http="h11",  # which answers requests with an Upgrade header, and bounds headers
        h11_max_incomplete_event_size=limits.headers,
        limit_concurrency=limits.connections,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=int(limits.idle_time),
        timeout_graceful_shutdown=int(limits.drain_time),
        backlog=2_048,
    )
    return uvicorn.Server(config)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The faster event loop, if it is installed."""
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


@dataclass
class _Running:
    """A server while it runs."""

    server: Server
    service: Service
    listening: Callable[[], None]
    folds: bool
    drain: float

    async def until_the_end(self, bound: socket.socket) -> None:
        """Serve until a signal; uvicorn then finishes what is in flight."""
        self.server.handle_exit = self._end  # type: ignore[method-assign,assignment]
        beside = [asyncio.create_task(work) for work in (self._tell(), self._follow(), self._fold(), self._publish())]
        await self.server.serve([bound])
        for task in beside:
            task.cancel()
        self._write_figures()

    async def _tell(self) -> None:
        while not self.server.started:
            await asyncio.sleep(0.005)
        self.listening()

    async def _follow(self) -> None:
        """Take over, again and again, what other processes have learned."""
        while True:
            await asyncio.sleep(FOLLOW)
            try:
                await self.service.durably(self.service.keeper.refresh)
            except Exception as error:
                self.service.log.error(error, "follow")
                await asyncio.sleep(1)

    async def _fold(self) -> None:
        """Fold the model into a file now and then: a restart is then fast, and what was forgotten is erased."""
        while self.folds:
            await asyncio.sleep(FOLD)
            status = self.service.keeper.status
            if status.can_learn and status.seq > status.folded:
                try:
                    await self.service.durably(self.service.keeper.fold)
                except Exception as error:  # it is tried again
                    self.service.log.error(error, "fold")

    async def _publish(self) -> None:
        """Let the other processes know the figures of this one, again and again."""
        while self.service.board.is_shared:
            await asyncio.sleep(PUBLISH)
            await self.service.aside(self._write_figures)

    def _write_figures(self) -> None:
        try:
            self.service.board.write()
        except OSError as error:  # it is tried again
            self.service.log.error(error, "figures")

    def _end(self, number: int, frame: FrameType | None) -> None:
        """Drain at the first signal; end at once at the second."""
        del frame
        if self.service.is_draining:
            os._exit(128 + number)
        self.service.is_draining = True
        self.service.log.event("draining", signal=signal.Signals(number).name)
        asyncio.get_event_loop().call_later(self.drain, self._stop)

    def _stop(self) -> None:
        self.server.should_exit = True

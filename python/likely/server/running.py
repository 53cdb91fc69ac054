"""Running a server: the socket, the signals, the end."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from likely.errors import OptionError
from likely.extras import extra
from likely.server.keeper import Guards, Keeper
from likely.terminal import printable

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType

    from uvicorn import Server

    from likely.server.http.limits import Limits
    from likely.server.http.service import Service

FOLLOW = 0.05
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
    logs_requests: bool = False

    @property
    def name(self) -> str:
        """The name of the model: that of its file, without its suffix."""
        return Path(self.model).stem if self.model else "model"


def run(settings: Settings, limits: Limits, listening: Callable[[str], None]) -> None:
    """Serve until SIGTERM or Ctrl-C. Then requests in flight are finished, and the model is folded.

    ``listening`` is called with the address as soon as the server answers. A second signal ends the process at once:
    what was acknowledged is durable already.
    """
    purpose = "The server"
    for library in ("msgspec", "uvicorn", "httptools"):
        extra(library, purpose)
    from likely.server.http.access import LOCAL_NAMES, Gate, Tokens, check_address, is_loopback, read_tokens
    from likely.server.http.app import App
    from likely.server.http.service import Service

    tokens = Tokens.of(read_tokens(settings.token_file, os.environ))
    check_address(settings.host, tokens)
    own = LOCAL_NAMES if is_loopback(settings.host) else frozenset[str]()
    hosts = own | {name.lower() for name in settings.allow_hosts}
    bound = _bind(settings.host, settings.port)
    keeper = Keeper.open(settings.model, settings.store, guards=settings.guards, keep_texts=settings.keep_texts)
    service = Service(keeper, settings.name, _version())
    app = App(service, Gate(tokens, hosts), limits, logs_requests=settings.logs_requests)
    _serve(app, service, limits, bound, lambda: listening(_address(bound)))


def _version() -> str:
    from importlib.metadata import version

    return version("likely")


def _bind(host: str, port: int) -> socket.socket:
    """The socket of an address; ``OptionError`` if it is not free."""
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


def _address(bound: socket.socket) -> str:
    host, port = bound.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _serve(
    app: object, service: Service, limits: Limits, bound: socket.socket, listening: Callable[[], None]
) -> None:
    import uvicorn

    from likely.server.http.log import ToLog
    from likely.server.http.protocol import limited

    logger = logging.getLogger("uvicorn")
    logger.handlers, logger.propagate = [ToLog(service.log)], False
    logger.setLevel(logging.WARNING)
    config = uvicorn.Config(
        app,  # type: ignore[arg-type]
        http=limited(limits),
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
    server = uvicorn.Server(config)
    running = _Running(server, service, listening)
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(running.until_the_end(bound))
    service.close(fold=True)
    service.log.event("ended")


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

    async def until_the_end(self, bound: socket.socket) -> None:
        """Serve until a signal; uvicorn then finishes what is in flight."""
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, self._end)
        tell = asyncio.create_task(self._tell())
        follow = asyncio.create_task(self._follow())
        await self.server._serve([bound])
        tell.cancel()
        follow.cancel()

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

    def _end(self, number: int, frame: FrameType | None) -> None:
        """Drain at the first signal; end at once at the second."""
        del frame
        if self.service.is_draining:
            os._exit(128 + number)
        self.service.is_draining = True
        self.service.log.event("draining", signal=signal.Signals(number).name)
        asyncio.get_event_loop().call_later(GRACE, self._stop)

    def _stop(self) -> None:
        self.server.should_exit = True


GRACE = 0.2
"""How long the server still takes requests after it has said that it is not ready, in seconds."""

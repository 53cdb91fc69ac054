"""`Noting`: the ids of requests, and what is counted and logged of each when it is answered."""

from __future__ import annotations

import itertools
import os
import re
from typing import TYPE_CHECKING

from likely.server.http.routes import ROUTES

if TYPE_CHECKING:
    from likely.server.http.service import Service

_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_CHANGING = frozenset(route.path for route in ROUTES if route.method == "POST" and route.right == "learn")


class Noting:
    """Gives requests their ids, and notes what became of them.

    Examples
    --------
    >>> from likely.server.http.service import Service
    >>> from likely.server.keeper import Keeper
    >>> noting = Noting(Service(Keeper.open(None, None), "reviews", "1.0"))
    >>> noting.id_of(b"order-7"), noting.id_of(b"not plain").endswith("-1")
    ('order-7', True)
    """

    def __init__(self, service: Service, *, logs_requests: bool = False) -> None:
        self._service, self._logs_requests = service, logs_requests
        self._numbers = itertools.count(1)
        self._prefix = os.urandom(6).hex()

    def id_of(self, given: bytes | None) -> str:
        """The id of a request: the one that came with it, if it is a plain one, or else a new one."""
        if given is not None and _ID.fullmatch(given):
            return given.decode()
        return f"{self._prefix}-{next(self._numbers)}"

    def note(self, method: str, path: str, status: int, seconds: float, request_id: str) -> None:
        """Count a request, and write it into the log if it changed something, failed here, or all are wanted."""
        self._service.metrics.requested(path, status, seconds)
        if self._logs_requests or status >= 500 or path in _CHANGING:
            level, shown = "error" if status >= 500 else "info", round(seconds * 1e3, 3)
            method = method if method in ("GET", "HEAD", "POST") else "(other)"
            self._service.log.event(
                "request", level=level, id=request_id, method=method, route=path, status=status, ms=shown
            )

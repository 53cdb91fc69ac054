"""`GET /livez`, `/readyz` and `/metrics`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.server.http.content import Content
from likely.server.http.handlers.looking import NoQuery, shares
from likely.server.http.messages import Health
from likely.server.http.problems import ProblemError

if TYPE_CHECKING:
    from likely.server.http.service import Call, Service


async def live(service: Service, call: Call, query: NoQuery) -> Health:
    """Whether the process is alive."""
    del service, call, query
    return Health("ok")


async def ready(service: Service, call: Call, query: NoQuery) -> Health:
    """Whether the server takes requests: it is degraded if it can predict but not learn, although it has a store."""
    del call, query
    check_ready(service)
    status = service.keeper.status
    if status.can_learn or status.durability == "none":
        return Health("ok")
    return Health("degraded", status.why_not)


def check_ready(service: Service) -> None:
    """A problem if the server is about to end."""
    if service.is_draining:
        raise ProblemError(503, "the server is about to end", ((b"retry-after", b"5"),))


async def metrics(service: Service, call: Call, query: NoQuery) -> Content:
    """What has happened, in the text format of Prometheus."""
    del call, query
    keeper = service.keeper
    lines = service.metrics.lines(shares(keeper.model), keeper.status)
    return Content("\n".join([*lines, ""]).encode(), "text/plain; version=0.0.4; charset=utf-8")

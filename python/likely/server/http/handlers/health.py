"""`GET /livez`, `/readyz`, `/metrics` and `/drift`."""

from __future__ import annotations

from functools import reduce
from typing import TYPE_CHECKING

from likely.server.http.content import Content
from likely.server.http.drift import drift_of
from likely.server.http.exposition import lines
from likely.server.http.messages import DriftAnswer, Health
from likely.server.http.metrics import Metrics
from likely.server.http.problems import ProblemError

if TYPE_CHECKING:
    from likely.server.http.handlers.looking import NoQuery
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
    text = await service.aside(_text, service)
    return Content(text.encode(), "text/plain; version=0.0.4; charset=utf-8")


def _text(service: Service) -> str:
    figures = service.board.figures()
    known = [each for each in figures if each is not None]
    total = reduce(Metrics.plus, (each.metrics for each in known))
    found = lines(
        total, drift_now(service), [0 if each is None else each.memory for each in figures], service.keeper.status
    )
    return "\n".join([*found, ""])


async def drift(service: Service, call: Call, query: NoQuery) -> DriftAnswer:
    """How far the last texts are from the training data: unknown terms, and the shares of the classes."""
    del call, query
    return await service.aside(drift_now, service)


def drift_now(service: Service) -> DriftAnswer:
    """The figures of drift of all processes."""
    model = service.keeper.model
    recents = [each.recent for each in service.board.figures() if each is not None]
    return drift_of(model, recents, service.board.drift.usual(model))

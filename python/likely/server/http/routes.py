"""The table of routes. Dispatching, rights, documentation and tests follow from it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from likely.server.http import messages as m
from likely.server.http.content import Content
from likely.server.http.handlers import health, learning, looking, pages, pooling, predicting
from likely.server.http.handlers.looking import NoQuery
from likely.server.http.problems import ProblemError
from likely.types import ExplanationDocument

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from msgspec import Struct

    from likely.server.http.access import Right

LEARN_PROBLEMS = (404, 409, 422, 429, 503, 507)


@dataclass(frozen=True)
class Route:
    """One route.

    Attributes
    ----------
    method, path : str
        The method, and the path, in which ``{name}`` stands for the rest or for one part of it.
    right : {"open", "predict", "learn"}
        What the sender must be allowed to do, if there are tokens.
    handler : callable
        What it does: a function of the service, the call and the request or query.
    takes : type
        The body of a POST, or the query of a GET.
    gives : type
        The answer.
    problems : tuple of int
        Statuses of problems, beside those that every route may have.
    """

    method: Literal["GET", "POST"]
    path: str
    right: Right
    handler: Callable[..., Awaitable[object]]
    takes: type[Struct]
    gives: type[Struct] | type[Content] | type[ExplanationDocument]
    problems: tuple[int, ...] = ()

    @property
    def summary(self) -> str:
        """The first sentence of what the handler says about itself."""
        return (self.handler.__doc__ or "").strip().partition("\n")[0]


ROUTES = (
    Route("POST", "/predict", "predict", predicting.predict, m.PredictRequest, m.Predictions, (409, 422)),
    Route("POST", "/explain", "predict", predicting.explain, m.ExplainRequest, ExplanationDocument, (409, 422)),
    Route("POST", "/learn", "learn", learning.learn, m.LearnRequest, m.Outcomes, LEARN_PROBLEMS),
    Route("POST", "/forget", "learn", learning.forget, m.ForgetRequest, m.Outcomes, LEARN_PROBLEMS),
    Route("POST", "/undo", "learn", learning.undo, m.UndoRequest, m.Outcomes, LEARN_PROBLEMS),
    Route("GET", "/history", "learn", learning.history, learning.HistoryQuery, m.History, (422, 503)),
    Route("GET", "/model", "predict", looking.model, NoQuery, m.ModelAnswer),
    Route("GET", "/classes", "predict", looking.classes, looking.ClassesQuery, m.Classes, (422,)),
    Route("GET", "/terms/{term}", "learn", looking.term, NoQuery, m.TermAnswer),
    Route("GET", "/pool", "learn", pooling.pool, pooling.PoolQuery, m.PoolAnswer, (422,)),
    Route("GET", "/livez", "open", health.live, NoQuery, m.Health),
    Route("GET", "/readyz", "open", health.ready, NoQuery, m.Health, (503,)),
    Route("GET", "/metrics", "predict", health.metrics, NoQuery, Content),
    Route("GET", "/drift", "predict", health.drift, NoQuery, m.DriftAnswer),
    Route("GET", "/openapi.json", "open", pages.openapi, NoQuery, Content),
    Route("GET", "/docs", "open", pages.docs, NoQuery, Content),
)


class Router:
    """Finds the route of a request.

    Examples
    --------
    >>> route, place = Router(ROUTES).find("GET", "/terms/a/b")
    >>> route.path, place
    ('/terms/{term}', 'a/b')
    """

    def __init__(self, routes: tuple[Route, ...]) -> None:
        self._exact: dict[str, dict[str, Route]] = {}
        self._named: list[tuple[re.Pattern[str], dict[str, Route]]] = []
        for route in routes:
            if "{" not in route.path:
                self._exact.setdefault(route.path, {})[route.method] = route
            else:
                self._named.append((_pattern(route.path), {route.method: route}))

    def find(self, method: str, path: str) -> tuple[Route, str]:
        """The route, and the part of the path that stands for a name."""
        found, place = self._exact.get(path), ""
        if found is None:
            found, place = self._match(path)
        route = found.get("GET" if method == "HEAD" else method)
        if route is None:
            allowed = ", ".join(sorted({*found, *(["HEAD"] if "GET" in found else [])}))
            raise ProblemError(405, f"this path allows {allowed}", ((b"allow", allowed.encode()),))
        return route, place

    def _match(self, path: str) -> tuple[dict[str, Route], str]:
        for pattern, found in self._named:
            match = pattern.fullmatch(path)
            if match:
                return found, match[1]
        raise ProblemError(404, "there is no such path: /docs has all of them")


def _pattern(path: str) -> re.Pattern[str]:
    """A regular expression of a path: a term may have anything in it, also slashes; another name may not."""
    before, _, rest = path.partition("{")
    name, _, after = rest.partition("}")
    return re.compile(f"{re.escape(before)}({'.+' if name == 'term' else '[^/]+'}){re.escape(after)}", re.DOTALL)

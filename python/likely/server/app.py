"""The ASGI application: the table of operations, the checks of every request, and its answer.

Rights, documentation and tests follow from the table.
"""

from __future__ import annotations

import hashlib
import itertools
import os
import re
from dataclasses import dataclass
from http import HTTPStatus
from time import perf_counter
from typing import TYPE_CHECKING, Literal

from msgspec import DecodeError, Struct, ValidationError, convert
from msgspec.json import Decoder, Encoder, encode
from starlette.applications import Starlette
from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from likely.reading.mail import message_text
from likely.server import access, handlers
from likely.server import messages as m
from likely.server.handlers import json_response
from likely.server.openapi import docs_page, document
from likely.server.page import HEADERS, files
from likely.server.service import Call, Service
from likely.types import ExplanationDocument

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from starlette.types import ASGIApp, Lifespan, Message, Receive, Scope, Send

    from likely.server.access import Gate, Limits, Right

LEARN_PROBLEMS = (404, 409, 422, 429, 503, 507)
_KEY = re.compile(rb"[!-~]{1,200}")
_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_NO_PATH = "(none)"
"""The route of a request whose path is not in the table, in metrics and logs."""


@dataclass(frozen=True)
class Operation:
    """What one method does at one path.

    Attributes
    ----------
    method, path : str
        The method, and the path, in which ``{term}`` stands for a term.
    right : {"open", "predict", "learn"}
        What the sender must be allowed to do, if there are tokens.
    handler : callable
        What it does: a function of the service, the call and the request or query.
    takes : type
        The body of a POST, or the query of a GET.
    gives : type or None
        The answer; None if it is not JSON with a schema.
    problems : tuple of int
        Statuses of problems, beside those that every operation may have.
    """

    method: Literal["GET", "POST"]
    path: str
    right: Right
    handler: Callable[..., Awaitable[object]]
    takes: type[Struct]
    gives: type[Struct] | type[ExplanationDocument] | None
    problems: tuple[int, ...] = ()

    @property
    def summary(self) -> str:
        """The first sentence of the handler's docstring."""
        return (self.handler.__doc__ or "").strip().partition("\n")[0]


async def openapi(service: Service, call: Call, query: m.NoQuery) -> Response:
    """Describe the interface as an OpenAPI document."""
    return json_response(encode(document(OPERATIONS, service.version)))


async def docs(service: Service, call: Call, query: m.NoQuery) -> Response:
    """Describe the interface as a page."""
    page = docs_page(document(OPERATIONS, service.version))
    return Response(page, headers=HEADERS, media_type="text/html")


OPERATIONS = (
    Operation("POST", "/predict", "predict", handlers.predict, m.PredictRequest, m.PredictionsAnswer, (409, 422)),
    Operation("POST", "/explain", "predict", handlers.explain, m.ExplainRequest, ExplanationDocument, (409, 422)),
    Operation("POST", "/learn", "learn", handlers.learn, m.LearnRequest, m.OutcomesAnswer, LEARN_PROBLEMS),
    Operation("POST", "/forget", "learn", handlers.forget, m.ForgetRequest, m.OutcomesAnswer, LEARN_PROBLEMS),
    Operation("POST", "/undo", "learn", handlers.undo, m.UndoRequest, m.OutcomesAnswer, LEARN_PROBLEMS),
    Operation("GET", "/history", "learn", handlers.history, m.HistoryQuery, m.HistoryAnswer, (422, 503)),
    Operation("GET", "/model", "predict", handlers.model, m.NoQuery, m.ModelAnswer),
    Operation("GET", "/classes", "predict", handlers.classes, m.ClassesQuery, m.ClassesAnswer, (422,)),
    Operation("GET", "/terms/{term}", "learn", handlers.term, m.NoQuery, m.TermAnswer),
    Operation("GET", "/pool", "learn", handlers.pool, m.PoolQuery, m.PoolAnswer, (422,)),
    Operation("GET", "/livez", "open", handlers.live, m.NoQuery, m.Health),
    Operation("GET", "/readyz", "open", handlers.ready, m.NoQuery, m.Health, (503,)),
    Operation("GET", "/metrics", "predict", handlers.metrics, m.NoQuery, None),
    Operation("GET", "/drift", "predict", handlers.drift, m.NoQuery, m.DriftAnswer),
    Operation("GET", "/openapi.json", "open", openapi, m.NoQuery, None),
    Operation("GET", "/docs", "open", docs, m.NoQuery, None),
)
_LOGGED = frozenset(each.path for each in OPERATIONS if each.method == "POST" and each.right == "learn")


def make_app(
    service: Service,
    gate: Gate,
    limits: Limits,
    *,
    logs_requests: bool = False,
    lifespan: Lifespan[Starlette] | None = None,
) -> Starlette:
    """The application that answers the requests of one service."""
    endpoints = [Endpoint(each, service, gate, limits) for each in OPERATIONS]
    routes = [_route(each.path, endpoint, each.method) for each, endpoint in zip(OPERATIONS, endpoints, strict=True)]
    app = Starlette(
        routes=[*routes, *(_route(path, page, "GET") for path in files())],
        middleware=[Middleware(Front, service, gate, limits, logs_requests=logs_requests)],
        exception_handlers={HTTPException: answer_problem},
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return app


def _route(path: str, endpoint: Callable[..., object], method: str) -> Route:
    """A route that matches whole paths: those of Starlette also match with a line end behind them.

    A term may have anything in it, also slashes and line ends, but it is not empty.
    """
    name = "/" if path in files() else path
    route = Route(path.replace("{term}", "{term:path}"), endpoint, methods=[method], name=name)
    pattern = route.path_regex.pattern.removesuffix("$") + r"\Z"
    route.path_regex = re.compile(pattern.replace(".*", ".+"), re.DOTALL)
    return route


async def page(request: Request) -> Response:
    """A file of the page."""
    return files()[request.scope["path"]]


async def answer_problem(request: Request, error: Exception) -> Response:
    """A problem (RFC 9457), which is what a client sees of any error: it has the id of the request, and no trace."""
    if isinstance(error, HTTPException) and error.status_code == 405:
        allowed = ", ".join(sorted((error.headers or {})["Allow"].split(", ")))
        problem = access.ProblemError(405, f"this path allows {allowed}", {"allow": allowed})
    elif isinstance(error, HTTPException):
        problem = access.ProblemError(404, "there is no such path: /docs has all of them")
    else:
        problem = access.problem_of(error)
    status, request_id = problem.status, request.scope["request_id"]
    data = encode(m.Problem("about:blank", HTTPStatus(status).phrase, status, str(problem), request_id))
    headers = handlers.PRIVATE | (problem.headers or {})
    return Response(data, status, headers, media_type="application/problem+json")


class Front:
    """Checks a request before it is routed; gives it an id, and counts and logs it when it is answered."""

    def __init__(
        self, app: ASGIApp, service: Service, gate: Gate, limits: Limits, *, logs_requests: bool = False
    ) -> None:
        self._app, self._service, self._gate, self._limits = app, service, gate, limits
        self._logs_requests = logs_requests
        self._numbers = itertools.count(1)
        self._prefix = os.urandom(6).hex()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, headers = perf_counter(), dict(scope["headers"])
        request_id = scope["request_id"] = self._id_of(headers.get(b"x-request-id"))
        status = 0

        async def send_with_id(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], (b"x-request-id", request_id.encode())]
            await send(message)

        self._service.metrics.begun()
        try:
            access.check_headers(scope["headers"], len(scope["path"]) + len(scope["query_string"]), self._limits)
            access.check_once(scope["headers"], headers)
            self._gate.admit(headers)
            await self._app(scope, receive, send_with_id)
        except Exception as error:
            if status:  # the answer has begun already
                raise
            if access.problem_of(error).status == 500:
                self._service.log.error(error, request_id)
            answer = await answer_problem(Request(scope), error)
            await answer(scope, receive, send_with_id)
        finally:
            self._service.metrics.ended()
        self._note(scope, status, perf_counter() - started)

    def _id_of(self, given: bytes | None) -> str:
        """The id of a request: the one that came with it, if it is a plain one, or else a new one."""
        if given is not None and _ID.fullmatch(given):
            return given.decode()
        return f"{self._prefix}-{next(self._numbers)}"

    def _note(self, scope: Scope, status: int, seconds: float) -> None:
        """Count a request, and write it into the log if it changed something, failed here, or all are wanted."""
        path = scope["route"].name if "route" in scope else _NO_PATH
        self._service.metrics.requested(path, status, seconds)
        if self._logs_requests or status >= 500 or path in _LOGGED:
            level, shown = "error" if status >= 500 else "info", round(seconds * 1e3, 3)
            method = scope["method"] if scope["method"] in ("GET", "HEAD", "POST") else "(other)"
            self._service.log.event(
                "request",
                level=level,
                id=scope["request_id"],
                method=method,
                route=path,
                status=status,
                ms=shown,
            )


class Endpoint:
    """Answers the requests of one operation."""

    def __init__(self, operation: Operation, service: Service, gate: Gate, limits: Limits) -> None:
        self._operation, self._service, self._gate, self._limits = operation, service, gate, limits
        self._decoder, self._encoder = Decoder(operation.takes), Encoder()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check who asks, read what is asked, and answer."""
        operation, service, headers = self._operation, self._service, dict(scope["headers"])
        authorization = headers.get(b"authorization")
        right, sender = self._gate.check_right(operation.right, authorization), _sender(scope, authorization)
        incomplete = service.incomplete
        if service.metrics.in_flight - incomplete.total() > self._limits.requests and operation.right != "open":
            raise access.ProblemError(503, "there are too many requests right now", {"retry-after": "1"})
        if operation.method == "POST":
            if incomplete[sender] >= self._limits.bodies:
                raise access.ProblemError(
                    503, "too many of your request bodies are incomplete: finish them first", {"retry-after": "1"}
                )
            incomplete[sender] += 1
            try:
                asked = await self._body(scope, headers, receive)
            finally:
                incomplete[sender] -= 1
                if not incomplete[sender]:
                    del incomplete[sender]
        else:
            asked = self._query(scope)
        key, term = _key(headers.get(b"idempotency-key")), scope["path_params"].get("term", "")
        call = Call(right, term, key, sender)
        found = await operation.handler(service, call, asked)
        answer = found if isinstance(found, Response) else json_response(self._encoder.encode(found))
        await answer(scope, receive, send)

    async def _body(self, scope: Scope, headers: dict[bytes, bytes], receive: Receive) -> object:
        takes_mail = "text" in self._operation.takes.__struct_fields__
        is_mail = access.check_kind(headers.get(b"content-type"), headers.get(b"content-encoding"), mail=takes_mail)
        access.check_length(headers.get(b"content-length"), self._limits)
        data = await access.read_body(receive, self._limits)
        if is_mail:
            return self._query(scope, text=await self._service.aside(message_text, data))
        try:
            return self._decoder.decode(data)
        except ValidationError as error:
            raise access.ProblemError(422, str(error)) from None
        except (DecodeError, UnicodeDecodeError, RecursionError):
            raise access.ProblemError(400, "the body is not JSON in UTF-8") from None

    def _query(self, scope: Scope, **more: str) -> object:
        """The query of a request with more fields; a problem if it has an unknown parameter, or one of them twice."""
        pairs = QueryParams(scope["query_string"]).multi_items()
        takes = self._operation.takes
        if len({name for name, _ in pairs} & set(takes.__struct_fields__)) < len(pairs):
            raise access.ProblemError(422, "the query has an unknown or a repeated parameter")
        try:
            return convert({**dict(pairs), **more}, takes, strict=False)
        except ValidationError as error:
            raise access.ProblemError(422, str(error)) from None


def _key(given: bytes | None) -> str | None:
    if given is not None and not _KEY.fullmatch(given):
        raise access.ProblemError(400, "an Idempotency-Key has 1 to 200 visible characters of ASCII")
    return None if given is None else given.decode()


def _sender(scope: Scope, authorization: bytes | None) -> str:
    """Who asks: the digest of a token, so that none is kept, or else an address.

    Spaces do not make another sender.
    """
    if authorization is None:
        return str((scope.get("client") or ("",))[0])
    return hashlib.sha256(authorization.partition(b" ")[2].strip()).hexdigest()[:16]

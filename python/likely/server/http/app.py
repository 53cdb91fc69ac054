"""`App`: the ASGI application. It checks, reads, dispatches, answers and counts every request in one place."""

from __future__ import annotations

import hashlib
import re
from time import perf_counter
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from msgspec import DecodeError, ValidationError, convert
from msgspec.json import Decoder, Encoder

from likely.server.http.access import check_once
from likely.server.http.body import ClientGoneError, check_headers, check_kind, check_length, read_body
from likely.server.http.content import JSON, Content
from likely.server.http.noting import Noting
from likely.server.http.problems import ProblemError, problem_bytes, problem_of
from likely.server.http.routes import ROUTES, Router
from likely.server.http.service import Call
from likely.server.page import HEADERS, files

if TYPE_CHECKING:
    from msgspec import Struct

    from likely.server.http.access import Gate
    from likely.server.http.asgi import Receive, Scope, Send
    from likely.server.http.content import Pairs
    from likely.server.http.limits import Limits
    from likely.server.http.routes import Route
    from likely.server.http.service import Service
    from likely.server.page import PageFile

_PROBLEM = "application/problem+json"
_KEY = re.compile(rb"[!-~]{1,200}")
_NO_PATH = "(none)"
"""The route of a request whose path is not in the table, in metrics and logs."""


class App:
    """Answers the requests of one service."""

    def __init__(self, service: Service, gate: Gate, limits: Limits, *, logs_requests: bool = False) -> None:
        self._service, self._gate, self._limits = service, gate, limits
        self._noting = Noting(service, logs_requests=logs_requests)
        self._router, self._page = Router(ROUTES), files()
        self._decoders = {route.takes: Decoder(route.takes) for route in ROUTES if route.method == "POST"}
        self._encoder = Encoder()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        started, headers = perf_counter(), dict(scope["headers"])
        request_id = self._noting.id_of(headers.get(b"x-request-id"))
        path = _NO_PATH
        metrics = self._service.metrics
        metrics.in_flight += 1
        try:
            check_headers(scope["headers"], len(scope["path"]) + len(scope["query_string"]), self._limits)
            check_once(scope["headers"], headers)
            self._gate.admit(headers)
            found = self._page.get(scope["path"])
            if found is not None:
                path = "/"
                answer = _of_page(found, scope["method"], headers)
            else:
                route, place = self._router.find(scope["method"], scope["path"])
                path = route.path
                answer = await self._answer(route, place, scope, headers, receive)
            extra: Pairs = ()
        except ClientGoneError:
            metrics.requested(path, 499, perf_counter() - started)
            return
        except Exception as error:  # a client never sees a trace
            answer, extra = self._problem(error, request_id)
        finally:
            metrics.in_flight -= 1
        await _send(send, answer, extra, request_id)
        self._noting.note(scope["method"], path, answer.status, perf_counter() - started, request_id)

    def _problem(self, error: Exception, request_id: str) -> tuple[Content, Pairs]:
        problem = problem_of(error)
        if problem.status == 500:
            self._service.log.error(error, request_id)
        data = problem_bytes(problem.status, str(problem), request_id)
        return Content(data, _PROBLEM, status=problem.status), problem.headers

    async def _answer(
        self, route: Route, place: str, scope: Scope, headers: dict[bytes, bytes], receive: Receive
    ) -> Content:
        """The answer, if there is one."""
        authorization = headers.get(b"authorization")
        right = self._gate.check_right(route.right, authorization)
        if self._service.metrics.in_flight > self._limits.requests and route.right != "open":
            raise ProblemError(503, "there are too many requests at this time", ((b"retry-after", b"1"),))
        if route.method == "POST":
            asked = await self._body(route, headers, receive)
        else:
            asked = _query(scope["query_string"], route.takes)
        call = Call(right, place, _key(headers.get(b"idempotency-key")), _sender(route, authorization))
        found = await route.handler(self._service, call, asked)
        return found if isinstance(found, Content) else Content(self._encoder.encode(found), JSON)

    async def _body(self, route: Route, headers: dict[bytes, bytes], receive: Receive) -> object:
        is_gzip = check_kind(headers.get(b"content-type"), headers.get(b"content-encoding"))
        check_length(headers.get(b"content-length"), self._limits)
        data = await read_body(receive, self._limits, is_gzip=is_gzip)
        try:
            return self._decoders[route.takes].decode(data)
        except ValidationError as error:
            raise ProblemError(422, str(error)) from None
        except (DecodeError, UnicodeDecodeError, RecursionError):
            raise ProblemError(400, "the body is not JSON in UTF-8") from None


async def _send(send: Send, answer: Content, extra: Pairs, request_id: str) -> None:
    headers = [
        (b"content-type", answer.kind.encode()),
        (b"content-length", b"%d" % len(answer.data)),
        (b"x-request-id", request_id.encode()),
        *answer.headers,
        *extra,
    ]
    if answer.status == 304:
        del headers[:2]
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    await send({"type": "http.response.body", "body": answer.data})


def _of_page(file: PageFile, method: str, headers: dict[bytes, bytes]) -> Content:
    """A file of the page, or the news that the browser has it."""
    if method not in ("GET", "HEAD"):
        raise ProblemError(405, "this path allows GET, HEAD", ((b"allow", b"GET, HEAD"),))
    etag = file.etag.encode()
    guards = tuple((name.encode(), value.encode()) for name, value in HEADERS.items())
    if headers.get(b"if-none-match") == etag:
        return Content(b"", file.content_type, (*guards, (b"etag", etag)), 304)
    return Content(file.body, file.content_type, (*guards, (b"etag", etag)))


def _query(query: bytes, takes: type[Struct]) -> object:
    """The query of a request; a problem if it has an unknown parameter, or one of them twice."""
    if not query:
        return takes()
    try:
        pairs = parse_qsl(query.decode("ascii"), keep_blank_values=True, strict_parsing=True, max_num_fields=20)
        unknown = {name for name, _ in pairs} - set(takes.__struct_fields__)
        if unknown or len(pairs) > len(dict(pairs)):
            raise ProblemError(422, "the query has a parameter that is not known, or one of them twice")
        return convert(dict(pairs), takes, strict=False)
    except ValidationError as error:
        raise ProblemError(422, str(error)) from None
    except ValueError:
        raise ProblemError(400, "the query cannot be read") from None


def _key(given: bytes | None) -> str | None:
    if given is not None and not _KEY.fullmatch(given):
        raise ProblemError(400, "an Idempotency-Key has 1 to 200 visible characters of ASCII")
    return None if given is None else given.decode()


def _sender(route: Route, authorization: bytes | None) -> str:
    """Who asks, for the guard of the rate: a digest, so that no token is kept.

    Spaces do not make another sender.
    """
    if route.right != "learn" or authorization is None:
        return ""
    return hashlib.sha256(authorization.partition(b" ")[2].strip()).hexdigest()[:16]

"""`Direct`: plain requests for the prediction of one text are answered without the detour of ASGI.

A task, a coroutine and the checks of each header of an answer cost more than to score a short text. So a request that
is in every respect as expected is answered here. All others, also those that get a problem as their answer, go the
ordinary way (`likely.server.http.app`), which alone says what is wrong.
"""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Protocol

from msgspec.json import Decoder, Encoder

from likely.server.http.batching import SHORT, Wish
from likely.server.http.body import check_kind
from likely.server.http.content import JSON, PLAIN
from likely.server.http.messages import Prediction, Predictions, PredictRequest

if TYPE_CHECKING:
    from likely.server.http.access import Gate
    from likely.server.http.asgi import Headers
    from likely.server.http.limits import Limits
    from likely.server.http.noting import Noting
    from likely.server.http.service import Service

METHOD, PATH = "POST", "/predict"
"""The route that is answered directly."""
_GUARDS = b"".join(b"%b: %b\r\n" % pair for pair in PLAIN)
_HEAD = b"content-type: " + JSON.encode() + b"\r\ncontent-length: %d\r\nx-request-id: %b\r\n" + _GUARDS + b"\r\n%b"


class Connection(Protocol):
    """Who has asked."""

    def reply(self, answer: bytes | None) -> None:
        """Take the headers and the body of an answer with the status 200; None sends the request the ordinary way."""


class Direct:
    """Answers requests for the prediction of one short text."""

    def __init__(self, service: Service, gate: Gate, limits: Limits, noting: Noting) -> None:
        self._service, self._gate, self._limits, self._noting = service, gate, limits, noting
        self._decode, self._encode = Decoder(PredictRequest).decode, Encoder().encode

    def take(self, given: Headers, body: bytes, connection: Connection) -> bool:
        """Whether this request is answered here, now or at the end of this turn of the event loop."""
        started = perf_counter()
        service, headers = self._service, dict(given)
        if len(headers) < len(given):  # whether a header may come twice is known to the ordinary way
            return False
        try:
            self._gate.admit(headers)
            self._gate.check_right("predict", headers.get(b"authorization"))
            is_plain = not check_kind(headers.get(b"content-type"), headers.get(b"content-encoding"))
            asked = self._decode(body) if is_plain and b"idempotency-key" not in headers else None
        except Exception:  # it is told by the ordinary way
            return False
        if asked is None or asked.text is None or asked.texts is not None or len(asked.text) > SHORT:
            return False
        if service.metrics.in_flight >= self._limits.requests:
            return False
        service.metrics.in_flight += 1
        request_id = self._noting.id_of(headers.get(b"x-request-id"))
        asking = _Asking(self, connection, started, request_id)
        service.batching.ask(asked.text, Wish(asked.top, asked.abstain, asked.counts), asking.answer)
        return True

    def finish(self) -> None:
        """Answer now what has been taken."""
        self._service.batching.flush()

    def answer(self, asking: _Asking, found: Prediction | Exception) -> None:
        """Send an answer; if there is none, the ordinary way says why."""
        self._service.metrics.in_flight -= 1
        if isinstance(found, Exception):
            asking.connection.reply(None)
            return
        data = self._encode(Predictions([found]))
        asking.connection.reply(_HEAD % (len(data), asking.request_id.encode(), data))
        self._noting.note(METHOD, PATH, 200, perf_counter() - asking.started, asking.request_id)


class _Asking:
    """A request that waits for its answer."""

    __slots__ = ("connection", "direct", "request_id", "started")

    def __init__(self, direct: Direct, connection: Connection, started: float, request_id: str) -> None:
        self.direct, self.connection, self.started, self.request_id = direct, connection, started, request_id

    def answer(self, found: Prediction | Exception) -> None:
        self.direct.answer(self, found)

"""`LimitedProtocol`: connections with deadlines for slow headers, slow bodies and slow readers, and with limits.

uvicorn waits for ever for the rest of a request, and takes headers of any size. Timers are set only if a request does
not arrive in one piece, so that they cost nothing in the usual case.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from uvicorn.protocols.http.httptools_impl import STATUS_LINE

from likely.server.http.direct_protocol import DirectProtocol
from likely.server.http.limits import Limits
from likely.server.http.problems import problem_bytes

if TYPE_CHECKING:
    import asyncio

    from likely.server.http.direct import Direct

_FRAMING = frozenset({b"content-length", b"transfer-encoding"})
"""The headers that announce a body."""


class LimitedProtocol(DirectProtocol):
    """One connection."""

    limits = Limits()

    _is_in_headers = False
    _is_in_body = False
    _header_bytes = 0
    _left_over = 0
    _deadline: asyncio.TimerHandle | None = None
    _write_deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin: the first request must arrive in time. One connection too many is told so and closed."""
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections:
            self._end_with(503, "there are too many connections at this time")
            return
        self._set_deadline(self.limits.header_time, self._cut)

    def connection_lost(self, exc: Exception | None) -> None:
        """End: no timer is left."""
        self._set_deadline(None, self._cut)
        self.resume_writing()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read a part of a request."""
        if self.transport.is_closing():
            return
        if not self._is_in_body:
            self._header_bytes += len(data)  # with the begin of the body, if it comes in the same piece
        was_in_headers, was_in_body = self._is_in_headers, self._is_in_body
        super().data_received(data)
        if self.parser is None or self.transport.is_closing():
            return
        if self._is_in_headers:
            if self._header_bytes > self.limits.headers:
                self._end_with(431, f"the headers are too large: at most {self.limits.headers:,} bytes are allowed")
            elif not was_in_headers:
                self._set_deadline(self.limits.header_time, self._headers_late)
        elif self._is_in_body:
            if not was_in_body:
                self._set_deadline(self.limits.body_time + 1, self._body_late)  # the application answers before
        else:
            self._set_deadline(None, self._cut)

    def on_message_begin(self) -> None:
        """A request begins."""
        self._is_in_headers, self._left_over = True, 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header. A trailer, which follows the body, is not one: it does not change what was checked."""
        if not self._is_in_body:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The headers of a request are complete."""
        self._is_in_headers, self._is_in_body = False, True
        received, self._header_bytes = self._header_bytes, 0
        if received > self.limits.headers and self._header_size() > self.limits.headers:
            self._end_with(431, f"the headers are too large: at most {self.limits.headers:,} bytes are allowed")
            return
        if self.parser.should_upgrade() and not _FRAMING.isdisjoint(name for name, _ in self.headers):
            # The parser takes what follows an Upgrade for another protocol, so that the body would be lost.
            self._end_with(400, "a request with a body cannot have an Upgrade header: send it without")
            return
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of a body. What comes after the answer is thrown away, but not for ever."""
        if self._held is not None:
            super().on_body(body)
            return
        if self.cycle is None:
            return
        if self.cycle.response_complete:
            self._left_over += len(body)
            if self._left_over > self.limits.body:
                self.transport.close()
                return
        super().on_body(body)

    def on_message_complete(self) -> None:
        """A request is complete."""
        self._is_in_body = False
        if self.cycle is not None or self._held is not None:
            super().on_message_complete()

    def pause_writing(self) -> None:
        """The client does not read: it has some time to begin."""
        super().pause_writing()
        if self._write_deadline is None:
            self._write_deadline = self.loop.call_later(self.limits.write_time, self._abort)

    def resume_writing(self) -> None:
        """The client reads again."""
        if self._write_deadline is not None:
            self._write_deadline.cancel()
            self._write_deadline = None
        super().resume_writing()

    def send_400_response(self, msg: str) -> None:
        """Tell that this is not HTTP, as a problem."""
        del msg
        self._end_with(400, "this is not a request of HTTP/1.1")

    def _header_size(self) -> int:
        return len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)

    def _set_deadline(self, seconds: float | None, then: object) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None
        if seconds is not None:
            self._deadline = self.loop.call_later(seconds, then)  # type: ignore[arg-type]

    def _headers_late(self) -> None:
        self._end_with(408, f"the headers took more than {self.limits.header_time:g} seconds")

    def _body_late(self) -> None:
        if self.cycle is not None and self.cycle.response_started:
            self.transport.close()
        else:
            self._end_with(408, f"the body took more than {self.limits.body_time:g} seconds")

    def _cut(self) -> None:
        self.transport.close()

    def _abort(self) -> None:
        self.transport.abort()

    def _end_with(self, status: int, detail: str) -> None:
        """Answer without the application, and close. What was asked before is answered before."""
        if self._is_waiting and self.direct is not None:
            self.direct.finish()
        if self.transport.is_closing():
            return
        if self.cycle is None or self.cycle.response_complete or not self.cycle.response_started:
            data = problem_bytes(status, detail, "none")
            head = (
                b"content-type: application/problem+json\r\ncontent-length: %d\r\nx-content-type-options: nosniff\r\n"
                b"cache-control: no-store\r\nretry-after: 1\r\nconnection: close\r\n\r\n" % len(data)
            )
            self.transport.write(STATUS_LINE[status] + head + data)
        self.transport.close()


def limited(limits: Limits, direct: Direct | None = None) -> type[LimitedProtocol]:
    """The protocol with these limits, and with direct answers."""
    return type("Limited", (LimitedProtocol,), {"limits": limits, "direct": direct})

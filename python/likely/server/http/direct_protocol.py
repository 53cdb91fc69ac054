"""`DirectProtocol`: connections whose plain requests are answered without a task of their own (`Direct`).

uvicorn begins to work on a request when its headers are complete. Here a request for the direct route is held until
the piece of data in which it came is read: if it is complete then, it may be answered directly, and if not, uvicorn
gets it as if it had just come.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from likely.server.http.direct import METHOD, PATH

if TYPE_CHECKING:
    import asyncio

    from likely.server.http.direct import Direct

_METHOD, _URL = METHOD.encode(), PATH.encode()


class DirectProtocol(HttpToolsProtocol):
    """One connection."""

    direct: Direct | None = None

    _held: bytes | None = None
    """The body, as far as it has come, of a request that uvicorn does not know of yet."""
    _is_waiting = False
    """Whether a request was taken that has not been answered."""
    _closes = False
    """Whether the connection is closed after the answer."""
    _answered = 0.0
    _idle_check: asyncio.TimerHandle | None = None

    def connection_lost(self, exc: Exception | None) -> None:
        """End: no timer is left."""
        if self._idle_check is not None:
            self._idle_check.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Read a part of a request. One that is not complete at its end is not answered directly."""
        super().data_received(data)
        if self._held is not None and not self._is_waiting:
            self._hand_over(is_complete=False)

    def on_message_begin(self) -> None:
        """A request begins. The one before is answered first: answers are in the order of the requests."""
        if self._is_waiting and self.direct is not None:
            self.direct.finish()
        self.url = b""
        self.expect_100_continue = False
        self.headers = []

    def on_headers_complete(self) -> None:
        """The headers are complete: hold a request that may be answered directly."""
        if self.url == _URL and self._may_be_direct():
            self._held = b""
        else:
            self._begin()

    def _may_be_direct(self) -> bool:
        parser = self.parser
        return (
            self.direct is not None
            and (self.cycle is None or self.cycle.response_complete)
            and parser.get_method() == _METHOD
            and parser.get_http_version() == "1.1"
            and parser.should_keep_alive()
            and not parser.should_upgrade()
            and not self.expect_100_continue
            and not self.flow.write_paused
        )

    def _begin(self) -> None:
        """Let uvicorn begin with a request of which url and headers are known."""
        url, headers, expects = self.url, self.headers, self.expect_100_continue
        super().on_message_begin()
        self.url, self.expect_100_continue = url, expects
        self.headers.extend(headers)  # the scope has this list
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A part of a body."""
        if self._held is None:
            super().on_body(body)
        else:
            self._held = self._held + body if self._held else body

    def on_message_complete(self) -> None:
        """A request is complete: answer it directly, or let uvicorn do so."""
        if self._held is None:
            super().on_message_complete()
            return
        self._is_waiting = True
        if self.direct is None or not self.direct.take(self.headers, self._held, self):
            self._hand_over(is_complete=True)

    def _hand_over(self, *, is_complete: bool) -> None:
        """Let uvicorn answer the request that is held."""
        body, self._held, self._is_waiting = self._held, None, False
        self._begin()
        if body:
            super().on_body(body)
        if is_complete:
            super().on_message_complete()

    def reply(self, answer: bytes | None) -> None:
        """Send an answer; without one, uvicorn answers the request."""
        if self.transport.is_closing():
            self._held, self._is_waiting = None, False
            return
        if answer is None:
            self._hand_over(is_complete=True)
        else:
            self._held, self._is_waiting = None, False
            self.transport.write(STATUS_LINE[200] + self._default_headers() + answer)
            self.server_state.total_requests += 1
            self._note_answer()
        if self._closes:
            super().shutdown()

    def _default_headers(self) -> bytes:
        return b"".join([b"%b: %b\r\n" % pair for pair in self.server_state.default_headers])

    def _note_answer(self) -> None:
        """Close the connection if it is idle from now on. One timer sees to many answers, which is cheaper."""
        self._answered = self.loop.time()
        if self._idle_check is None:
            self._idle_check = self.loop.call_later(self.timeout_keep_alive, self._check_idle)

    def _check_idle(self) -> None:
        self._idle_check = None
        is_busy = self._is_waiting or (self.cycle is not None and not self.cycle.response_complete)
        if is_busy or self.timeout_keep_alive_task is not None:  # whoever answers sets a timer
            return
        left = self._answered + self.timeout_keep_alive - self.loop.time()
        if left > 0:
            self._idle_check = self.loop.call_later(left, self._check_idle)
        else:
            self.timeout_keep_alive_handler()

    def shutdown(self) -> None:
        """The server is about to end: close the connection, if nothing is to be answered."""
        if self._is_waiting:
            self._closes = True
        else:
            super().shutdown()

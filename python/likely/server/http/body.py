"""The body of a request: its type, its size and its time are checked before anything is parsed."""

from __future__ import annotations

import asyncio
import zlib
from typing import TYPE_CHECKING

from likely.server.http.problems import ProblemError

if TYPE_CHECKING:
    from likely.server.http.asgi import BodyMessage, Headers, Receive
    from likely.server.http.limits import Limits

_JSON = b"application/json"
_CLOSE = ((b"connection", b"close"),)
_SMALL = 1_000
"""Bytes that are decompressed at once: they become at most a million, in about a millisecond."""


class ClientGoneError(Exception):
    """The client has closed the connection before its request was complete."""


def check_kind(content_type: bytes | None, encoding: bytes | None) -> bool:
    """Whether the body is compressed with gzip; a problem if it is not JSON.

    Only application/json is allowed: a page of another origin cannot send it without being asked first.

    Examples
    --------
    >>> check_kind(b"application/json; charset=utf-8", b"gzip")
    True
    """
    kind, _, parameters = (content_type or b"").partition(b";")
    if kind.strip().lower() != _JSON or parameters.strip().lower() not in (b"", b"charset=utf-8", b'charset="utf-8"'):
        raise ProblemError(415, "send application/json in UTF-8")
    if encoding is None or encoding.strip().lower() == b"identity":
        return False
    if encoding.strip().lower() != b"gzip":
        raise ProblemError(415, "this Content-Encoding is not supported: send gzip, or none")
    return True


def check_headers(headers: Headers, target: int, limits: Limits) -> None:
    """A problem if the request line and the headers are too long."""
    if target + sum(len(name) + len(value) for name, value in headers) > limits.headers:
        raise ProblemError(431, f"the headers are too long: at most {limits.headers:,} bytes are allowed", _CLOSE)


def check_length(length: bytes | None, limits: Limits) -> None:
    """A problem if a body says that it is too large."""
    if length is not None and length.isdigit() and (len(length) > 18 or int(length) > limits.body):
        raise _too_large(limits)


async def read_body(receive: Receive, limits: Limits, *, is_gzip: bool) -> bytes:
    """The whole body, decompressed."""
    try:
        async with asyncio.timeout(limits.body_time):
            data = await _rest(receive, await receive(), limits)
    except TimeoutError:
        raise ProblemError(408, f"the body took more than {limits.body_time:g} seconds", _CLOSE) from None
    if len(data) > limits.body:
        raise _too_large(limits)
    if not is_gzip:
        return data
    # A bomb keeps a thread busy, and not those who ask for something else.
    return gunzip(data, limits) if len(data) <= _SMALL else await asyncio.to_thread(gunzip, data, limits)


async def _rest(receive: Receive, message: BodyMessage, limits: Limits) -> bytes:
    parts, size = [], 0
    while True:
        if message["type"] != "http.request":
            raise ClientGoneError
        part = message.get("body", b"")
        size += len(part)
        if size > limits.body:
            raise _too_large(limits)
        parts.append(part)
        if not message.get("more_body"):
            return b"".join(parts)
        message = await receive()


def gunzip(data: bytes, limits: Limits) -> bytes:
    """Decompressed data. Not more than allowed is ever decompressed, whatever the compressed size.

    Examples
    --------
    >>> import gzip
    >>> from likely.server.http.limits import Limits
    >>> gunzip(gzip.compress(b"{}"), Limits())
    b'{}'
    """
    stream = zlib.decompressobj(wbits=31)
    try:
        found = stream.decompress(data, limits.body + 1)
    except zlib.error:
        raise ProblemError(400, "the body is not gzip, although Content-Encoding says so") from None
    if len(found) > limits.body:
        raise _too_large(limits)
    if not stream.eof or stream.unused_data:
        raise ProblemError(400, "the gzip data is not complete, or something follows it")
    return found


def _too_large(limits: Limits) -> ProblemError:
    detail = f"the body is too large: at most {limits.body:,} bytes are allowed, also after gunzip"
    return ProblemError(413, detail, _CLOSE)

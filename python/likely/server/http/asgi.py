"""The types of ASGI, as far as they are used."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias, TypedDict


class BodyMessage(TypedDict, total=False):
    """A part of a body, or the news that the client is gone."""

    type: str
    body: bytes
    more_body: bool


Headers: TypeAlias = list[tuple[bytes, bytes]]
"""Names in lower case, and values."""


class Scope(TypedDict):
    """What is known of a request before its body."""

    type: str
    method: str
    path: str
    query_string: bytes
    headers: Headers


Receive: TypeAlias = Callable[[], Awaitable["BodyMessage"]]
Send: TypeAlias = Callable[[dict[str, object]], Awaitable[None]]

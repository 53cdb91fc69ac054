"""`Content`: an answer that is not JSON, and the headers that guard answers in browsers."""

from __future__ import annotations

from msgspec import Struct

JSON = "application/json"
Pairs = tuple[tuple[bytes, bytes], ...]


def page_headers(policy: str) -> Pairs:
    """The headers of a page without scripts: nothing is guessed, kept, framed or loaded.

    Examples
    --------
    >>> dict(page_headers("default-src 'none'"))[b"cache-control"]
    b'no-store'
    """
    return (
        (b"x-content-type-options", b"nosniff"),
        (b"content-security-policy", policy.encode()),
        (b"referrer-policy", b"no-referrer"),
        (b"cache-control", b"no-store"),
    )


PLAIN: Pairs = ((b"x-content-type-options", b"nosniff"), (b"cache-control", b"no-store"))
"""The headers of data, which no browser shows as a page: the fewer, the faster."""


class Content(Struct, frozen=True):
    """Bytes with their type, and the headers that guard them."""

    data: bytes
    kind: str
    headers: Pairs = PLAIN
    status: int = 200

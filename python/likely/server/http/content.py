"""`Content`: an answer that is not JSON, and the headers that guard answers in browsers."""

from __future__ import annotations

from dataclasses import dataclass

Pairs = tuple[tuple[bytes, bytes], ...]


def api_headers(policy: str = "default-src 'none'; frame-ancestors 'none'") -> Pairs:
    """The headers of every answer that is not a file of the page: nothing is guessed, kept or framed.

    Examples
    --------
    >>> dict(api_headers())[b"cache-control"]
    b'no-store'
    """
    return (
        (b"x-content-type-options", b"nosniff"),
        (b"content-security-policy", policy.encode()),
        (b"referrer-policy", b"no-referrer"),
        (b"cache-control", b"no-store"),
    )


SECURITY = api_headers()


@dataclass(frozen=True)
class Content:
    """Bytes with their type, and the headers that guard them."""

    data: bytes
    kind: str
    headers: Pairs = SECURITY
    status: int = 200

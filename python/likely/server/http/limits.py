"""`Limits`: how much a client may ask for. They are checked before anything is parsed, or while it is."""

from __future__ import annotations

from dataclasses import dataclass

BODY = 10_000_000
"""The most bytes of a body, also after decompression."""
DOCUMENT = 1_000_000
"""The most characters of one text."""
BATCH = 10_000
"""The most texts of one request."""
NUMBERS = 2_000_000
"""The most numbers in one answer: they take about 500 MB while it is written."""
LARGEST = 2**53 - 1
"""The largest whole number: programs that read JSON into floating-point numbers have it exactly (RFC 8259, 6)."""
NAME = 256
"""The most characters of a label, a source or an idempotency key."""


@dataclass(frozen=True)
class Limits:
    """Limits of a server; times are in seconds.

    Attributes
    ----------
    body : int
        The most bytes of a body, also after decompression.
    headers : int
        The most bytes of a request line and its headers.
    body_time : float
        How long a client may take to send a body.
    idle_time : float
        How long a connection may be idle between two requests.
    connections, requests : int
        How many connections may be open, and how many requests may be in work or waiting, at once.
    drain_time : float
        How long requests in flight may take after SIGTERM.
    """

    body: int = BODY
    headers: int = 16_384
    body_time: float = 30.0
    idle_time: float = 30.0
    connections: int = 1_024
    requests: int = 320
    drain_time: float = 10.0

"""Tickets: a browser that follows a link cannot send a token, so the link itself says, for a while, that it may."""

from __future__ import annotations

import hashlib
import hmac
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from likely.server.http.problems import ProblemError

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.server.http.access import Tokens

VALID = 3600
"""How long a ticket is valid, in seconds."""


@dataclass(frozen=True)
class Tickets:
    """Tickets that all processes with the same tokens accept: a time, and its signature. They contain no token.

    Attributes
    ----------
    key : bytes
        What the signature is made with: a digest of all tokens.
    clock : callable
        The time in seconds.

    Examples
    --------
    >>> tickets = Tickets(b"a secret", clock=lambda: 0.0)
    >>> tickets.new().partition("-")[0]
    '3600'
    >>> tickets.check(tickets.new())
    """

    key: bytes = b""
    clock: Callable[[], float] = time.time

    @classmethod
    def of(cls, tokens: Tokens) -> Tickets:
        """The tickets of a server with these tokens."""
        digests = sorted(digest for digest, _ in tokens.digests)
        return cls(hashlib.sha256(b"likely: tickets" + b"".join(digests)).digest())

    def new(self) -> str:
        """A ticket that is valid from now on."""
        until = str(int(self.clock()) + VALID)
        return f"{until}-{self._signature(until)}"

    def check(self, ticket: str) -> None:
        """A problem if a ticket is wrong or too old."""
        until, _, signature = ticket.partition("-")
        is_ours = hmac.compare_digest(self._signature(until).encode(), signature.encode("utf-8", "replace"))
        if not is_ours or int(until) < self.clock():
            raise ProblemError(403, "this link is too old, or not one of this server: open the report from the page")

    def _signature(self, until: str) -> str:
        return hmac.new(self.key, until.encode("utf-8", "replace"), hashlib.sha256).hexdigest()[:32]

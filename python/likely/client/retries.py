"""`Retries`: which attempts are repeated, and when."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

AGAIN = frozenset({408, 429, 502, 503, 504, 507})
"""Statuses after which the same request may succeed."""
_MOST_DOUBLINGS = 60
"""After this many, any bound is reached; much later the power would be too large for a number."""


@dataclass(frozen=True)
class Retries:
    """How often, and after how many seconds, a request is sent again.

    The bound of the wait doubles with every attempt, and its length is drawn at random, so that many clients do not
    come back at the same moment ("full jitter", Brooker 2015). If a server says when to come back, that counts.

    Attributes
    ----------
    attempts : int
        The number of attempts in all.
    first, longest : float
        The bound of the first wait, and of any wait, in seconds.
    random : random.Random
        Where chance comes from.

    Examples
    --------
    >>> retries = Retries(random=random.Random(1))
    >>> [round(retries.wait(attempt), 3) for attempt in (1, 2, 3)]
    [0.013, 0.169, 0.306]
    >>> retries.wait(1, retry_after="7")
    7.0
    """

    attempts: int = 6
    first: float = 0.1
    longest: float = 10.0
    random: random.Random = field(default_factory=random.SystemRandom)

    def is_worth(self, attempt: int, status: int | None) -> bool:
        """Whether to try again after this attempt (from 1), which ended with a status, or without an answer."""
        return attempt < self.attempts and (status is None or status in AGAIN)

    def wait(self, attempt: int, retry_after: str | None = None) -> float:
        """How long to wait after this attempt (from 1), in seconds."""
        if retry_after is not None and retry_after.isdecimal() and len(retry_after) < 6:
            return min(float(retry_after), self.longest)
        doublings = min(attempt - 1, _MOST_DOUBLINGS)
        return self.random.uniform(0, min(self.longest, self.first * 2.0**doublings))

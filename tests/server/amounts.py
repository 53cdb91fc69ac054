"""How much the tests do that kill, abuse and load a server: little in the suite, more if a variable says so.

`make soak` sets the long forms; docs/design/testing-server.md has the figures of both.
"""

from __future__ import annotations

import os


def _amount(variable: str, short: int) -> int:
    return int(os.environ.get(variable, short))


KILLS = _amount("LIKELY_KILLS", 100)
"""Kills of a server under load; a quarter of them of a process without HTTP."""
REPLICA_KILLS = _amount("LIKELY_REPLICA_KILLS", 50)
"""Kills of one of two replicas on PostgreSQL, a fifth as many without HTTP; the database is stopped once per ten."""
CALLS = _amount("LIKELY_CALLS", 4)
"""System calls of a fold, a backup and a restore at which the process is killed, if there are more."""
MALFORMED = _amount("LIKELY_ABUSE", 300)
"""Malformed requests."""
SLOW = _amount("LIKELY_SLOW", 40)
"""Clients that begin a request, and do not end it."""
DOCUMENTS = _amount("LIKELY_LOAD", 1_000)
"""Documents that many clients learn."""

PATIENCE = max(600, 10 * KILLS, MALFORMED, DOCUMENTS // 10)
"""How many seconds a test with many processes may take: the machine may be busy with other work."""

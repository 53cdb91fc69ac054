"""Tickets: only those of this server, and only for a while."""

from __future__ import annotations

import pytest
from likely.server.http.access import Tokens
from likely.server.http.problems import ProblemError
from likely.server.http.tickets import VALID, Tickets

TOKENS = Tokens.of({"correct-horse-battery": "learn", "look-but-do-not-touch": "predict"})


def test_every_process_with_the_same_tokens_accepts_it() -> None:
    ticket = Tickets.of(TOKENS).new()
    Tickets.of(Tokens(TOKENS.digests[::-1])).check(ticket)
    with pytest.raises(ProblemError, match="too old"):
        Tickets.of(Tokens.of({"another-token-another": "learn"})).check(ticket)


def test_it_is_valid_for_a_while() -> None:
    ticket = Tickets(b"secret", clock=lambda: 0.0).new()
    Tickets(b"secret", clock=lambda: VALID).check(ticket)
    with pytest.raises(ProblemError, match="too old"):
        Tickets(b"secret", clock=lambda: VALID + 1.0).check(ticket)


@pytest.mark.parametrize("ticket", ["", "-", "99999999999", "99999999999-", "99999999999-0", "x-y", "\udcff-\u202e"])
def test_anything_else_is_refused(ticket: str) -> None:
    with pytest.raises(ProblemError) as refused:
        Tickets(b"secret").check(ticket)
    assert refused.value.status == 403

"""Idempotency keys: a request that comes twice is answered twice, but done once."""

from __future__ import annotations

import hashlib
import json
from dataclasses import astuple
from typing import TYPE_CHECKING

from likely.errors import KeyReuseError
from likely.server.keeper.correction import Outcome

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.server.store.ledger import Ledger


def once(ledger: Ledger, key: str | None, request: object, do: Callable[[], list[Outcome]]) -> list[Outcome]:
    """What a request does, or what was answered when it came with the same key before.

    ``KeyReuseError`` if the key came with another request. The request is compared by its digest, so that no text is
    kept.
    """
    if key is None:
        return do()
    digest = hashlib.sha256(json.dumps(request).encode()).hexdigest()
    found = ledger.answer(key)
    if found is not None:
        if found[0] != digest:
            raise KeyReuseError(
                "this idempotency key came with another request before: give every request a key of its own"
            )
        return [Outcome(*each) for each in json.loads(found[1])]
    outcomes = do()
    ledger.note_answer(key, digest, json.dumps([astuple(each) for each in outcomes]))
    return outcomes

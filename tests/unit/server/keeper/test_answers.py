"""A request that comes twice is answered twice, but done once."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely.errors import KeyReuseError
from likely.server.keeper.answers import once
from likely.server.keeper.correction import Outcome
from likely.server.store.sqlite import SqliteStore


def test_a_request_with_a_key_is_done_once(tmp_path: Path) -> None:
    store, done = SqliteStore(tmp_path / "a.store"), []

    def do() -> list[Outcome]:
        done.append(1)
        return [Outcome(len(done), "learned", "digest", True, None)]

    with store.writing() as ledger:
        assert once(ledger, "k", ["learn", "é"], do) == once(ledger, "k", ["learn", "é"], do)
        assert len(done) == 1
        once(ledger, None, ["learn", "é"], do)
        once(ledger, "another", ["learn", "é"], do)
        assert len(done) == 3
        with pytest.raises(KeyReuseError, match="came with another request"):
            once(ledger, "k", ["learn", "e"], do)
    store.close()

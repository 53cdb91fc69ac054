"""A store of each kind, which every test of stores runs on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from likely.server.store import Store, open_store
from likely.server.store.ledger import Entry

TIME = "2026-01-02T03:04:05.678901+00:00"

Opened = Callable[[], Store]


def learn(seq: int, digest: str, **more: object) -> Entry:
    values = {"label": "+", "counts": b"counts", **more}
    return Entry(seq, TIME, "learn", digest, **values)  # type: ignore[arg-type]


def forget(seq: int, of: Entry, **more: object) -> Entry:
    return Entry(seq, TIME, "forget", of.digest, of.label, of=of.seq, **more)  # type: ignore[arg-type]


@pytest.fixture(params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a new store of each kind."""
    if request.param == "sqlite":
        return str(tmp_path / "corrections.store")
    found: str = request.getfixturevalue("postgresql")
    return found


@pytest.fixture
def opened(address: str) -> Iterator[Opened]:
    """Opens the same store, as often as it is called."""
    found: list[Store] = []

    def again() -> Store:
        found.append(open_store(address))
        return found[-1]

    yield again
    for store in found:
        store.close()

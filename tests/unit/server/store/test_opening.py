"""The kind of a store follows from its address."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely.errors import StoreError
from likely.server.store.opening import open_store
from likely.server.store.sqlite import SqliteStore


def test_a_path_is_a_file_of_sqlite(tmp_path: Path) -> None:
    for name in ("a.store", "50% ?#é.store"):
        store = open_store(tmp_path / name)
        assert isinstance(store, SqliteStore)
        store.close()
        assert (tmp_path / name).exists()


def test_another_scheme_is_refused() -> None:
    with pytest.raises(StoreError, match="there is no kind of store for redis://"):
        open_store("redis://localhost")

"""The base of a store: one file, which does not change."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely import NaiveBayes
from likely.errors import ModelFileError
from likely.server.keeper import Keeper
from likely.server.keeper.base import Base


def test_a_base_that_changes_is_refused(base: Path) -> None:
    found = Base(base)
    assert found.load().classes_.tolist() == ["+", "-"]
    NaiveBayes().fit(["other"], ["x"]).save(base)
    with pytest.raises(ModelFileError, match="it was changed while it was in use"):
        found.load()


def test_a_missing_base_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"cannot load '.*missing.likely': there is no such file"):
        Base(tmp_path / "missing.likely").load()


def test_a_store_never_belongs_to_a_file_that_cannot_be_loaded(base: Path, tmp_path: Path) -> None:
    damaged, store = tmp_path / "damaged.likely", tmp_path / "a.store"
    data = bytearray(base.read_bytes())
    data[len(data) // 2] ^= 1
    damaged.write_bytes(data)
    with pytest.raises(ModelFileError, match=r"damaged.likely"):
        Keeper.open(damaged, store)
    with Keeper.open(base, store) as keeper:
        assert keeper.status.can_learn

"""Folded models beside a store: whole or not there."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely.errors import StoreError
from likely.server.store.fold_files import FoldFiles
from likely.server.store.store import Position


def at(seq: int) -> Position:
    return Position("generation", seq)


def test_only_older_folds_of_the_same_store_are_deleted(tmp_path: Path) -> None:
    folds, others = FoldFiles(tmp_path / "mail.store"), FoldFiles(tmp_path / "a.mail.store")
    kept = [folds.save(at(12), b"12"), folds.save(at(9), b"9"), others.save(at(3), b"3")]
    folds.delete_older(kept[0])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.mail.store-3.likely", "mail.store-12.likely"]


def test_a_damaged_fold_is_not_read(tmp_path: Path) -> None:
    folds = FoldFiles(tmp_path / "mail.store")
    fold = folds.save(at(1), b"sound")
    folds.path(1).write_bytes(b"s0und")
    assert folds.load(fold) is None


def test_a_fold_that_cannot_be_written_is_an_error_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot fold into .*create the folder first"):
        FoldFiles(tmp_path / "missing" / "mail.store").save(at(1), b"")

"""The base of a store: one file, which does not change."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely import NaiveBayes
from likely.errors import ModelFileError
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

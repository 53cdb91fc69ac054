"""A small model that is taught."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely import NaiveBayes


@pytest.fixture
def base(tmp_path: Path) -> Path:
    path = tmp_path / "base.likely"
    NaiveBayes().fit(["good fun", "dull plot"], ["+", "-"]).save(path)
    return path

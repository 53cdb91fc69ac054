"""`likely forget`: not everything."""

from __future__ import annotations

from pathlib import Path

from .conftest import Run  # noqa: TC001


def test_forgetting_everything_is_refused(run: Run, reviews: Path, model: Path) -> None:
    assert "delete the file" in run("forget", model, reviews, status=2).err

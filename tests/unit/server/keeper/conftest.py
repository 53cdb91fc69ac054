"""A small model and a keeper of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from likely import NaiveBayes
from likely.server.keeper import Keeper

Open = Callable[..., Keeper]


@pytest.fixture
def base(tmp_path: Path) -> Path:
    path = tmp_path / "base.likely"
    NaiveBayes().fit(["good fun", "so good", "dull plot"], ["+", "+", "-"]).save(path)
    return path


@pytest.fixture
def opened(base: Path, tmp_path: Path) -> Iterator[Open]:
    """Opens a keeper of the same model and store, as often as it is called."""
    found: list[Keeper] = []

    def again(model: Path | None = base, store: Path | None = tmp_path / "a.store", **more: Any) -> Keeper:
        found.append(Keeper.open(model, store, **more))
        return found[-1]

    yield again
    for keeper in found:
        keeper.close()

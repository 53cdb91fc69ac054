"""Small files of raw documents and of a target."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

FILM = "the film has a plot and the actors of the film are good"
MARKET = "the market fell and the shares of the bank lost money"


def write_jsonl(path: Path, texts: list[str]) -> Path:
    """A file of JSON Lines with these texts."""
    path.write_text("".join(json.dumps({"id": at, "text": text}) + "\n" for at, text in enumerate(texts)))
    return path


@pytest.fixture
def target(tmp_path: Path) -> Path:
    """A file of texts about films."""
    return write_jsonl(tmp_path / "target.jsonl", [FILM] * 5)


@pytest.fixture
def raw(tmp_path: Path) -> list[Path]:
    """Two files, in which every third text is about films."""
    folder = tmp_path / "web"
    folder.mkdir()
    texts = [f"{FILM if at % 3 == 0 else MARKET} number{at}" for at in range(60)]
    return [write_jsonl(folder / "a.jsonl", texts[:25]), write_jsonl(folder / "b.jsonl", texts[25:])]

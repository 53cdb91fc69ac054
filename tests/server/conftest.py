"""A model, and servers of it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from likely import NaiveBayes

from .served import Served, serving

TEXTS = ["a good film, and so much fun", "good fun for all", "a dull and boring film", "so dull, a dull mess"]
LABELS = ["pos", "pos", "neg", "neg"]


@pytest.fixture
def model_file(tmp_path: Path) -> Path:
    path = tmp_path / "reviews.likely"
    NaiveBayes().fit(TEXTS, LABELS).save(path)
    return path


@pytest.fixture
def served(model_file: Path) -> Iterator[Served]:
    """A server that learns, without tokens."""
    with serving(model_file, model_file.with_suffix(".store")) as server:
        yield server


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server that learns, for all tests of a module that do not mind what others have learned."""
    path = tmp_path_factory.mktemp("shared") / "reviews.likely"
    NaiveBayes().fit(TEXTS, LABELS).save(path)
    with serving(path, path.with_suffix(".store")) as server:
        yield server


@pytest.fixture
def base(tmp_path: Path) -> Path:
    path = tmp_path / "base.likely"
    NaiveBayes().fit(["good fun", "dull plot"], ["+", "-"]).save(path)
    return path

"""A model file is read in a thread: the same model, and the same errors."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from likely import NaiveBayes
from likely.core.file import load, start_loading, to_bytes
from likely.core.manifest import sign
from likely.errors import ModelFileError


@pytest.fixture(name="path")
def saved_model(tmp_path: Path) -> Path:
    path = tmp_path / "reviews.likely"
    NaiveBayes(ngrams=(1, 2)).fit(["good fun", "a dull plot"] * 3, ["+", "-"] * 3).save(path)
    return path


def test_the_snapshot_is_that_of_the_file(path: Path) -> None:
    loading = start_loading(path)
    assert to_bytes(loading.result()) == path.read_bytes() == to_bytes(load(path))
    assert loading.result() is loading.result()


def test_what_the_document_shows_is_refused_at_once(path: Path, tmp_path: Path) -> None:
    with pytest.raises(ModelFileError, match=r"cannot load '.*missing.likely': there is no such file"):
        start_loading(tmp_path / "missing.likely")
    data = path.read_bytes()
    path.write_bytes(data[:8] + bytes([data[8] ^ 1]) + data[9:])
    with pytest.raises(ModelFileError, match="does not match its digest"):
        start_loading(path)


def test_what_the_rows_show_is_refused_when_they_are_asked_for(path: Path) -> None:
    data = path.read_bytes()
    digest = re.search(rb'"digest":"(\w+)"', data)
    assert digest is not None
    other = data.replace(b'"tokens":9}', b'"tokens":8}').replace(digest[1], b"0" * 64)
    path.write_bytes(sign(other))
    loading = start_loading(path)
    with pytest.raises(
        ModelFileError, match=r"cannot load '.*': the tokens of its classes are not those of its rows"
    ):
        loading.result()

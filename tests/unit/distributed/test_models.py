"""A model file is loaded once per process, and again if it has changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely import NaiveBayes
from likely.distributed import models
from likely.errors import LikelyError


def test_a_file_is_loaded_once_until_it_changes(tmp_path: Path) -> None:
    path = tmp_path / "a.likely"
    NaiveBayes().fit(["good", "bad"], ["+", "-"]).save(path)
    first = models.loaded(path)
    assert models.loaded(str(path)) is first
    NaiveBayes().fit(["good", "bad", "so so"], ["+", "-", "?"]).save(path)
    assert models.loaded(path).classes_.tolist() == ["+", "-", "?"]


def test_a_model_is_returned_as_it_is() -> None:
    model = NaiveBayes().fit(["good", "bad"], ["+", "-"])
    assert models.loaded(model) is model


def test_only_a_few_models_stay_loaded(tmp_path: Path) -> None:
    paths = [tmp_path / f"{at}.likely" for at in range(models.MOST_MODELS + 1)]
    for path in paths:
        NaiveBayes().fit(["good", "bad"], ["+", "-"]).save(path)
    first = models.loaded(paths[0])
    for path in paths[1:]:
        models.loaded(path)
    assert models.loaded(paths[0]) is not first


def test_a_file_that_is_missing_is_a_clear_error(tmp_path: Path) -> None:
    with pytest.raises((LikelyError, FileNotFoundError), match=r"none\.likely"):
        models.loaded(tmp_path / "none.likely")

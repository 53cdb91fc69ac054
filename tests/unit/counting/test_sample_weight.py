"""The weights of documents: what is allowed, in any container."""

from __future__ import annotations

from typing import TYPE_CHECKING

import likely
import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.counts import LEAST_DIVIDED, LEAST_WEIGHT, check_weights
from likely.core.file import to_bytes
from likely.errors import LengthError, WeightError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("weights", [[1, 0.5], (1, 0.5), np.array([1, 0.5], np.float32), iter([1, 0.5])])
def test_weights_in_any_container(weights: object) -> None:
    found = check_weights(weights, 2)
    assert found.tolist() == [1.0, 0.5]
    assert found.dtype == np.float64


def test_the_least_weight_is_allowed() -> None:
    assert check_weights([0, LEAST_WEIGHT]).tolist() == [0, LEAST_WEIGHT]


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1, -1], "the weight -1.0 in row 2"),
        ([np.nan, 1], "the weight nan in row 1"),
        ([1, 2.0**64], "in row 2 is not allowed"),
        ([1, 2.0**-65], "in row 2 is not allowed"),
        (["1", "2"], "type list, not a sequence of numbers"),
        ({1: 1, 2: 2}, "type dict, not a sequence of numbers"),
    ],
)
def test_weights_that_are_not_allowed(weights: object, message: str) -> None:
    with pytest.raises(WeightError, match=message):
        check_weights(weights, 2)
    with pytest.raises(LengthError, match="there are 3 documents"):
        check_weights([1, 1], 3)


def test_a_weight_that_is_divided_between_terms_is_not_too_small_for_each(tmp_path: Path) -> None:
    with pytest.raises(WeightError, match=r"in row 2 is not allowed with document_weight='equal': .* from 2\^-32"):
        NaiveBayes(document_weight="equal").fit(["c e", "c"], ["p", "p"], [1, 2.0**-64])
    least = LEAST_DIVIDED
    model = NaiveBayes(document_weight="equal").fit(["not good", "not good at all"], ["r", "r"], [1e6, least])
    model.save(tmp_path / "model")
    loaded = likely.load(tmp_path / "model").forget(["not good"], ["r"], [1e6])
    only = NaiveBayes(document_weight="equal").fit(["not good at all"], ["r"], [least])
    assert to_bytes(loaded._snapshot()) == to_bytes(only._snapshot())

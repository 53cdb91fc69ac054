"""Pairs of gold labels and predictions are counted, whatever the container and the batches."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.errors import LabelError, LengthError
from likely.evaluation import measures as module
from likely.evaluation.measures import Pairs, sums_by

some = st.lists(st.tuples(st.integers(0, 3), st.none() | st.integers(0, 5)), max_size=12)


@given(some, some)
def test_batches_are_one_go(first: list[tuple[int, int | None]], second: list[tuple[int, int | None]]) -> None:
    whole, parts = Pairs([9], keep=True), Pairs([9], keep=True)
    for target, batches in ((whole, [first + second]), (parts, [first, second])):
        for batch in batches:
            target.add([gold for gold, _ in batch], [each for _, each in batch])
    assert whole.labels == parts.labels
    assert whole.documents == parts.documents == len(first) + len(second)
    for one, other in (
        *zip(whole.counted(), parts.counted(), strict=True),
        *zip(whole.kept(), parts.kept(), strict=True),
    ):
        assert one.tolist() == other.tolist()
    gold, predicted = whole.kept()
    assert [whole.labels[at] for at in gold] == [each for each, _ in first + second]
    assert [whole.labels[at] if at >= 0 else None for at in predicted] == [each for _, each in first + second]


def test_many_classes_are_counted_by_sorting(monkeypatch: pytest.MonkeyPatch) -> None:
    gold, predicted = [3, 1, 3, 3], [1, 1, None, 1]

    def counted() -> list[list[int]]:
        pairs = Pairs()
        pairs.add(gold, predicted)
        return [each.tolist() for each in pairs.counted()]

    expected = [[0, 1, 1], [0, -1, 0], [1, 1, 2]]
    assert counted() == expected
    monkeypatch.setattr(module, "FEW", 0)
    assert counted() == expected


@pytest.mark.parametrize(
    "predicted",
    [
        ["a", None],
        ("a", None),
        iter(["a", None]),
        np.array(["a", None], dtype=object),
        pa.array(["a", None]),
        pl.Series(["a", None]),
        pd.Series(["a", None], dtype=object),
    ],
    ids=lambda each: type(each).__module__,
)
def test_none_is_an_abstention_in_any_container(predicted: Any) -> None:
    pairs = Pairs()
    pairs.add(["a", "b"], predicted)
    assert pairs.counted()[1].tolist() == [0, -1]


def test_bad_input_is_named() -> None:
    with pytest.raises(LengthError, match="1 gold labels but 2 predictions"):
        Pairs().add(["a"], ["a", "b"])
    with pytest.raises(LabelError, match="missing"):
        Pairs().add([None, "a"], ["a", "a"])  # type: ignore[list-item]
    with pytest.raises(LabelError, match=r"1\.5 in row 2 is a fraction"):
        Pairs().add(["a", "a"], ["a", 1.5])  # type: ignore[list-item]
    with pytest.raises(LabelError, match="single str"):
        Pairs().add(["a"], "a")


def test_sums_by_a_key() -> None:
    assert sums_by(np.array([1, 1, -1]), np.array([1.0, 2.0, 4.0]), 3).tolist() == [0, 3, 0]
    assert sums_by(np.array([-1]), np.array([1.0]), 2).tolist() == [0, 0]

"""Combinations of gold labels and predictions are counted, whatever the container and the batches."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.evaluation.measures import Combinations, sums_by

labels = st.none() | st.integers(0, 5)
some = st.lists(st.tuples(labels, labels, labels), min_size=1, max_size=12)


@given(some, some)
def test_batches_are_one_go(first: list[tuple[int | None, ...]], second: list[tuple[int | None, ...]]) -> None:
    whole, parts = Combinations([9]), Combinations([9])
    for target, batches in ((whole, [first + second]), (parts, [first, second])):
        for batch in batches:
            target.add(*(target.numbers([row[at] for row in batch]) for at in range(3)))
    names = [dict(enumerate(each.index.labels)) for each in (whole, parts)]
    found = []
    for each, of in zip((whole, parts), names, strict=True):
        keys, counts = each.counted()
        rows = ([of.get(number) for number in row] for row in keys.tolist())
        found.append(Counter(dict(zip(map(tuple, rows), counts.tolist(), strict=True))))
    assert found == [Counter(first + second)] * 2
    assert whole.documents == parts.documents == len(first) + len(second)


def test_places_follow_the_labels_that_are_given() -> None:
    found = Combinations()
    found.add(found.numbers([3, 1, 3, 3]), found.numbers([1, 1, None, 1]))
    keys, counts = found.counted()
    assert found.places([1, 3])[keys].tolist() == [[1, -1], [1, 0], [0, 0]]
    assert counts.tolist() == [1, 2, 1]
    assert found.places([3])[keys].tolist() == [[0, -1], [0, -1], [-1, -1]]


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
    assert Combinations(["a", "b"]).numbers(predicted).tolist() == [0, -1]


def test_sums_by_a_key() -> None:
    assert sums_by(np.array([1, 1, -1]), np.array([1.0, 2.0, 4.0]), 3).tolist() == [0, 3, 0]
    assert sums_by(np.array([-1]), np.array([1.0]), 2).tolist() == [0, 0]

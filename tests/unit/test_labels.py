"""Labels in every container that is accepted, and the errors for those that are not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from likely import NaiveBayes
from likely.errors import LabelError
from likely.storage import to_bytes

TEXTS = ["good fun", "naïve 漢字", "", "good \x00 NUL", "x" * 40]


LABELS = ["+", "-", "+", "-", "+"]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ("+-+-+", "single str"),
        (["+", None, "+", "-", "+"], "row 1 is missing"),
        (["+", float("nan"), "+", "-", "+"], "row 1 is missing"),
        (["+", 1, "+", "-", "+"], "row 1 is no str"),
        ([1, True, 1, 0, 1], "row 1 is no int"),
        ([1.5, 2.5, 1.5, 1.5, 1.5], "row 0 is of type float"),
        ([[1], [2], [1], [1], [1]], "row 0 is of type list"),
        (pa.array(["+", None, "+", "-", "+"]), "row 1 is missing"),
        (7, "labels is a int"),
        (["+", "+", "\ud800", "-", "+"], "row 2 is no valid Unicode"),
        ([2**70, 1, 1, 1, 1], "row 0.*does not fit 64 bits"),
        (pd.Series(["+", 1, "+", "-", "+"], dtype=object), "row 1 is no str"),
        (pa.array([["+"]] * 5), "containers"),
        (np.array("+-+-+"), "single str"),
    ],
)
def test_labels_that_are_none_are_refused(labels: Any, message: str) -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    before = to_bytes(model)
    with pytest.raises(LabelError, match=message):
        model.learn(TEXTS, labels)
    assert to_bytes(model) == before


def test_labels_of_another_kind_than_before_are_refused() -> None:
    model = NaiveBayes().fit(["a"], ["x"])
    with pytest.raises(LabelError, match="so far are of type str"):
        model.learn(["a"], [1])
    assert model.classes_.tolist() == ["x"]


@pytest.mark.parametrize(
    ("labels", "kind"),
    [
        (["b", "a"], str),
        ([2, 1], int),
        ([True, False], bool),
        (np.array([2, 1], dtype=np.int8), int),
        (np.array([True, False]), bool),
        ([np.int64(2), np.int32(1)], int),
        ([np.str_("b"), "a"], str),
        (pd.Series(["b", "a"], dtype="category"), str),
        ([2**63 - 1, -(2**63)], int),
        (["b\0", "a\0"], str),
        (["", " "], str),
    ],
)
def test_labels_come_back_as_what_they_were(labels: Any, kind: type) -> None:
    model = NaiveBayes().fit(["up", "down"], labels)
    first, second = (label.item() if isinstance(label, np.generic) else label for label in list(labels))
    assert model.predict(["up", "down"]).tolist() == [first, second]
    assert all(type(label) is kind for label in model.predict(["up"]).tolist())
    assert model.classes_.tolist() == sorted([first, second])
    assert model.explain("up").label == first

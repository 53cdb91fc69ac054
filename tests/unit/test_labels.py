"""Labels in every container that is accepted, their places among the classes, and the errors for all others."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from likely import NaiveBayes
from likely.core.file import to_bytes
from likely.errors import LabelError
from likely.labels import LabelIndex, coded, label_array

TEXTS = ["good fun", "naïve 漢字", "", "good \x00 NUL", "x" * 40]


LABELS = ["+", "-", "+", "-", "+"]


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ("+-+-+", "single str"),
        (["+", None, "+", "-", "+"], "row 2 is missing"),
        (["+", float("nan"), "+", "-", "+"], "row 2 is missing"),
        (["+", 1, "+", "-", "+"], "row 2 has a different type from row 1 .str"),
        ([1, True, 1, 0, 1], "row 2 has a different type from row 1 .int"),
        ([1.5, 2.5, 1.5, 1.5, 1.5], "1.5 in row 1 is a fraction"),
        ([[1], [2], [1], [1], [1]], "row 1 is of type list"),
        (pa.array(["+", None, "+", "-", "+"]), "row 2 is missing"),
        (pl.Series(["+", None, "+", "-", "+"]), "row 2 is missing"),
        (7, "labels is of type int"),
        (["+", "+", "\ud800", "-", "+"], "row 3 is not valid Unicode"),
        ([2**70, 1, 1, 1, 1], "row 1.*does not fit into 64 bits"),
        (pd.Series(["+", 1, "+", "-", "+"], dtype=object), "row 2 has a different type from row 1 .str"),
        (pa.array([["+"]] * 5), "containers"),
        (np.array("+-+-+"), "single str"),
    ],
)
def test_labels_that_are_none_are_refused(labels: Any, message: str) -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    before = to_bytes(model._snapshot())
    with pytest.raises(LabelError, match=message):
        model.learn(TEXTS, labels)
    assert to_bytes(model._snapshot()) == before


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


def test_numbers_are_handed_out_in_order_of_appearance_and_kept() -> None:
    index = LabelIndex()
    assert index.encode(["b", "a", "b"]).tolist() == [0, 1, 0]
    assert index.encode(pa.array(["a", "c"])).tolist() == [1, 2]
    assert index.encode(coded(["c", "b"])).tolist() == [2, 0]
    assert index.labels == ["b", "a", "c"]
    with pytest.raises(LabelError, match="of type int, but the labels so far are of type str"):
        index.number(1)


@pytest.mark.parametrize(
    ("labels", "kind", "expected"),
    [
        (["1", "+2", "-3"], int, [1, 2, -3]),
        (["true", "FALSE"], bool, [True, False]),
        ([1, 2], str, ["1", "2"]),
        ([True, False], str, ["true", "false"]),
        (["x"], str, ["x"]),
        (["9223372036854775807", "-9223372036854775808"], int, [2**63 - 1, -(2**63)]),
    ],
)
def test_labels_of_text_become_the_kind_of_a_model(labels: list[Any], kind: type, expected: list[Any]) -> None:
    found = list(coded(labels).as_kind(kind))
    assert (found, [type(label) for label in found]) == (expected, [type(label) for label in expected])


@pytest.mark.parametrize(
    ("label", "kind"),
    [("one", int), ("1.0", int), ("9223372036854775808", int), (" 1", int), ("yes", bool), (True, int)],
)
def test_other_labels_are_not_bent(label: Any, kind: type) -> None:
    with pytest.raises(LabelError, match=f"cannot be read as {kind.__name__}"):
        coded([label]).as_kind(kind)


def test_some_of_the_labels() -> None:
    found = coded(["a", "b", "a", "c"]).chosen(np.array([True, False, True, False]))
    assert (list(found), len(found)) == (["a", "a"], 2)


@pytest.mark.parametrize(
    "labels", [["a", "bb"], ["a\0", "b"], [1, 2], [True, False], ["x" * (1 << 20), "y"]], ids=len
)
def test_an_array_gives_labels_back_unchanged(labels: list[Any]) -> None:
    found = label_array(labels)
    assert found.tolist() == labels
    assert found.nbytes < 8 << 20, "the longest label must not be paid for by all others"


@pytest.mark.parametrize("floats", [list, np.array, pd.Series, pa.array, lambda values: np.array([values]).T])
def test_whole_numbers_that_became_floats_are_whole_numbers(floats: Any) -> None:
    found = list(coded(floats([2.0, 1.0, 2.0])))
    assert (found, {type(label) for label in found}) == ([2, 1, 2], {int})
    with pytest.raises(LabelError, match=r"2.5 in row 2 is a fraction"):
        coded(floats([2.0, 2.5]))
    with pytest.raises(LabelError, match=r"row 3 is missing"):
        coded(floats([1.0, 1.0, float("nan")]))


@pytest.mark.parametrize(
    "column", [lambda values: np.array([values]).T, lambda values: pd.DataFrame({"y": values}, index=[7, 7, 8])]
)
def test_a_table_of_one_column_holds_labels(column: Any) -> None:
    assert list(coded(column(["a", "b", "a"]))) == ["a", "b", "a"]


def test_a_table_of_several_columns_does_not() -> None:
    with pytest.raises(LabelError, match="2 columns: give one of them"):
        coded(np.array([["a", "b"], ["a", "b"]]))
    with pytest.raises(LabelError, match=r"give one of its columns \['x', 'y'\]"):
        coded(pd.DataFrame({"x": [1], "y": [2]}))


@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Enum(["b", "a"]), pl.String])
def test_polars_labels(dtype: Any) -> None:
    assert list(coded(pl.Series(["a", "b", "a"], dtype=dtype))) == ["a", "b", "a"]

"""Columns: what is wrong with them is found, and the rest is used."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from likely.errors import SourceError
from likely.reading.tables import (
    is_text,
    missing,
    passed_on,
    plain,
    problems_in,
    shown,
    unreadable,
    without_views,
)

BYTES = pa.array([b"good", b"\xff", None, b""])


@pytest.mark.parametrize(
    "column",
    [
        BYTES.view(pa.string()),
        BYTES.cast(pa.large_binary()).view(pa.large_string()),
        BYTES.cast(pa.binary_view()).view(pa.string_view()),
        pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 2]), BYTES.filter(BYTES.is_valid()).view(pa.string())),
    ],
    ids=lambda column: str(column.type),
)
def test_every_kind_of_strings(column: pa.Array) -> None:
    found = plain(column, "text", "a")
    assert is_text(found)
    assert unreadable(found).tolist() == [False, True, False, False]
    assert missing(found).tolist() == [False, False, True, False]
    assert problems_in(found, "label") == {1: "not valid UTF-8", 2: "no label", 3: "no label"}
    assert shown(column) == ["good", ""]
    assert passed_on(column, "text", "a").to_pylist() == ["good", "\ufffd", None, ""]


def test_a_dictionary_that_is_too_short() -> None:
    column = pa.DictionaryArray.from_arrays(pa.array([0, 5]), pa.array(["good"]), safe=False)
    with pytest.raises(SourceError, match=r"a.arrow: the column 'text' is damaged .*out of bounds: 5"):
        plain(column, "text", "a.arrow")
    assert shown(column) == []


def test_numbers_are_not_strings() -> None:
    column = pa.array([1.0, float("nan"), None])
    assert not is_text(column)
    assert missing(column).tolist() == [False, True, True]
    assert problems_in(column, "label") == {1: "no label", 2: "no label"}
    assert without_views(column) is column
    assert passed_on(column, "n", "a") is column


def test_a_date_that_python_does_not_have_is_text() -> None:
    zone = pa.array([0], pa.timestamp("us", "Mars/Phobos"))
    assert passed_on(zone, "when", "a").to_pylist() == ["1970-01-01 00:00:00.000000Z"]
    assert (
        np.isin("out of range", passed_on(pa.array([2**62], pa.timestamp("us")), "when", "a")[0].as_py()) is not None
    )

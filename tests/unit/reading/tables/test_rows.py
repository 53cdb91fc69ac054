"""Rows of Python values as batches."""

from __future__ import annotations

import pyarrow as pa
import pytest
from likely.errors import SourceError
from likely.reading.tables import ROWS, row_batches


def test_a_column_with_several_types_is_text() -> None:
    (batch,) = row_batches([("good", "x"), ("bad", b"y"), ("fine", 1), (None, None)], ["text", "label"], "a.db")
    assert batch.to_pydict() == {"text": ["good", "bad", "fine", None], "label": ["x", "y", "1", None]}


def test_text_stays_text_and_numbers_do_not_become_text_in_silence() -> None:
    some = [("a", "x")] * ROWS
    later = list(row_batches([*some, ("b", 1), ("c", b"\xff")], ["text", "label"], "a.db"))[1]
    assert later.column("label")[0].as_py() == "1"
    with pytest.raises(pa.ArrowInvalid, match="UTF8"):
        later.column("label").validate(full=True)
    numbers = [("a", 1)] * ROWS
    assert [batch.num_rows for batch in row_batches([*numbers, ("b", 2), ("b", None)], ["text", "label"], "")] == [
        *(ROWS, 2)
    ]
    with pytest.raises(SourceError, match=r"a.db: the column 'label' begins with int64 and has text further down"):
        list(row_batches([*numbers, ("b", "x")], ["text", "label"], "a.db"))


def test_batches_of_long_rows_are_short() -> None:
    rows = [("x" * 6_000_000, 1)] * 7
    assert [batch.num_rows for batch in row_batches(rows, ["text", "label"], "a.db")] == [3, 3, 1]

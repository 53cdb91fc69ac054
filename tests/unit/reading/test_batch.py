"""Batches of rows, and the list of those that were skipped."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from likely.errors import BadRowsError, LabelError, SourceError
from likely.labels import coded
from likely.reading.batch import NAMED, Batch, Lines, Skipped, check_names


def batch() -> Batch:
    table = pa.table({"text": ["a", "b", "c"], "label": ["x", "y", "x"], "id": [1, 2, 3]})
    lines = Lines(b"a,x\nb,y\nc,x\n", np.array([0, 4, 8]), np.array([3, 7, 11]))
    return Batch(table["text"].combine_chunks(), coded(["x", "y", "x"]), lambda: table, lines)


def test_the_rows_that_are_chosen_agree_in_every_form() -> None:
    chosen = batch().chosen(np.array([True, False, True]))
    assert chosen.texts.to_pylist() == ["a", "c"]
    assert list(chosen.labels or []) == ["x", "x"]
    assert chosen.table()["id"].to_pylist() == [1, 3]
    assert list(chosen.lines or []) == [b"a,x", b"c,x"]


def test_rows_without_labels_and_lines_can_be_chosen_too() -> None:
    whole = batch()
    bare = Batch(whole.texts, None, whole.table).chosen(np.array([False, True, False]))
    assert (bare.texts.to_pylist(), bare.labels, bare.lines) == (["b"], None, None)
    assert list(bare.labels_as(None)) == []


def test_labels_become_the_kind_that_others_are() -> None:
    rows = Batch(pa.array(["a", "b"]), coded(["1", "0"]), lambda: pa.table({}))
    assert list(rows.labels_as(int)) == [1, 0]
    assert list(rows.labels_as(None)) == ["1", "0"]
    with pytest.raises(LabelError, match="'x'"):
        batch().labels_as(int)


def test_two_columns_of_one_name_are_refused() -> None:
    check_names(["text", "Text", ""], "a.csv")
    with pytest.raises(SourceError, match=r"a\.csv: two columns are called ''"):
        check_names(["", "text", ""], "a.csv")


def test_all_skipped_rows_are_counted_and_the_first_are_named() -> None:
    skipped = Skipped()
    for line in range(1, NAMED + 3):
        skipped.add("a.csv", line * 1000, "no label")
    assert skipped.count == NAMED + 2
    assert str(skipped).startswith("7 rows skipped: a.csv line 1,000: no label; a.csv line 2,000: no label")
    assert str(skipped).endswith("line 5,000: no label; and 2 more")
    one = Skipped()
    one.add("the frame", 3, "no text", unit="row")
    assert str(one) == "1 row skipped: the frame row 3: no text"


def test_a_strict_reading_ends_at_the_first() -> None:
    with pytest.raises(BadRowsError, match=r"a\.csv line 7: no label\. Mend it"):
        Skipped(strict=True).add("a.csv", 7, "no label")

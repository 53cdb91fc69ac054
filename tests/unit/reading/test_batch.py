"""Batches of rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from likely import _native
from likely.errors import LabelError, SourceError
from likely.labels import coded
from likely.reading.batch import Batch, Lines, Table, check_names


def batch() -> Batch:
    table: Table = {"text": ["a", "b", "c"], "label": ["x", "y", "x"], "id": [1, 2, 3]}
    lines = Lines(b"a,x\nb,y\nc,x\n", np.array([0, 4, 8]), np.array([3, 7, 11]))
    return Batch(_native.Strings(["a", "b", "c"]), coded(["x", "y", "x"]), lambda: table, lines)


def test_the_rows_that_are_chosen_agree_in_every_form() -> None:
    chosen = batch().chosen(np.array([True, False, True]))
    assert chosen.texts.to_pylist() == ["a", "c"]
    assert list(chosen.labels or []) == ["x", "x"]
    assert chosen.table()["id"] == [1, 3]
    assert list(chosen.lines or []) == [b"a,x", b"c,x"]


def test_the_rows_that_are_chosen_keep_their_weights_and_groups() -> None:
    whole = replace(batch(), weights=np.array([1.0, 2.0, 3.0]), groups=["ann", "bob", "eve"])
    chosen = whole.chosen(np.array([True, False, True]))
    assert chosen.weights is not None
    assert (chosen.weights.tolist(), chosen.groups) == ([1.0, 3.0], ["ann", "eve"])


def test_rows_without_labels_and_lines_can_be_chosen_too() -> None:
    whole = batch()
    bare = Batch(whole.texts, None, whole.table).chosen(np.array([False, True, False]))
    assert (bare.texts.to_pylist(), bare.labels, bare.lines) == (["b"], None, None)
    assert list(bare.labels_as(None)) == []


def test_labels_become_the_kind_that_others_are() -> None:
    rows = Batch(_native.Strings(["a", "b"]), coded(["1", "0"]), dict)
    assert list(rows.labels_as(int)) == [1, 0]
    assert list(rows.labels_as(None)) == ["1", "0"]
    with pytest.raises(LabelError, match="'x'"):
        batch().labels_as(int)


def test_two_columns_of_one_name_are_refused() -> None:
    check_names(["text", "Text", ""], "a.csv")
    with pytest.raises(SourceError, match=r"a\.csv: two columns are called ''"):
        check_names(["", "text", ""], "a.csv")


def test_joined_lines_are_the_rows_with_their_line_ends() -> None:
    lines = Lines(b"a\r\n\r\ndej\xc3\xa0", np.array([0, 3, 5]), np.array([1, 3, 10]))
    assert lines.joined(b"\r\n") == b"".join(row + b"\r\n" for row in lines) == b"a\r\n\r\ndej\xc3\xa0\r\n"
    assert replace(lines, instead={1: b"{}"}).joined(b"\n") == b"a\n{}\ndej\xc3\xa0\n"


@pytest.mark.parametrize(("start", "end"), [(-1, 1), (0, 4), (2, 1)])
def test_lines_outside_of_their_chunk_cannot_be_joined(start: int, end: int) -> None:
    with pytest.raises(IndexError, match="not within the chunk"):
        Lines(b"abc", np.array([start]), np.array([end])).joined(b"\n")

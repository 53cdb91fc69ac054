"""The file with the weight of every document."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from likely.batch.select import UNIT, WeightsFile


@pytest.mark.parametrize("name", ["w.csv", "W.JSONL"])
def test_a_row_that_cannot_be_read_has_no_weight(name: str) -> None:
    file = io.BytesIO()
    weights = WeightsFile(file, name, 2)
    sums = (np.array([[1.5, -2.0], [0.0, 0.0]]) * UNIT).astype(np.int64)
    weights.add('a "b".jsonl', 10, sums, np.array([7, 0], np.uint64), {1: "no text"})
    text = file.getvalue().decode()
    rows = (
        list(csv.DictReader(io.StringIO(text)))
        if name == "w.csv"
        else [json.loads(line) for line in text.splitlines()]
    )
    assert [list(map(str, row.values())) for row in rows] == [
        ['a "b".jsonl', "11", "7", "1.5", "-2.0"],
        ['a "b".jsonl', "12", *(["", "", ""] if name == "w.csv" else ["None"] * 3)],
    ]
    assert list(rows[0]) == ["file", "row", "words", "log_weight_1", "log_weight_2"]

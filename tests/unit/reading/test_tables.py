"""Tables, frames and the answers of queries as documents."""

from __future__ import annotations

from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pytest
from likely.errors import BadRowsError
from likely.reading import Corpus

from .conftest import ROWS, as_table, rows_of


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, lambda t: t, duckdb.from_arrow])
def test_the_same_rows_from_frames(frame: Any) -> None:
    table = as_table(ROWS)
    source = frame(table.to_pydict() if frame in (pd.DataFrame, pl.DataFrame) else table)
    assert rows_of(source) == ROWS
    assert rows_of(source, text="text", label="label") == ROWS


def test_bad_rows_of_tables() -> None:
    table = pa.table({"text": ["a", None, "c", "d"], "label": ["x", "y", None, "y"]})
    corpus = Corpus(table)
    assert [batch.texts.to_pylist() for batch in corpus] == [["a", "d"]]
    assert corpus.skipped.first == ["the Table row 2: no text", "the Table row 3: no label"]
    with pytest.raises(BadRowsError, match="no row could be read"):
        rows_of(pa.table({"text": pa.array([None], pa.string()), "label": ["x"]}))

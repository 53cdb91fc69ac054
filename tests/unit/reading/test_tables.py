"""Tables, frames and the answers of queries as documents."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from likely.errors import BadRowsError, SourceError
from likely.reading import Corpus

from .conftest import ROWS, as_table, rows_of


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame, lambda t: t, duckdb.from_arrow])
def test_the_same_rows_from_frames(frame: Any) -> None:
    table = as_table(ROWS)
    source = frame(table.to_pydict() if frame in (pd.DataFrame, pl.DataFrame) else table)
    assert rows_of(source) == ROWS
    assert rows_of(source, text="text", label="label") == ROWS


def test_sql(tmp_path: Path) -> None:
    pq.write_table(as_table(ROWS), tmp_path / "a.parquet")
    query = "select text as body, label as tag from '{}' order by rowid"
    assert sorted(rows_of(None, sql=f"select text as body, label as tag from '{tmp_path}/*.parquet'")) == sorted(ROWS)
    with sqlite3.connect(tmp_path / "a.db") as database:
        database.execute("create table rows (text, label)")
        database.executemany("insert into rows values (?, ?)", ROWS)
    database.close()
    assert rows_of(tmp_path / "a.db", sql=query.format("rows").replace("'", "")) == ROWS
    with duckdb.connect(str(tmp_path / "a.duckdb")) as connection:
        connection.execute(f"create table rows as select * from '{tmp_path}/a.parquet'")
    assert sorted(rows_of(tmp_path / "a.duckdb", sql="select * from rows")) == sorted(ROWS)
    with pytest.raises(SourceError, match="the query failed"):
        rows_of(None, sql="selekt 1")
    with pytest.raises(SourceError, match="say what to read with sql"):
        rows_of(tmp_path / "a.db")


def test_bad_rows_of_tables() -> None:
    table = pa.table({"text": ["a", None, "c", "d"], "label": ["x", "y", None, "y"]})
    corpus = Corpus(table)
    assert [batch.texts.to_pylist() for batch in corpus] == [["a", "d"]]
    assert corpus.skipped.first == ["the Table row 2: no text", "the Table row 3: no label"]
    with pytest.raises(BadRowsError, match="no row could be read"):
        rows_of(pa.table({"text": pa.array([None], pa.string()), "label": ["x"]}))

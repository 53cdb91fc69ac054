"""Rows of queries."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import duckdb
import pyarrow.parquet as pq
import pytest
from likely.errors import SourceError

from .conftest import ROWS, as_table, rows_of


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
    with pytest.raises(SourceError, match="give a query with sql"):
        rows_of(tmp_path / "a.db")

"""Rows of queries."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import duckdb
import pyarrow.parquet as pq
import pytest
from likely import train
from likely.errors import SourceError

from tests.unit.reading.conftest import ROWS, as_table, rows_of


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


def sqlite(path: Path, rows: list[tuple[Any, ...]]) -> Path:
    database = sqlite3.connect(path)
    database.execute("create table t (text, label)")
    database.executemany("insert into t values (?, ?)", rows)
    database.commit()
    database.close()
    return path


def test_sqlite_labels_of_several_types(tmp_path: Path) -> None:
    path = sqlite(tmp_path / "a.db", [("good", "x"), ("bad", b"y"), ("fine", 1), ("no", b"\xff"), ("none", None)])
    assert rows_of(path, sql="select * from t") == [("good", "x"), ("bad", "y"), ("fine", "1")]


def test_an_error_of_sqlite_is_one_line(tmp_path: Path) -> None:
    path = sqlite(tmp_path / "a.db", [("good", "x")] * 20_000)
    for query in ("select 1 as text, label from t", "select text, abs(-9223372036854775808) as label from t"):
        command = [sys.executable, "-m", "likely.cli", "train", str(path), "--sql", query, "-o", str(tmp_path / "m")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, len(done.stderr.splitlines())) == (2, 1), done.stderr
    with pytest.raises(SourceError, match="must be a select"):
        rows_of(path, sql="pragma case_sensitive_like = 1")


def test_a_path_that_is_too_long_for_sqlite(tmp_path: Path) -> None:
    folder = tmp_path.joinpath(*["d" * 100] * 5)
    folder.mkdir(parents=True)
    path = sqlite(tmp_path / "a.db", [("good", "x")]).rename(folder / "a.db")
    with pytest.raises(SourceError, match="cannot be read: unable to open database file"):
        rows_of(path, sql="select * from t")


def test_a_query_that_names_its_files_needs_no_source(tmp_path: Path) -> None:
    pq.write_table(as_table(ROWS), tmp_path / "a.parquet")
    model = train(sql=f"select text, label from '{tmp_path}/a.parquet'", variant="multinomial")
    assert model.classes_.tolist() == ["neg", "pos"]

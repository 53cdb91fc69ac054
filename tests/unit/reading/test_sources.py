"""Which files a source names."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest
from likely.errors import SourceError
from likely.reading.corpus import are_places, places_of

from .conftest import ROWS, as_csv, as_jsonl, rows_of


def test_several_files_and_globs(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_bytes(as_csv(ROWS[:2]))
    (tmp_path / "2.jsonl").write_bytes(as_jsonl(ROWS[2:]))
    assert rows_of([tmp_path / "1.csv", tmp_path / "2.jsonl"]) == ROWS
    assert rows_of(str(tmp_path / "*.*")) == ROWS
    assert rows_of(tmp_path) == ROWS
    with pytest.raises(SourceError, match="no file matches"):
        rows_of(str(tmp_path / "*.nothing"))


def test_what_is_a_place_and_what_is_not() -> None:
    assert all(are_places(source) for source in ("a.csv", Path("a.csv"), ["a.csv", Path("b.csv")], ("-",)))
    assert not any(are_places(source) for source in ([], None, 3, [1], {"a.csv"}, pa.table({"text": ["a"]})))


def test_a_file_whose_name_looks_like_a_pattern_is_that_file(tmp_path: Path) -> None:
    (tmp_path / "a[1].csv").write_text("x")
    (tmp_path / "a1.csv").write_text("x")
    assert places_of(tmp_path / "a[1].csv") == [tmp_path / "a[1].csv"]
    assert places_of(str(tmp_path / "a*.csv")) == [tmp_path / "a1.csv", tmp_path / "a[1].csv"]
    assert places_of(["-", tmp_path / "none"]) == [None, tmp_path / "none"]
    with pytest.raises(SourceError, match="no file matches"):
        places_of(str(tmp_path / "*.none"))

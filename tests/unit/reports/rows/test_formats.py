"""The format that the name of a file stands for."""

from __future__ import annotations

from likely.reports.rows.formats import format_by_suffix


def test_the_name_of_the_output_tells_the_format() -> None:
    names = ("a.CSV", "a.ndjson", "a.json", "a.b.parquet", "a.txt", "a", ".csv")
    assert [format_by_suffix(name) for name in names] == ["csv", "jsonl", "jsonl", "parquet", None, None, None]

"""The format that the name of a file stands for."""

from __future__ import annotations

import pytest
from likely.batch.writers import format_by_suffix
from likely.errors import SourceError


def test_the_name_of_the_output_tells_the_format() -> None:
    names = ("a.CSV", "a.ndjson", "a.json", "a.b.parquet", "a.TSV", "a.txt", "a", ".csv")
    assert [format_by_suffix(name) for name in names] == (
        ["csv", "jsonl", "jsonl", "parquet", "tsv", None, None, None]
    )


@pytest.mark.parametrize("name", ["a.xlsx", "a.csv.gz", "a.ZIP", "a.feather"])
def test_a_name_of_a_format_that_is_not_written_is_refused(name: str) -> None:
    with pytest.raises(SourceError, match=r"predictions are not written as \.\w+: name a file that ends with \.csv"):
        format_by_suffix(name)

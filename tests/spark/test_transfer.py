"""Slices of rows, which travel as bytes."""

from __future__ import annotations

import pyarrow as pa
import pytest
from likely.spark import frame
from likely.spark.frame import packed, unpacked


@pytest.mark.parametrize(("rows", "slices"), [(1, 10), (4, 3), (100, 1)])
def test_rows_come_back_in_slices(rows: int, slices: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame, "SLICE_ROWS", rows)
    batches = [pa.record_batch({"n": [at], "text": ["\u00e9" * at]}) for at in range(10)]
    found = [unpacked(batch["slice"][0].as_py()) for batch in packed(batches)]
    assert len(found) == slices
    assert pa.concat_tables(found).equals(pa.Table.from_batches(batches).combine_chunks())


def test_nothing_is_nothing() -> None:
    assert list(packed([])) == []

"""Batches are bounded by rows and by bytes."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
from likely.reading.batch import Chosen, Skipped
from likely.reading.stream import CHUNK
from likely.reading.tables import ROWS, bounded, parquet_reader


def test_batches_have_few_rows_and_few_bytes() -> None:
    lengths = [10, 9_000_000, 9_000_000, 1, 40_000_000, *[20] * ROWS]
    rows = pa.record_batch({"text": ["x" * length for length in lengths]})
    batches = list(bounded(rows))
    assert [len(text) for batch in batches for text in batch.column(0).to_pylist()] == lengths
    assert all(batch.num_rows == 1 or (batch.num_rows <= ROWS and batch.nbytes <= CHUNK) for batch in batches)


def test_rows_that_name_the_same_long_value() -> None:
    keys = pa.array([0] * 1000, pa.int32())
    rows = pa.record_batch({"text": pa.DictionaryArray.from_arrays(keys, ["x" * 1_000_000])})
    assert {batch.num_rows <= 16 for batch in bounded(rows)} == {True}


def test_a_column_of_views_can_be_filtered_afterwards() -> None:
    texts = ["a" * 20, "b"] * 5000
    frame = pl.DataFrame({"text": texts, "kind": pl.Series(texts, dtype=pl.Categorical)})
    (rows,) = pa.table(frame).combine_chunks().to_batches()
    batches = [batch.filter(pa.array([True, False] * (batch.num_rows // 2))) for batch in bounded(rows)]
    assert pa.Table.from_batches(batches).to_pydict() == {"text": texts[::2], "kind": texts[::2]}


def test_parquet_is_read_a_few_rows_at_a_time_if_they_are_long(tmp_path: Path) -> None:
    table = pa.table({"text": [f"{at}" + "x" * 2_000_000 for at in range(40)], "other": range(40)})
    pq.write_table(table, tmp_path / "long.parquet", row_group_size=20)
    reader = parquet_reader(tmp_path / "long.parquet", None, Skipped())
    assert max(batch.num_rows for batch in reader._batches) <= 8
    whole = list(parquet_reader(tmp_path / "long.parquet", None, Skipped()).batches(Chosen("text", None), whole=True))
    assert [text for batch in whole for text in batch.texts.to_pylist()] == table["text"].to_pylist()
    assert max(batch.texts.nbytes for batch in whole) <= CHUNK

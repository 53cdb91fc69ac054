"""Tables, frames and the answers of queries as documents."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from likely.errors import MissingExtraError, SourceError
from likely.reading.batch import Chosen, Skipped, values_of
from likely.reading.corpus import Corpus
from likely.reading.tables import TableReader

from tests.unit.reading.conftest import ROWS, as_table, rows_of


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
    with pytest.raises(SourceError, match="no row could be read"):
        rows_of(pa.table({"text": pa.array([None], pa.string()), "label": ["x"]}))


def buffer(values: list[int]) -> Any:
    return pa.py_buffer(np.array(values, np.int32).tobytes())


def broken_text(rows: int = 3) -> Any:
    """A column whose offsets decrease."""
    data = pa.py_buffer(b"good film, bad film " * rows)
    return pa.Array.from_buffers(pa.string(), rows, [None, buffer([0, 15, *range(8, 8 + rows - 1)]), data])


def not_utf8(rows: int = 10) -> Any:
    """A column of strings of which every second one is not valid UTF-8."""
    return pa.array([b"a\xff\xfe", b"abc"] * (rows // 2)).view(pa.string())


BASE = {"text": ["good one", "bad one"] * 5, "label": ["x", "y"] * 5}
ODD: dict[str, Any] = {
    "nanoseconds": pa.array(range(10), pa.timestamp("ns")),
    "durations": pa.array(range(10), pa.duration("ns")),
    "far dates": pa.array([2**62] * 10, pa.timestamp("us")),
    "an unknown time zone": pa.array([1] * 10, pa.timestamp("us", tz="Mars/Phobos")),
    "bytes in strings": not_utf8(),
    "bytes": pa.array([b"\xff"] * 10),
    "nested": pa.array([{"a": [1]}] * 10),
}


def as_ipc(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_file(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


@pytest.mark.parametrize("write", [pq.write_table, lambda table, path: path.write_bytes(as_ipc(table))])
@pytest.mark.parametrize("odd", ODD)
def test_a_column_that_nobody_asked_for_is_not_looked_at(odd: str, write: Any, tmp_path: Path) -> None:
    write(pa.table({**BASE, "other": ODD[odd]}), tmp_path / "data")
    expected = list(zip(BASE["text"], BASE["label"], strict=True))
    assert rows_of(tmp_path / "data") == expected
    assert rows_of(tmp_path / "data", text="text", label="label") == expected
    whole = Corpus(tmp_path / "data", labelled=False, whole=True)
    tables = [batch.table() for batch in whole]
    assert [list(table) for table in tables] == [["text", "label", "other"]]
    assert {len(values_of(column)) for column in tables[0].values()} == {10}, "every column can be written out"


def test_texts_and_labels_that_are_not_utf8_are_skipped(tmp_path: Path) -> None:
    pq.write_table(pa.table({"text": not_utf8(), "label": BASE["label"]}), tmp_path / "a.parquet")
    pq.write_table(pa.table({"text": BASE["text"], "label": not_utf8()}), tmp_path / "b.parquet")
    corpus = Corpus(tmp_path / "a.parquet")
    assert [batch.texts.to_pylist() for batch in corpus] == [["abc"] * 5]
    assert corpus.skipped.count == 5
    assert corpus.skipped.first[0] == f"{tmp_path}/a.parquet row 1: not valid UTF-8"
    assert [row for row, _ in rows_of(tmp_path / "b.parquet")] == ["bad one"] * 5
    assert rows_of(pa.table({"text": not_utf8(), "label": BASE["label"]})) == [("abc", "y")] * 5


@pytest.mark.parametrize("column", ["text", "label"])
def test_a_damaged_column_is_a_named_error(column: str, tmp_path: Path) -> None:
    sound = pa.table({"text": [f"good film {at}" for at in range(300)], "label": ["p", "q"] * 150})
    damaged = pa.table({"text": ["a", "b", "c"], "label": ["p", "q", "p"]} | {column: broken_text()})
    path = tmp_path / "evil.arrow"
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, sound.schema) as writer:
        writer.write_table(sound)
        writer.write_table(damaged)
    with pytest.raises(SourceError, match=f"the column '{column}' is damaged"):
        rows_of(path)
    with pytest.raises(SourceError, match=f"the column '{column}' is damaged"):
        rows_of(damaged, text="text", label="label")


def test_a_column_of_numbers_is_not_text() -> None:
    with pytest.raises(SourceError, match=r"the column 'text' is of type int64, not text: name another one"):
        rows_of(pa.table({"text": [1, 2], "label": ["x", "y"]}))


@pytest.mark.slow
def test_labels_that_are_whole_numbers() -> None:
    table = pa.table({"text": ["a", "b", "c"], "label": [1.0, None, 2.0]})
    assert rows_of(table) == [("a", 1), ("c", 2)]
    fraction = pa.table({"text": ["a", "b"], "label": [1.0, 0.5]})
    assert rows_of(fraction, allow_partial=True) == [("a", 1)]
    with pytest.raises(SourceError, match="not a fraction"):
        rows_of(pa.table({"text": ["a"], "label": [0.5]}))


def test_rows_that_wait_for_an_answer_stay_in_their_place() -> None:
    texts = pa.array([b"good", b"\xff", None, b"bad"]).view(pa.string())
    for column in (texts, texts.dictionary_encode()):
        corpus = Corpus(pa.table({"text": column, "id": range(4)}), labelled=False, whole=True)
        (batch,) = corpus
        assert batch.texts.to_pylist() == ["good", "", "", "bad"]
        assert batch.problems == {1: "not valid UTF-8", 2: "no text"}
        assert {name: values_of(values) for name, values in batch.table().items()} == {
            "text": ["good", "\ufffd", None, "bad"],
            "id": [0, 1, 2, 3],
        }
        assert corpus.skipped.first == ["the Table row 2: not valid UTF-8", "the Table row 3: no text"]


def test_an_error_of_ours_is_not_wrapped_in_another_one() -> None:
    def batches() -> Iterator[pa.RecordBatch]:
        yield pa.record_batch({"text": ["a"], "label": ["x"]})
        raise MissingExtraError("needs an extra")

    reader = TableReader(batches(), ["text", "label"], "sql", "a.db", Skipped())
    with pytest.raises(MissingExtraError, match=r"^needs an extra$"):
        list(reader.batches(Chosen("text", "label"), whole=False))

"""Records in chunks of bytes: chunks make no difference, and rows that do not end are given up."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from likely.reading import Corpus, Reading, jsonl, records, stream

ROWS = [
    ("Good fun,\nand a “good” plot", "pos"),
    ('so "much" fun', "pos"),
    ("", "neg"),
    ("dull; boring\tfilm", "neg"),
    ("可愛い 映画 👍", "pos"),
]


def rows_of(source: Any, labelled: bool = True, **reading: Any) -> list[tuple[str, Any]]:
    corpus = Corpus(source, Reading(**reading), labelled=labelled)
    found: list[tuple[str, Any]] = []
    for batch in corpus:
        texts = batch.texts.to_pylist()
        found += zip(texts, batch.labels or [None] * len(texts), strict=True)
    return found


def as_csv(rows: list[tuple[str, Any]], delimiter: str = ",") -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=delimiter).writerows([("text", "label"), *rows])
    return text.getvalue().encode()


def as_jsonl(rows: list[tuple[str, Any]]) -> bytes:
    return "".join(json.dumps({"text": text, "label": label}) + "\n" for text, label in rows).encode()


def as_table(rows: list[tuple[str, Any]]) -> pa.Table:
    return pa.table({"text": [text for text, _ in rows], "label": [label for _, label in rows]})


def as_arrow(rows: list[tuple[str, Any]]) -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, as_table(rows).schema) as writer:
        writer.write_table(as_table(rows))
    return sink.getvalue()


def as_parquet(rows: list[tuple[str, Any]]) -> bytes:
    sink = io.BytesIO()
    pq.write_table(as_table(rows), sink)
    return sink.getvalue()


def as_feather(rows: list[tuple[str, Any]]) -> bytes:
    sink = io.BytesIO()
    pyarrow.feather.write_feather(as_table(rows), sink)
    return sink.getvalue()


FILES = {
    "a.csv": as_csv,
    "a.tsv": lambda rows: as_csv(rows, "\t"),
    "semicolons.csv": lambda rows: as_csv(rows, ";"),
    "a.jsonl": as_jsonl,
    "a.parquet": as_parquet,
    "a.arrow": as_arrow,
    "a.feather": as_feather,
}


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


@settings(deadline=None)
@given(
    rows=st.lists(st.tuples(texts, st.sampled_from("ab")), min_size=1, max_size=30),
    size=st.integers(1, 60),
    data=st.data(),
)
def test_chunks_make_no_difference(
    rows: list[tuple[str, str]], size: int, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    name = data.draw(st.sampled_from(["a.csv", "a.jsonl"]))
    path = tmp_path_factory.mktemp("chunks") / name
    path.write_bytes(FILES[name](rows))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(records, "CHUNK", size)
        patch.setattr(stream, "HEAD", size)
        assert rows_of(path, text="text", label="label") == rows


def test_a_row_that_does_not_end_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (records, jsonl):
        monkeypatch.setattr(module, "LONGEST_ROW", 1000)
    monkeypatch.setattr(records, "CHUNK", 256)
    monkeypatch.setattr(stream, "HEAD", 256)
    path = tmp_path / "a.jsonl"
    long = as_jsonl([("x" * 5000, "a")])
    path.write_bytes(as_jsonl(ROWS[:1]) + long + as_jsonl(ROWS[1:]))
    corpus = Corpus(path)
    assert [text for batch in corpus for text in batch.texts.to_pylist()] == [text for text, _ in ROWS]
    assert corpus.skipped.first == [f"{path} line 2: longer than a row may be"]

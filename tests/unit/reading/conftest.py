"""Rows, and the files that hold them in each format."""

from __future__ import annotations

import csv
import io
import json
from typing import Any

import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
from likely.reading import Corpus, Reading

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

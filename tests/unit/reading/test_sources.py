"""Which files a source names."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from likely.errors import SourceError
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


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


def test_several_files_and_globs(tmp_path: Path) -> None:
    (tmp_path / "1.csv").write_bytes(as_csv(ROWS[:2]))
    (tmp_path / "2.jsonl").write_bytes(as_jsonl(ROWS[2:]))
    assert rows_of([tmp_path / "1.csv", tmp_path / "2.jsonl"]) == ROWS
    assert rows_of(str(tmp_path / "*.*")) == ROWS
    assert rows_of(tmp_path) == ROWS
    with pytest.raises(SourceError, match="no file matches"):
        rows_of(str(tmp_path / "*.nothing"))

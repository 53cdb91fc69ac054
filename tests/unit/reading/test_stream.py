"""Bytes of files, unpacked."""

from __future__ import annotations

import csv
import gzip
import io
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


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


def test_compressed_files_that_break_off(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(as_csv(ROWS * 1000))[:-20])
    with pytest.raises(SourceError, match=r"a\.csv\.gz"):
        rows_of(path)

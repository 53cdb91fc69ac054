"""Plain lines, and lines with the marks of fastText."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from likely.errors import SourceError
from likely.reading import Corpus, Reading


def rows_of(source: Any, labelled: bool = True, **reading: Any) -> list[tuple[str, Any]]:
    corpus = Corpus(source, Reading(**reading), labelled=labelled)
    found: list[tuple[str, Any]] = []
    for batch in corpus:
        texts = batch.texts.to_pylist()
        found += zip(texts, batch.labels or [None] * len(texts), strict=True)
    return found


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)


def test_fasttext_and_plain_lines(tmp_path: Path) -> None:
    path = tmp_path / "train.txt"
    path.write_text("__label__pos good fun\n__label__neg dull\n")
    assert rows_of(path) == [("good fun", "pos"), ("dull", "neg")]
    assert rows_of(path, labelled=False) == [("good fun", None), ("dull", None)]
    path.write_text("good fun\n\ndull")
    assert rows_of(path, labelled=False) == [("good fun", None), ("", None), ("dull", None)]
    with pytest.raises(SourceError, match="plain text without labels"):
        rows_of(path)

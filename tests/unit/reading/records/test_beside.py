"""Weights and groups of rows in chunks: chunks make no difference, and lines are counted from the start."""

from __future__ import annotations

from pathlib import Path

import pytest
from likely.options.reading import ReadingOptions
from likely.reading import records, stream
from likely.reading.corpus import Corpus

FILE = 'text,label,w,g\n"two\nlines",+,1,a\n\nno label,,1,a\nbad,+,x,b\ngood,-,0.5,b\nworse,-,-1,c\nlast,+,3,\n'


@pytest.mark.parametrize("size", [1, 7, 20, 1000])
def test_rows_without_a_weight_are_named_by_row_and_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    path = tmp_path / "a.csv"
    path.write_text(FILE)
    monkeypatch.setattr(records, "CHUNK", size)
    monkeypatch.setattr(stream, "HEAD", size)
    corpus = Corpus(path, ReadingOptions(text="text", label="label", weight="w", group="g", header=True))
    rows: list[tuple[str, float, str]] = []
    for batch in corpus:
        assert batch.weights is not None
        assert batch.groups is not None
        rows += zip(batch.texts.to_pylist(), batch.weights.tolist(), batch.groups, strict=True)
    assert [row[:2] for row in rows] == [("two\nlines", 1.0), ("good", 0.5), ("last", 3.0)]
    assert [group for _, _, group in rows[:2]] == ["a", "b"]
    assert corpus.skipped.first == [
        f"{path} row 2 (line 5): no label",
        f"{path} row 3 (line 6): the weight 'x' is not a number >= 0",
        f"{path} row 5 (line 8): the weight '-1' is not a number >= 0",
    ]
    assert corpus.skipped.labels == {"+": 1, "-": 1}

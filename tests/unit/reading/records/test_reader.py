"""Records in chunks of bytes: chunks make no difference, and rows that do not end are given up."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from likely.reading import records, stream
from likely.reading import records as jsonl
from likely.reading.corpus import Corpus

from tests.unit.reading.conftest import FILES, ROWS, as_jsonl, rows_of

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
    assert corpus.skipped.first == [f"{path} row 2 (line 2): longer than a row may be"]

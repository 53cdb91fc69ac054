"""Tokenizers that a user gives."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import likely
import pyarrow as pa
import pytest
from likely import NaiveBayes, analyze
from likely.errors import ModelFileError, TextError


def terms(text: str, **options: Any) -> list[str]:
    return [term.term for term in analyze(text, **options)]


def semicolons(text: str) -> list[str]:
    return text.split(";")


def test_a_tokenizer_of_ones_own(tmp_path: Path) -> None:
    model = NaiveBayes(tokenizer=semicolons, ngrams=(1, 2)).fit(["New York;is;big", "small"], [1, 0])
    assert model.vocabulary_ == ["big", "is", "is big", "new_york", "new_york is", "small"]
    found = analyze("so;New York;;x", tokenizer=semicolons)
    assert [("so;New York;;x"[t.start : t.end], t.term) for t in found] == [
        ("so", "so"),
        ("New York", "new_york"),
        ("x", "x"),
    ]
    table = pa.chunked_array([["New York;big"], ["small"]])
    assert model.predict(table).tolist() == model.predict(["New York;big", "small"]).tolist() == [1, 0]
    model.save(tmp_path / "m.likely")
    with pytest.raises(ModelFileError, match=r"made with the tokenizer .*semicolons: give this tokenizer, with"):
        likely.load(tmp_path / "m.likely")
    with pytest.raises(ModelFileError, match="made with the tokenizer"):
        likely.load(tmp_path / "m.likely", tokenizer=str.split)
    NaiveBayes().fit(["a"], [1]).save(tmp_path / "plain.likely")
    with pytest.raises(ModelFileError, match="made without a tokenizer"):
        likely.load(tmp_path / "plain.likely", tokenizer=str.split)
    assert likely.load(tmp_path / "m.likely", tokenizer=semicolons).predict(["small"]).tolist() == [0]


@pytest.mark.parametrize("bad", [lambda text: text, lambda text: [1], lambda text: None])
def test_a_tokenizer_that_gives_no_tokens(bad: Any) -> None:
    with pytest.raises(TextError, match="it must return a list of str"):
        NaiveBayes(tokenizer=bad).fit(["a b"], [1])


def test_stop_words_beside_a_tokenizer_are_its_tokens() -> None:
    assert terms("我 的 我们", tokenizer=str.split, stop_words=["我们"]) == ["我", "的"]
    assert terms("\xad x", tokenizer=str.split) == ["\xad", "x"]


def test_places_of_tokens_that_a_tokenizer_changed() -> None:
    text = "The cat and the dog"
    found = analyze(text, tokenizer=lambda each: each.lower().split())
    assert [text[t.start : t.end] for t in found] == ["The", "cat", "and", "the", "dog"]


def test_tokenizers_read_what_the_kernel_reads() -> None:
    model = NaiveBayes(tokenizer=str.split).fit(["good fun", "bad"], [1, 0])
    batch = pa.record_batch({"text": ["good", "bad"]})
    reader = pa.RecordBatchReader.from_batches(batch.schema, iter([batch]))
    assert model.predict(reader).tolist() == [1, 0]
    nothing: Any
    for nothing in ("good", {"a": 1}, 5, None):
        with pytest.raises(TextError, match="not many texts"):
            model.predict(nothing)
    with pytest.raises(TextError, match=r"row 2 is missing"):
        model.predict(["good", None])  # type: ignore[arg-type]

"""Which documents take the way through the kernel, and which the way through Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
import pytest
from likely.errors import TextError
from likely.vectorize import CountVectorizer
from likely.vectorize.drop_in.engines import NativeEngine, PythonEngine, engine_for

DOCUMENTS = ["So, so good", "good été, good", "", "Bad: so bad"]


def dense(matrix: Any) -> list[list[float]]:
    rows: list[list[float]] = matrix.toarray().tolist()
    return rows


def test_any_container_of_texts_will_do() -> None:
    expected = dense(CountVectorizer().fit_transform(DOCUMENTS))
    containers = [
        tuple(DOCUMENTS),
        iter(DOCUMENTS),
        dict.fromkeys(DOCUMENTS),
        np.array(DOCUMENTS),
        np.array(DOCUMENTS, dtype=object),
        pl.Series(DOCUMENTS),
        pa.array(DOCUMENTS),
        pa.chunked_array([DOCUMENTS[:1], DOCUMENTS[1:]]),
        [text.encode() for text in DOCUMENTS],
    ]
    for documents in containers:
        assert dense(CountVectorizer().fit_transform(documents)) == expected
    for documents in (pl.Series(DOCUMENTS), pa.array(DOCUMENTS)):
        assert dense(CountVectorizer(token_pattern=r"[^\W\d]{2,}").fit_transform(documents)) == expected


def test_files_and_their_names(tmp_path: Path) -> None:
    path = tmp_path / "text"
    path.write_bytes(b"caf\xe9 noir")
    by_name = CountVectorizer(input="filename", encoding="latin-1").fit([path, str(path)])
    assert list(by_name.vocabulary_) == ["café", "noir"]
    with path.open("rb") as file:
        ignoring = CountVectorizer(input="file", decode_error="ignore").fit([file])
    assert list(ignoring.vocabulary_) == ["caf", "noir"]
    with pytest.raises(UnicodeDecodeError):
        CountVectorizer().fit([path.read_bytes()])


def test_callables_and_subclasses_take_the_slower_path() -> None:
    class Stemmed(CountVectorizer):
        def build_analyzer(self) -> Any:
            analyze = super().build_analyzer()
            return lambda document: [term[:3] for term in analyze(document)]

    assert list(Stemmed().fit(["walking walks talked"]).vocabulary_) == ["tal", "wal"]
    native: list[dict[str, Any]] = [
        {},
        {"token_pattern": r"\b\w+\b"},
        {"analyzer": "char"},
        {"stop_words": ["a"], "strip_accents": "ascii"},
    ]
    plain: list[dict[str, Any]] = [
        {"token_pattern": r"\S+"},
        {"preprocessor": str},
        {"strip_accents": str},
        {"analyzer": str.split},
    ]
    assert all(isinstance(engine_for(CountVectorizer(**params), 1), NativeEngine) for params in native)
    assert all(isinstance(engine_for(CountVectorizer(**params), 1), PythonEngine) for params in plain)
    words = CountVectorizer(analyzer=lambda numbers: numbers).fit([[3, 1], [1]])
    assert repr(words.vocabulary_) == "{1: 0, 3: 1}"


def test_bad_documents_are_named() -> None:
    with pytest.raises(TextError, match=r"row 2 is missing"):
        CountVectorizer().fit(["a", None])
    with pytest.raises(TextError, match=r"row 2 is of type int"):
        CountVectorizer().fit(["a", 3])

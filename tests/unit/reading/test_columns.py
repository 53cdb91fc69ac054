"""Which columns hold the texts and the labels: guessed where it is clear, asked for where it is not."""

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


def summary(path: Path) -> str:
    corpus = Corpus(path)
    list(corpus)
    return corpus.summary()


@pytest.mark.parametrize(
    ("header", "chosen"),
    [
        ("id,Review,Sentiment", "text=Review, label=Sentiment"),
        ("id,body,class", "text=body, label=class"),
        ("nr,what,kind", "text=what, label=kind"),  # by content: the long one, and the one with few values
    ],
)
def test_columns_are_guessed(tmp_path: Path, header: str, chosen: str) -> None:
    rows = "".join(f"{at},a rather long text about number {at},{'ab'[at % 2]}\n" for at in range(20))
    (tmp_path / "a.csv").write_text(f"{header}\n{rows}")
    assert summary(tmp_path / "a.csv") == f"read as CSV, {chosen}, 20 rows"


@pytest.mark.parametrize("header", ["a,b", "text_1,text_2", "body,message"])
def test_no_guess_where_it_is_not_clear(tmp_path: Path, header: str) -> None:
    (tmp_path / "a.csv").write_text(f"{header}\nx y,z w\n")
    with pytest.raises(SourceError, match=f"{header.replace(',', ', ')}: name one with text"):
        rows_of(tmp_path / "a.csv")


def test_columns_that_are_not_there(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("text,label\na,b\n")
    with pytest.raises(SourceError, match=r"no column 'body'\. It has text, label"):
        rows_of(tmp_path / "a.csv", text="body")
    with pytest.raises(SourceError, match="both"):
        rows_of(tmp_path / "a.csv", text="text", label="text")
    assert rows_of(tmp_path / "a.csv", header=False, text="1", label="2") == [("text", "label"), ("a", "b")]

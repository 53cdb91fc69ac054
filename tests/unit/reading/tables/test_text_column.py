"""Frames where texts are wanted: the column that was trained on, or the one that would be."""

from __future__ import annotations

from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from likely import train
from likely.errors import SourceError, TextError
from likely.reading.frames import text_column

COLUMNS: dict[str, Any] = {
    "id": [1, 2, 3, 4],
    "review": ["so good, so very good", "so bad, and so long", "good fun for all", "bad, bad, bad film"],
    "stars": [5, 1, 5, 1],
}
ROWS = [dict(zip(COLUMNS, row, strict=True)) for row in zip(*COLUMNS.values(), strict=True)]
FRAMES: dict[str, Any] = {
    "pandas": lambda: pd.DataFrame(COLUMNS, index=[7, 7, 1, 2]),
    "polars": lambda: pl.DataFrame(COLUMNS),
    "polars, lazy": lambda: pl.LazyFrame(COLUMNS),
    "Arrow": lambda: pa.table(COLUMNS),
    "Arrow of pandas": lambda: pa.Table.from_pandas(pd.DataFrame(COLUMNS, index=[7, 7, 1, 2])),
    "batch": lambda: pa.record_batch(COLUMNS),
    "reader": lambda: pa.table(COLUMNS).to_reader(),
    "DuckDB": lambda: duckdb.from_arrow(pa.table(COLUMNS)),
    "dicts": lambda: ROWS,
}


@pytest.mark.parametrize("frame", FRAMES)
def test_a_model_answers_the_frame_that_it_was_trained_on(frame: str) -> None:
    make = FRAMES[frame]
    model = train(make(), label="stars", variant="multinomial")
    stars = COLUMNS["stars"]
    assert model.predict(make()).tolist() == stars
    assert model.predict_proba(make()).shape == model.predict_log_proba(make()).shape == (4, 2)
    assert model.predict_top(make(), 1)[0][:, 0].tolist() == stars
    assert model.predict_joint_log_proba(make()).shape == (4, 2)
    assert model.score(make(), stars) == model.evaluate(make(), stars).accuracy == 1.0
    assert model.evaluate(make(), label="stars").accuracy == 1.0
    assert sum(model.estimate_prior(make()).values()) == pytest.approx(1.0)


@pytest.mark.parametrize("frame", FRAMES)
def test_the_column_that_was_trained_on_is_taken(frame: str) -> None:
    known: Any = text_column(FRAMES[frame](), "stars")
    assert [str(value) for value in known] == ["5", "1", "5", "1"]
    guessed: Any = text_column(FRAMES[frame](), "body")
    assert [str(text) for text in guessed] == COLUMNS["review"]


def test_remembered_columns_win_over_guesses() -> None:
    frame = pd.DataFrame({"text": ["no", "no"], "body": ["good", "bad"], "label": ["x", "y"]})
    model = train(frame, text="body", label="label", variant="multinomial")
    assert model.predict(frame).tolist() == ["x", "y"]
    assert model.predict(frame.drop(columns="body")).tolist() == ["x", "x"], "the column is guessed"


def test_an_unclear_frame_is_a_text_error() -> None:
    with pytest.raises(TextError, match=r"the columns a, b, and it is not clear.*as in table\['a'\]"):
        text_column(pd.DataFrame({"a": ["x"], "b": ["y"]}), None)
    with pytest.raises(SourceError, match="two columns are called 'a'"):
        text_column(pd.DataFrame([["x", "y"]], columns=["a", "a"]), "a")


def test_missing_texts_are_named_by_their_row() -> None:
    model = train(ROWS, label="stars", variant="multinomial")
    for frame in (pd.DataFrame, pl.DataFrame, pa.table):
        with pytest.raises(TextError, match="row 2 is missing"):
            model.predict(frame({"review": ["good", None], "id": [1, 2]}))
    with pytest.raises(TextError, match="row 2 is missing"):
        model.predict([*ROWS[:1], {"id": 1}])


@pytest.mark.parametrize(
    "texts", [["a"], ("a",), np.array(["a"]), pd.Series(["a"]), pl.Series(["a"]), pa.array(["a"])]
)
def test_texts_are_left_as_they_are(texts: Any) -> None:
    assert text_column(texts, "review") is texts

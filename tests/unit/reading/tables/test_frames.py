"""Frames of every library, and lists of dicts."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from likely import NaiveBayes, train
from likely.errors import ArgumentError, DataWarning, LikelyError, SourceError
from likely.reading.corpus import Corpus
from likely.reading.frames import are_rows, is_frame

from tests.unit.reading.conftest import ROWS, rows_of

COLUMNS = {"text": [text for text, _ in ROWS], "label": [label for _, label in ROWS]}
FRAMES: dict[str, Any] = {
    "pandas": pd.DataFrame(COLUMNS, index=[5, 5, 7, 1, 2]),
    "pandas objects": pd.DataFrame(COLUMNS, dtype=object),
    "pandas categories": pd.DataFrame(COLUMNS).astype({"label": "category"}),
    "polars": pl.DataFrame(COLUMNS),
    "polars, lazy": pl.LazyFrame(COLUMNS),
    "polars categories": pl.DataFrame(COLUMNS, schema_overrides={"label": pl.Categorical}),
    "Arrow": pa.table(COLUMNS),
    "an Arrow batch": pa.record_batch(COLUMNS),
    "views": pa.table(COLUMNS).cast(pa.schema({"text": pa.string_view(), "label": pa.string_view()})),
    "DuckDB": duckdb.from_arrow(pa.table(COLUMNS)),
    "dicts": [{"text": text, "label": label} for text, label in ROWS],
}


@pytest.mark.parametrize("frame", FRAMES)
def test_the_same_rows_from_every_frame(frame: str) -> None:
    assert is_frame(FRAMES[frame])
    assert rows_of(FRAMES[frame]) == ROWS
    assert rows_of(FRAMES[frame], text="text", label="label") == ROWS


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table])
def test_rows_without_text_or_label_are_skipped(kind: Any) -> None:
    frame = kind({"text": ["a", None, "c", "d"], "label": ["x", "y", None, ""], "other": [1, 2, 3, 4]})
    assert rows_of(frame, text="text", label="label") == [("a", "x")]


@pytest.mark.parametrize("kind", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table])
def test_an_empty_frame_is_a_named_error(kind: Any) -> None:
    with pytest.raises(ArgumentError, match="there are no documents"):
        train(kind({"text": [], "label": []}), variant="multinomial")
    no_columns: dict[str, list[str]] = {}
    with pytest.raises(LikelyError):
        train(kind(no_columns), variant="multinomial")


def test_two_columns_of_one_name_are_refused() -> None:
    table = pa.table([["good", "bad"], ["x", "y"], [1, 2], [3, 4]], names=["text", "label", "label", "id"])
    frame = pd.DataFrame([["good", "x", 1]], columns=["text", "label", "label"])
    for each in (table, frame):
        with pytest.raises(SourceError, match="two columns are called 'label': rename one"):
            train(each, variant="multinomial")


def test_a_column_of_anything_in_a_frame_is_not_looked_at() -> None:
    columns: dict[Any, Any] = {**COLUMNS, "any": [1, "x", object(), None, [2]], 7: range(5)}
    frame = pd.DataFrame(columns)
    assert rows_of(frame) == ROWS
    (batch,) = Corpus(frame, labelled=False, whole=True)
    assert list(batch.table()) == ["text", "label", "any", "7"]


def test_dicts_may_lack_keys() -> None:
    rows = [{"text": "good", "label": "x", "more": 1}, {"label": "y", "text": "bad"}, {"text": "neither"}]
    assert rows_of(rows, text="text", label="label") == [("good", "x"), ("bad", "y")]
    assert not are_rows([])
    assert not are_rows(["a.csv"])


def test_labels_that_pandas_made_floats() -> None:
    frame = pd.DataFrame({"text": ["good", "bad", "what"], "label": [1, 0, None]})
    assert rows_of(frame, text="text", label="label") == [("good", 1), ("bad", 0)]


def test_numpy_columns_as_scikit_learn_passes_them_on() -> None:
    model = NaiveBayes().fit(np.array([["good"], ["bad"]]), np.array([["x"], ["y"]]))
    assert model.predict(np.array([["bad"], ["good"]])).tolist() == ["y", "x"]
    train(np.array([["good"], ["bad"]]), np.array([[1.0], [0.0]]), variant="multinomial")
    texts = [[f"{word} {at}"] for at in range(20) for word in ("good", "bad")]
    NaiveBayes(calibrate=True).fit(np.array(texts), np.array([["x"], ["y"]] * 20))


def test_a_frame_without_pyarrow_names_the_extra() -> None:
    code = """
import sys
sys.modules["pyarrow"] = None
import likely, pandas as pd
try:
    likely.train(pd.DataFrame({"text": ["a"], "label": ["x"]}))
except likely.errors.MissingExtraError as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "Reading a frame needs pyarrow, which is not installed: `pip install 'likely[arrow]'`\n"


def test_texts_of_several_types_are_named() -> None:
    frame = pd.DataFrame({"text": ["good", 5, True, 3.5], "tag": ["a", "b", "a", "b"], "x": [1, "2", 3, 4]})
    with pytest.warns(DataWarning, match=r"column 'text' are of several types \(bool, float, int, str\)") as found:
        assert train(frame, label="tag", plain=True).vocabulary_ == ["3", "5", "good", "true"]
    assert len(found) == 1

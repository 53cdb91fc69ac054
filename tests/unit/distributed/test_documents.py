"""Documents of record batches: what is learned from, and what is a bad row."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from likely.distributed.documents import Columns, Documents
from likely.errors import SourceError, TextError


def read(columns: Columns, *batches: pa.RecordBatch) -> tuple[list[str], list[object], int, int]:
    documents = Documents(columns)
    found = list(documents.of(batches))
    texts = [text for each in found for text in each.texts.to_pylist()]  # type: ignore[union-attr]
    labels = [label for each in found for label in each.labels.to_pylist()]  # type: ignore[union-attr]
    return texts, labels, documents.bad, documents.rows


def test_missing_texts_and_labels_are_bad_rows() -> None:
    batch = pa.record_batch({"text": ["a", None, "c", ""], "label": ["x", "y", None, "z"]})
    assert read(Columns(), batch) == (["a", ""], ["x", "z"], 2, 4)


def test_bytes_that_are_not_utf8_are_bad_rows() -> None:
    texts = pa.array([b"a\xff", "\u00e9".encode(), None]).view(pa.string())
    labels = pa.array([b"x", b"y", b"z"]).view(pa.string())
    assert read(Columns(), pa.record_batch({"text": texts, "label": labels})) == (["\u00e9"], ["y"], 2, 3)
    assert read(Columns("label", "text"), pa.record_batch({"text": texts, "label": labels}))[1:] == (["\u00e9"], 2, 3)


def test_labels_that_are_fractions_are_bad_rows() -> None:
    batch = pa.record_batch({"text": ["a", "b", "c", "d"], "label": [1.0, 0.5, np.nan, np.inf]})
    assert read(Columns(), batch) == (["a"], [1], 3, 4)
    large = pa.record_batch({"text": ["a", "b"], "label": pa.array([7, 2**64 - 1], pa.uint64())})
    assert read(Columns(), large) == (["a"], [7], 1, 2)


def test_weights_that_are_not_allowed_are_bad_rows_and_no_weight_is_not() -> None:
    batch = pa.record_batch({"text": list("abcd"), "label": list("xyxy"), "w": [1.5, -1.0, None, 0.0]})
    assert read(Columns(weight="w"), batch) == (["a"], ["x"], 2, 4)


def test_dictionaries_views_and_tables_are_read() -> None:
    table = pa.table(
        {
            "text": pa.array(["a", "b"]).dictionary_encode(),
            "label": pa.array(["x", "y"], pa.string_view()),
        }
    )
    assert read(Columns(), table) == (["a", "b"], ["x", "y"], 0, 2)


def test_a_wrong_column_is_named() -> None:
    batch = pa.record_batch({"text": ["a"], "n": [1], "label": ["x"]})
    with pytest.raises(SourceError, match="there is no column 'body', but 'text', 'n', 'label'"):
        read(Columns("body"), batch)
    with pytest.raises(TextError, match="'n' is of type int64"):
        read(Columns("n"), batch)
    twice = pa.RecordBatch.from_arrays([pa.array(["a"]), pa.array(["b"]), pa.array(["x"])], ["text", "text", "label"])
    with pytest.raises(SourceError, match="there are 2 columns named 'text'"):
        read(Columns(), twice)


def test_weights_may_be_text_as_in_csv_but_nothing_else() -> None:
    batch = pa.record_batch({"text": list("abcd"), "label": list("xyxy"), "w": ["1.5", "much", None, "0"]})
    assert read(Columns(weight="w"), batch) == (["a"], ["x"], 2, 4)
    batch = pa.record_batch({"text": ["a"], "label": ["x"], "w": [[1.0]]})
    with pytest.raises(SourceError, match=r"'w' is of type list<.*>: weights are numbers"):
        read(Columns(weight="w"), batch)

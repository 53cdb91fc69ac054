"""The rows that a partition becomes: numbers by measure, labels and place."""

from __future__ import annotations

import pyarrow as pa
import pytest
from likely import NaiveBayes
from likely.distributed import judge
from likely.errors import SourceError

MODEL = NaiveBayes().fit(["good fun", "dull"], ["+", "-"])


def test_pairs_are_counted_over_all_batches_of_a_partition() -> None:
    batches = [pa.record_batch({"body": ["good", "dull"], "tag": ["+", "+"]})] * 3
    (rows,) = judge(batches, MODEL, text="body", label="tag")
    pairs = [row for row in rows.to_pylist() if row["measure"] == "pair"]
    assert [(row["gold"], row["predicted"], row["number"]) for row in pairs] == [("+", "+", 3.0), ("+", "-", 3.0)]
    keys = [tuple(row[name] for name in ("measure", "gold", "predicted", "place")) for row in rows.to_pylist()]
    assert len(keys) == len(set(keys))


def test_a_missing_column_is_named() -> None:
    with pytest.raises(SourceError, match="no column 'label'"):
        list(judge([pa.record_batch({"text": ["good"]})], MODEL))

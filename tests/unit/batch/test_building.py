"""Building a model of rows of counts: what is refused, and what is said about bad rows."""

from __future__ import annotations

import pyarrow as pa
import pytest
from likely.batch.counting import build, count
from likely.errors import ArgumentError, DataWarning, MismatchError, OptionError, SourceError


def test_bad_rows_are_counted_and_told() -> None:
    batch = pa.record_batch({"text": ["good", None, "bad"], "label": ["+", "-", None]})
    with pytest.warns(DataWarning, match="4 of 6 rows were left out"):
        model = build([*count([batch]), *count([batch])])
    assert model.classes_.tolist() == ["+"]
    none = pa.record_batch({"text": pa.array([None], pa.string()), "label": ["+"]})
    with pytest.raises(SourceError, match="none of the 1 rows can be learned"):
        build(count([none]))


def test_there_must_be_documents() -> None:
    with pytest.raises(ArgumentError, match="there are no documents"):
        build([])


def row(**values: object) -> pa.RecordBatch:
    columns = {"term": "a", "class": "x", "count": 1, "documents": 1} | values
    return pa.record_batch({name: [value] for name, value in columns.items()})


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([row()], "a term has more documents than occurrences, or than its class"),
        ([row(term="a b"), row(term=None)], "a term has too many words"),
        ([row(count=0), row(term=None)], "a count is 0"),
        ([row(documents=2), row(term=None)], "more documents than occurrences"),
        ([row(count=-1), row(term=None)], "negative"),
    ],
    ids=["no documents", "words", "zero", "documents", "negative"],
)
def test_rows_that_are_not_counts_are_refused(rows: list[pa.RecordBatch], problem: str) -> None:
    with pytest.raises((MismatchError, ArgumentError), match=f"{problem}|there are no documents"):
        build(rows)


def test_other_tables_are_refused() -> None:
    with pytest.raises(SourceError, match="there is no column 'documents'"):
        build([row().drop_columns(["documents"])])


def test_choosing_needs_documents() -> None:
    with pytest.raises(OptionError, match="counts are not enough to choose options or to calibrate"):
        build([], tune="auto")

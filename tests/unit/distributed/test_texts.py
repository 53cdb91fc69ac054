"""Which texts of a record batch cannot be read, and why."""

from __future__ import annotations

from functools import partial

import pyarrow as pa
import pytest
from likely import NaiveBayes
from likely.distributed import build, count, judge, score
from likely.distributed.texts import check_column, text_problems
from likely.errors import SourceError


def test_the_first_problem_of_a_text_is_named() -> None:
    assert text_problems(pa.array(["a", "", None])) == [None, None, "no text"]
    assert text_problems(pa.array([b"\xff", None]).view(pa.string())) == ["not valid UTF-8", "no text"]
    assert text_problems(pa.array([1.5, None, float("nan")])) == ["not a text, but double", "no text", "no text"]


def test_a_column_that_is_missing_is_named_with_those_there_are() -> None:
    check_column(["a", "b"], "b")
    many = [f"c{at}" for at in range(30)]
    with pytest.raises(SourceError, match=r"there is no column 'x', but 'c0', .* and 10 more"):
        check_column(many, "x")


def test_a_table_instead_of_a_list_of_batches_is_told() -> None:
    table = pa.table({"text": ["good"], "label": ["+"]})
    model = NaiveBayes().fit(["good", "bad"], ["+", "-"])
    for call in (count, partial(score, model=model), partial(judge, model=model)):
        with pytest.raises(SourceError, match="found a ChunkedArray: give a list of them"):
            list(call(table))
    with pytest.raises(SourceError, match="found a ChunkedArray: give a list of them"):
        build(table)

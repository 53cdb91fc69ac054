"""All rows of a source in memory."""

from __future__ import annotations

import numpy as np
import pytest
from likely.errors import ArgumentError
from likely.options.reading import ReadingOptions
from likely.reading.corpus import Corpus
from likely.reading.rows import Whole

ROWS = [
    {"text": "good", "label": "+", "weight": 2, "author": "ann"},
    {"text": "bad", "label": "-", "weight": 0, "author": "bob"},
    {"text": "fine", "label": "+", "weight": 1, "author": "ann"},
]


def test_rows_of_a_corpus() -> None:
    whole = Whole.of(
        Corpus(ROWS, ReadingOptions(weight="weight", group="author", allow_partial=True)).training_batches()
    )
    assert (whole.texts, whole.labels, whole.groups) == (
        ["good", "bad", "fine"],
        ["+", "-", "+"],
        ["ann", "bob", "ann"],
    )
    assert whole.counts.tolist() == [True, False, True]
    some = whole.chosen(np.array([False, True, True]))
    assert (some.texts, some.labels, some.groups) == (["bad", "fine"], ["-", "+"], ["bob", "ann"])
    assert some.weights is not None
    assert some.weights.tolist() == [0, 1]


def test_rows_without_weights_and_groups() -> None:
    whole = Whole.of(Corpus(ROWS, ReadingOptions(text="text", label="label")).training_batches())
    assert whole.weights is None
    assert whole.groups is None
    assert whole.counts.all()
    assert whole.labelled().groups is None


def test_nothing_to_read() -> None:
    with pytest.raises(ArgumentError, match="there are no documents"):
        Whole.of([])

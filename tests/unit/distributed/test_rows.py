"""Rows of counts: exact numbers in columns of whole numbers, and the types of classes."""

from __future__ import annotations

import random

import numpy as np
import pyarrow as pa
import pytest
from likely.core.analyzer import Analyzer
from likely.distributed.rows import class_type, joined, makes_fractions, schema_of, split
from likely.errors import LabelError
from likely.options.table import with_defaults


def test_sums_of_parts_are_sums_of_numbers() -> None:
    draw = random.Random(1)
    numbers = [draw.getrandbits(100) for _ in range(1000)]
    exact = np.array([n >> 64 for n in numbers], np.uint64), np.array([n & (2**64 - 1) for n in numbers], np.uint64)
    whole, fraction = joined(*(np.array([part.sum()]) for part in split(exact)))
    assert (int(whole[0]) << 64) + int(fraction[0]) == sum(numbers)


@pytest.mark.parametrize(
    ("label_type", "expected"),
    [
        (pa.string(), pa.string()),
        (pa.large_string(), pa.string()),
        (pa.dictionary(pa.int32(), pa.string()), pa.string()),
        (pa.int8(), pa.int64()),
        (pa.float64(), pa.int64()),
        (pa.bool_(), pa.bool_()),
    ],
    ids=str,
)
def test_classes_have_one_of_three_types(label_type: pa.DataType, expected: pa.DataType) -> None:
    assert class_type(label_type) == expected


def test_other_labels_are_refused() -> None:
    with pytest.raises(LabelError, match="the labels are of type date32"):
        class_type(pa.date32())


@pytest.mark.parametrize(
    ("options", "weighted", "expected"),
    [
        ({}, False, False),
        ({}, True, True),
        ({"variant": "binary"}, False, False),
        ({"weighting": "tfidf"}, False, True),
        ({"weighting": "tfidf", "tf": "raw"}, False, False),
        ({"document_weight": "equal"}, False, True),
    ],
)
def test_fractions_travel_only_if_there_may_be_some(
    options: dict[str, object], weighted: bool, expected: bool
) -> None:
    found = makes_fractions(Analyzer.of(with_defaults(options)), weighted=weighted)
    assert found is expected
    assert len(schema_of(pa.string(), fractions=found)) == (8 if expected else 4)

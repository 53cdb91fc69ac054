"""Gold labels of record batches are read as the type of the labels of a model, or have a problem."""

from __future__ import annotations

import pyarrow as pa
import pytest
from likely.distributed.gold import gold_labels


@pytest.mark.parametrize(
    ("column", "kind", "labels"),
    [
        (pa.array(["a", "b", "a"]), str, ["a", "b", "a"]),
        (pa.array(["a", "b", "a"]).dictionary_encode(), str, ["a", "b", "a"]),
        (pa.array([1, 2], pa.int8()), int, [1, 2]),
        (pa.array([1.0, 2.0]), int, [1, 2]),
        (pa.array([1, 2]), str, ["1", "2"]),
        (pa.array([True, False]), bool, [True, False]),
        (pa.array([True, False]), str, ["true", "false"]),
    ],
    ids=["text", "dictionary", "int", "double", "int as text", "bool", "bool as text"],
)
def test_labels_are_converted(column: pa.Array, kind: type, labels: list[object]) -> None:
    found, problems = gold_labels(column, kind)
    assert list(found) == labels
    assert [type(each) for each in found] == [kind] * len(labels)
    assert problems == [None] * len(labels)


def test_what_is_not_a_label_has_a_problem() -> None:
    assert gold_labels(pa.array(["", None, "a"]), str)[1] == ["no label", "no label", None]
    assert gold_labels(pa.array([1.5, float("nan"), 2.0]), int)[1] == [
        "the label 1.5 cannot be read as int",
        "no label",
        None,
    ]
    assert gold_labels(pa.array([["a"], None]), str)[1] == ["not a label, but list<item: string>"] * 2
    assert gold_labels(pa.array([b"\xff", b"a"]).view(pa.string()), str)[1] == ["not valid UTF-8", None]
    assert gold_labels(pa.array([b"a"]), str)[1] == ["the label b'a' cannot be read as str"]

"""What was read is enough to learn from, or it is said what is missing."""

from __future__ import annotations

import numpy as np
import pytest
from likely import _native
from likely.labels import CodedLabels
from likely.options.reading import ReadingOptions
from likely.reading.batch import Batch, Chosen, Skipped
from likely.reading.corpus import lost_rows, only_class
from likely.reading.labels import LabelCheck


def checked(labels: list[str], reading: ReadingOptions | None = None) -> LabelCheck:
    check = LabelCheck(reading or ReadingOptions())
    distinct = sorted(set(labels))
    coded = CodedLabels(list(distinct), np.array([distinct.index(label) for label in labels], np.uint32))
    check.settle(Batch(_native.Strings(labels), coded, dict), Chosen("text", "label"))
    return check


def skipped_rows(labels: list[str | None]) -> Skipped:
    skipped = Skipped()
    for at, label in enumerate(labels, start=1):
        skipped.add("a.csv", at, "no text", line=at + 1, label=label)
    return skipped


@pytest.mark.parametrize(
    ("lost", "of", "is_too_many"), [(0, 20, False), (1, 20, False), (2, 20, True), (51, 1000, True)]
)
def test_at_most_one_row_in_twenty_may_be_lost(lost: int, of: int, is_too_many: bool) -> None:
    told = lost_rows(of - lost, skipped_rows([None] * lost), checked(["a", "b"]))
    assert (told is not None) == is_too_many
    assert told is None or "a.csv row 1 (line 2): no text" in told


def test_a_class_that_is_lost_is_named_even_if_it_is_small() -> None:
    told = lost_rows(1000, skipped_rows(["c", "a"]), checked(["a", "b"]))
    assert (told or "").startswith("no row of the class 'c' could be read. 2 rows skipped")
    assert lost_rows(1000, skipped_rows(["a"]), checked(["a", "b"])) is None


def test_many_lost_classes_are_counted() -> None:
    told = lost_rows(1000, skipped_rows(list("cdefghi")), checked(["a", "b"])) or ""
    assert told.startswith("no row of the classes 'c', 'd', 'e', 'f', 'g' and 2 more could be read")


def test_labels_are_compared_as_they_are_read() -> None:
    reading = ReadingOptions(strip_labels=True, fold_labels=True, missing_labels="skip")
    assert lost_rows(1000, skipped_rows([" A", "n/a"]), checked(["a", "b"], reading)) is None
    assert lost_rows(1000, skipped_rows([" A"]), checked(["a", "b"])) is not None


def test_one_class_is_not_enough() -> None:
    assert only_class(Skipped(), checked(["a", "b"])) is None
    assert "the same label, 'a', so there is nothing" in (only_class(Skipped(), checked(["a", "a"])) or "")
    assert (
        only_class(Skipped(), checked(["a", " A"], ReadingOptions(strip_labels=True, fold_labels=True))) is not None
    )

"""What is done to labels as they are read."""

from __future__ import annotations

import numpy as np
import pytest
from likely import _native
from likely.labels import CodedLabels
from likely.options.reading import ReadingOptions
from likely.reading.batch import Batch, Chosen
from likely.reading.labels import LabelCheck, looks_missing


@pytest.mark.parametrize("label", ["NA", "n/a", "NULL", "None", "nan", "-", "?", "", " \t", "<NA>", "\\N", " na "])
def test_labels_that_look_missing(label: str) -> None:
    assert looks_missing(label)


@pytest.mark.parametrize("label", ["nah", "no", "0", "nullable", "–x", 0, False])
def test_labels_that_do_not(label: str | int) -> None:
    assert not looks_missing(label)


def test_each_option_does_one_thing() -> None:
    for idle in (ReadingOptions(), ReadingOptions(strip_labels=False, fold_labels=False, label_separator="none")):
        assert LabelCheck(idle).settled(" Spam;n/a ") == " Spam;n/a "
    assert LabelCheck(ReadingOptions(strip_labels=True)).settled("\u00a0Spam ") == "Spam"
    assert LabelCheck(ReadingOptions(fold_labels=True)).settled(" ΣΊΣΥΦΟΣ") == " σίσυφοσ"
    assert LabelCheck(ReadingOptions(label_separator="|")).settled("| b|a") == "b"
    assert LabelCheck(ReadingOptions(missing_labels="skip")).settled("n/a") is None
    assert LabelCheck(ReadingOptions(missing_labels="keep")).settled("n/a") == "n/a"


def test_a_label_of_which_nothing_is_left_is_left_out() -> None:
    assert LabelCheck(ReadingOptions(strip_labels=True)).settled("  ") is None
    assert LabelCheck(ReadingOptions(label_separator=";")).settled(" ; ") is None


def test_labels_that_are_not_texts_stay() -> None:
    reading = ReadingOptions(strip_labels=True, fold_labels=True, label_separator=";", missing_labels="skip")
    rules = LabelCheck(reading, [1, 2])
    assert [rules.settled(label) for label in (1, 3, True)] == [1, 3, True]


def test_a_label_becomes_the_class_of_the_model_that_it_stands_for() -> None:
    rules = LabelCheck(ReadingOptions(strip_labels=True, fold_labels=True), ["Spam", "Ham ", "ham"])
    assert rules.settled("sPAM ") == "Spam"
    assert rules.settled("Ham ") == "Ham ", "a class stays as it is"
    assert rules.settled("HAM") == "ham"
    assert rules.settled("Eggs") == "eggs"


def test_a_batch_keeps_texts_and_labels_together() -> None:
    texts = _native.Strings(["a", "b", "c", "d"])
    labels = CodedLabels(["Spam", "NA", "spam"], np.array([2, 1, 0, 2], np.uint32))
    batch = Batch(texts, labels, lambda: {"text": texts})
    columns = Chosen("text", "label")
    found = LabelCheck(ReadingOptions(fold_labels=True, missing_labels="skip")).settle(batch, columns)
    assert found.texts.to_pylist() == ["a", "c", "d"]
    assert found.labels is not None
    assert list(found.labels) == ["spam"] * 3
    assert found.labels.values == ["spam"]
    column = found.table()["text"]
    assert isinstance(column, _native.Strings)
    assert column.to_pylist() == ["a", "c", "d"]
    assert LabelCheck(ReadingOptions()).settle(batch, columns) is batch
    assert LabelCheck(ReadingOptions(strip_labels=True)).settle(batch, columns) is batch

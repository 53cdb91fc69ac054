"""What is done to labels as they are read."""

from __future__ import annotations

import numpy as np
import pytest
from likely import _native
from likely.labels import CodedLabels
from likely.options.reading import ReadingOptions
from likely.reading.batch import Batch
from likely.reading.labels import LabelRules, looks_missing


@pytest.mark.parametrize("label", ["NA", "n/a", "NULL", "None", "nan", "-", "?", "", " \t", "<NA>", "\\N", " na "])
def test_labels_that_look_missing(label: str) -> None:
    assert looks_missing(label)


@pytest.mark.parametrize("label", ["nah", "no", "0", "nullable", "–x", 0, False])
def test_labels_that_do_not(label: str | int) -> None:
    assert not looks_missing(label)


def test_each_option_does_one_thing() -> None:
    assert LabelRules.of(ReadingOptions()).are_idle
    assert LabelRules.of(ReadingOptions(strip_labels=False, fold_labels=False, label_separator="none")).are_idle
    assert LabelRules.of(ReadingOptions(strip_labels=True)).settled("\u00a0Spam ") == "Spam"
    assert LabelRules.of(ReadingOptions(fold_labels=True)).settled(" ΣΊΣΥΦΟΣ") == " σίσυφοσ"
    assert LabelRules.of(ReadingOptions(label_separator="|")).settled("| b|a") == "b"
    assert LabelRules.of(ReadingOptions(missing_labels="skip")).settled("n/a") is None
    assert LabelRules.of(ReadingOptions(missing_labels="keep")).settled("n/a") == "n/a"


def test_a_label_of_which_nothing_is_left_is_left_out() -> None:
    assert LabelRules(strip=True).settled("  ") is None
    assert LabelRules(separator=";").settled(" ; ") is None


def test_labels_that_are_not_texts_stay() -> None:
    rules = LabelRules(strip=True, fold=True, separator=";", skips_missing=True).with_classes([1, 2])
    assert [rules.settled(label) for label in (1, 3, True)] == [1, 3, True]


def test_a_label_becomes_the_class_of_the_model_that_it_stands_for() -> None:
    rules = LabelRules(strip=True, fold=True).with_classes(["Spam", "Ham ", "ham"])
    assert rules.settled("sPAM ") == "Spam"
    assert rules.settled("Ham ") == "Ham ", "a class stays as it is"
    assert rules.settled("HAM") == "ham"
    assert rules.settled("Eggs") == "eggs"


def test_a_batch_keeps_texts_and_labels_together() -> None:
    texts = _native.Strings(["a", "b", "c", "d"])
    labels = CodedLabels(["Spam", "NA", "spam"], np.array([2, 1, 0, 2], np.uint32))
    batch = Batch(texts, labels, lambda: {"text": texts})
    found = LabelRules(fold=True, skips_missing=True).settled_batch(batch)
    assert found.texts.to_pylist() == ["a", "c", "d"]
    assert found.labels is not None
    assert list(found.labels) == ["spam"] * 3
    assert found.labels.values == ["spam"]
    column = found.table()["text"]
    assert isinstance(column, _native.Strings)
    assert column.to_pylist() == ["a", "c", "d"]
    assert LabelRules().settled_batch(batch) is batch
    assert LabelRules(strip=True).settled_batch(batch) is batch

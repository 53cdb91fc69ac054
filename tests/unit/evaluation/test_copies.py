"""Copies across what was learned and what was judged."""

from __future__ import annotations

import numpy as np
import pytest
from likely import NaiveBayes
from likely.evaluation.copies import copies_in_folds, copies_in_training_data
from likely.reading.rows import Whole
from likely.sample import load_sample

TEXTS, LABELS = load_sample()


def test_only_other_folds_count() -> None:
    whole = Whole(["one two three", "One, two, three", "four five", "four five!"], ["a", "a", "b", "a"])
    found = copies_in_folds(whole, np.array([0, 0, 0, 1]), np.arange(4), np.array([True, True, False, True]))
    assert (found.exact, found.differing) == (2, 2)
    assert found.accuracy_of_copies == 0.5


def test_rows_that_are_neither_learned_nor_judged_do_not_count() -> None:
    whole = Whole(["four five", "one", "four five!", "two"], ["a", "a", "a", "b"])
    found = copies_in_folds(whole, np.array([0, 0, -1, 1]), np.array([3]), np.array([True]))
    assert (found.judged, found.exact) == (1, 0)
    found = copies_in_folds(
        whole,
        np.array([-1, 0, 0, 1]),
        np.array([3]),
        np.array([True]),
    )
    assert found.exact == 0


def test_test_data_that_was_learned() -> None:
    train = Whole(TEXTS[:300], list(LABELS[:300]))
    model = NaiveBayes().fit(train.texts, train.labels)
    evaluation = model.evaluate(TEXTS[250:], LABELS[250:], keep=True)
    found = copies_in_training_data(evaluation, train)
    assert (found.judged, found.exact) == (230, 50)
    assert found.examples[0].row + 250 == found.examples[0].other_row
    assert found.accuracy == evaluation.accuracy
    assert (found.accuracy_of_copies or 0) > (found.accuracy_without or 1)


def test_answers_must_be_kept() -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    with pytest.raises(ValueError, match="keep"):
        copies_in_training_data(model.evaluate(TEXTS[:5], LABELS[:5]), Whole(TEXTS, list(LABELS)))


def test_documents_without_words_are_not_copies() -> None:
    whole = Whole(["...", "one", "...", "two"], ["a", "a", "a", "b"])
    found = copies_in_folds(whole, np.array([0, 0, 1, 1]), np.arange(4), np.ones(4, np.bool_))
    assert (found.exact, found.accuracy_of_copies, str(found)) == (
        0,
        None,
        "No judged document is a copy of one that was learned.",
    )

"""One evaluation of what several models answered."""

from __future__ import annotations

import numpy as np
import pytest
from likely import NaiveBayes
from likely.evaluation.cross_validation import PooledAnswers
from likely.reading.rows import Whole
from likely.sample import load_sample

WHOLE = Whole(load_sample()[0], list(load_sample()[1]))


def test_a_pool_of_one_part_is_that_part() -> None:
    model = NaiveBayes().fit(WHOLE.texts[:100], WHOLE.labels[:100])
    part = model.evaluate(WHOLE.texts, WHOLE.labels, keep=True)
    pool = PooledAnswers(WHOLE, keep=True)
    pool.add(np.arange(len(WHOLE)), part)
    found, expected = pool.evaluation().to_dict(), part.to_dict()
    assert found["per_class"] == expected["per_class"]
    assert found["reliability"] == expected["reliability"]
    assert found["mistakes"] == expected["mistakes"]
    assert found["ranking"] == expected["ranking"]
    assert found["folds"] == [part.accuracy]


def test_rows_that_were_not_judged_are_not_evaluated() -> None:
    model = NaiveBayes().fit(WHOLE.texts[:100], WHOLE.labels[:100])
    rows = np.arange(200, 300)
    pool = PooledAnswers(WHOLE)
    part = model.evaluate(WHOLE.texts[200:300], WHOLE.labels[200:300], keep=True)
    pool.add(rows, part)
    assert pool.rows.tolist() == rows.tolist()
    found = pool.evaluation()
    assert found.documents == 100
    assert found.accuracy == part.accuracy
    assert all(200 <= mistake.row < 300 for mistake in found.mistakes)


def test_a_model_without_a_class_gives_it_probability_0() -> None:
    whole = Whole(["good", "bad", "so"], ["+", "-", "?"])
    pool = PooledAnswers(whole, keep=True)
    model = NaiveBayes().fit(["good", "bad"], ["+", "-"])
    pool.add(np.array([0, 1]), model.evaluate(["good", "bad"], ["+", "-"], keep=True))
    answers = pool.evaluation().answers
    assert answers is not None
    assert answers.log_probabilities is not None
    assert np.isneginf(answers.log_probabilities[:, 2]).all()


def test_a_part_must_keep_its_answers() -> None:
    model = NaiveBayes().fit(WHOLE.texts, WHOLE.labels)
    with pytest.raises(ValueError, match="keep"):
        PooledAnswers(WHOLE).add(np.arange(1), model.evaluate(WHOLE.texts[:1], WHOLE.labels[:1]))


def test_answers_are_in_the_order_of_the_rows() -> None:
    model = NaiveBayes().fit(WHOLE.texts[:100], WHOLE.labels[:100])
    pool = PooledAnswers(WHOLE, keep=True)
    for rows in (np.arange(1, 480, 2), np.arange(0, 480, 2)):
        some = [WHOLE.texts[row] for row in rows], [WHOLE.labels[row] for row in rows]
        pool.add(rows, model.evaluate(*some, keep=True))
    answers = pool.evaluation().answers
    assert answers is not None
    assert answers.texts == WHOLE.texts
    expected = model.evaluate(WHOLE.texts, WHOLE.labels, keep=True).answers
    assert expected is not None
    assert np.array_equal(answers.predicted, expected.predicted)
    assert [WHOLE.texts[each.row][:50] for each in pool.evaluation().mistakes] == [
        str(each.text)[:50] for each in pool.evaluation().mistakes
    ]

"""What a model says of itself and of documents: figures that agree with its answers."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from likely import NaiveBayes, evaluate
from likely.sample import load_sample

TEXTS, LABELS = load_sample()


@pytest.fixture(scope="module")
def model() -> NaiveBayes:
    return NaiveBayes().fit(TEXTS[:240], LABELS[:240])


def test_an_evaluation_is_that_of_the_predictions(model: NaiveBayes) -> None:
    found = model.evaluate(TEXTS, LABELS)
    expected = evaluate(LABELS, model.predict(TEXTS).tolist())
    assert found.accuracy == expected.accuracy == model.score(TEXTS, LABELS)
    assert found.confusion.tolist() == expected.confusion.tolist()
    assert found.per_class == expected.per_class


def test_the_reliability_is_that_of_the_probabilities(model: NaiveBayes) -> None:
    found = model.evaluate(TEXTS, LABELS).reliability
    assert found is not None
    logs = model.predict_log_proba(TEXTS)
    own = np.searchsorted(model.classes_, LABELS)
    assert found.log_loss == pytest.approx(-logs[np.arange(len(own)), own].mean())


def test_the_container_does_not_matter(model: NaiveBayes) -> None:
    table = pa.table({"text": TEXTS, "label": LABELS})
    assert model.evaluate(table).to_dict() == model.evaluate(iter(TEXTS), iter(LABELS)).to_dict()


def test_leaving_one_out_is_more_honest_than_asking_again() -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    honest = model.classes_[model.leave_one_out(TEXTS, LABELS).argmax(axis=1)]
    assert np.mean(honest == np.array(LABELS)) < model.score(TEXTS, LABELS)


def test_a_coverage_table_answers_less_and_better_with_a_higher_threshold(model: NaiveBayes) -> None:
    rows = model.coverage_table(TEXTS, LABELS, [0.0, 0.6, 0.9])
    assert [row.threshold for row in rows] == [0.0, 0.6, 0.9]
    assert rows[0].coverage == 1.0
    assert rows[0].accuracy == model.score(TEXTS, LABELS)
    coverages = [row.coverage for row in rows]
    assert coverages == sorted(coverages, reverse=True)

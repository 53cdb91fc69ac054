"""Evaluations of a model: they agree with its answers, whatever the container, and keep little."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest
from likely import NaiveBayes, evaluate
from likely.core.calibration import SHOWN_THRESHOLDS
from likely.evaluation.evaluation import MOST_CHARACTERS, WORST
from likely.sample import load_sample

TEXTS, LABELS = load_sample()
SMALL = ["good fun", "good plot", "bad plot", "dull bad bad", "so so", "so it goes", "so fun"]
OF_SMALL = ["+", "+", "-", "-", "0", "0", "+"]


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


def test_a_coverage_table_answers_less_and_better_with_a_higher_threshold(model: NaiveBayes) -> None:
    rows = model.evaluate(TEXTS, LABELS).coverage
    assert [row.threshold for row in rows] == list(SHOWN_THRESHOLDS)
    assert rows[0].coverage == 1.0
    assert rows[0].accuracy == model.score(TEXTS, LABELS)
    coverages = [row.coverage for row in rows]
    assert coverages == sorted(coverages, reverse=True)


def test_an_evaluation_is_of_one_moment() -> None:
    model = NaiveBayes().fit(SMALL, OF_SMALL)
    expected = model.evaluate(SMALL, OF_SMALL)

    def batches() -> Iterator[tuple[list[str], list[str]]]:
        for text, label in zip(SMALL, OF_SMALL, strict=True):
            yield [text], [label]
            model.learn([text], ["new class"])

    assert model._evaluate(batches()).to_dict() == expected.to_dict()


def test_the_worst_mistakes_come_with_the_words_that_spoke_for_them(model: NaiveBayes) -> None:
    wrong = ["positive" if label == "negative" else "negative" for label in LABELS]
    found = model.evaluate(TEXTS, wrong)
    assert len(found.mistakes) == WORST
    sure = [each.probability for each in found.mistakes]
    assert sure == sorted(sure, reverse=True)
    probabilities = model.predict_proba(TEXTS)
    for each in found.mistakes:
        assert (each.gold, each.text) == (wrong[each.row], TEXTS[each.row][:MOST_CHARACTERS])
        assert each.predicted == model.predict([TEXTS[each.row]])[0]
        assert each.probability == pytest.approx(probabilities[each.row].max())
        terms = {term.word: term.contribution for term in model.explain(TEXTS[each.row]).terms}
        for term, weight in each.words:
            assert weight == terms[term][each.predicted] - terms[term][each.gold] > 0
    assert found.mistakes[0].words, "a sure mistake has words that spoke for it"


def test_answers_are_kept_if_asked_for(model: NaiveBayes) -> None:
    labels = ["other", *LABELS[1:]]
    found = model.evaluate(TEXTS, labels, keep=True)
    assert found.labels == ["negative", "other", "positive"]
    answers = found.answers
    assert answers is not None
    assert answers.log_probabilities is not None
    assert [found.labels[at] for at in answers.gold] == labels
    assert [found.labels[at] for at in answers.predicted] == model.predict(TEXTS).tolist()
    assert answers.texts == TEXTS
    np.testing.assert_array_equal(answers.log_probabilities[:, [0, 2]], model.predict_log_proba(TEXTS))
    assert np.isneginf(answers.log_probabilities[:, 1]).all()
    assert model.evaluate(TEXTS, labels).answers is None
    assert model.evaluate(pa.table({"text": TEXTS, "label": labels}), keep=True).answers.texts == TEXTS  # type: ignore[union-attr]


def test_a_model_that_abstains_is_right_less_often_and_its_answers_more_often(model: NaiveBayes) -> None:
    found, always = model.evaluate(TEXTS, LABELS, abstain=0.95), model.evaluate(TEXTS, LABELS)
    expected = model.predict(TEXTS, abstain=0.95).tolist()
    assert found.abstained == expected.count(None) > 0
    assert found.accuracy < always.accuracy
    assert found.accuracy_of_answered is not None
    assert found.accuracy_of_answered > always.accuracy
    assert found.coverage[0].coverage == pytest.approx(found.answered)
    assert always.abstained == 0
    assert NaiveBayes(abstain=0.95).fit(TEXTS[:240], LABELS[:240]).evaluate(TEXTS, LABELS).abstained == 0


def test_classes_that_do_not_occur_are_labels_too() -> None:
    found = NaiveBayes().fit(SMALL, OF_SMALL).evaluate(["good fun", "good plot"], ["+", "+"])
    assert found.labels == ["+", "-", "0"]
    assert found.macro.defined_f == 1

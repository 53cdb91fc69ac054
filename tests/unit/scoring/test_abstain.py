"""Not answering: when a model does not, what stands in place of an answer, and what it is good for."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.core.calibration import Coverage, coverage_at
from likely.core.decisions import Threshold, threshold_of
from likely.errors import OptionError
from likely.sample import load_sample

TEXTS, LABELS = load_sample()
NEW = [*TEXTS[:100], "film", "the", "zzz", ""]
UNKNOWN = ["zzz", "", "qqq zzz"]


@pytest.fixture(scope="module")
def model() -> NaiveBayes:
    return NaiveBayes(calibrate=True).fit(TEXTS, LABELS)


@pytest.mark.parametrize("bound", [0.5, 0.7, 0.9, 1])
@pytest.mark.parametrize("way", [None, "probability"])
def test_by_probability(model: NaiveBayes, bound: float, way: str | None) -> None:
    answers = model.predict(NEW, abstain={way: bound} if way else bound)
    best = model.predict_proba(NEW).max(axis=1)
    known = np.array([True] * (len(NEW) - 2) + [False] * 2)
    assert answers.dtype == object
    assert [answer is None for answer in answers] == (~known | (best < bound)).tolist()
    sure = [at for at, answer in enumerate(answers) if answer is not None]
    assert answers[sure].tolist() == model.predict(NEW)[sure].tolist()


@pytest.mark.parametrize("bound", [0.1, 0.5, 0.9])
def test_by_margin(bound: float) -> None:
    three = NaiveBayes().fit([*TEXTS, "meh", "so so meh"], [*LABELS, "neutral", "neutral"])
    answers = three.predict(NEW, abstain={"margin": bound})
    first, second = np.sort(three.predict_proba(NEW), axis=1)[:, ::-1][:, :2].T
    assert [answer is None for answer in answers[:-2]] == (first - second < bound)[:-2].tolist()
    assert answers[-2:].tolist() == [None, None]


@pytest.mark.parametrize("bound", [0.0, 0.5, 0.9])
@pytest.mark.parametrize("way", ["probability", "margin"])
def test_one_class_alone_is_sure_of_what_it_knows(bound: float, way: str) -> None:
    answers = NaiveBayes().fit(["a b", "a"], ["x", "x"]).predict(["a", "zzz"], abstain={way: bound})
    assert answers.tolist() == ["x", None]


def test_precision_is_met_on_the_data_the_curve_came_from(model: NaiveBayes) -> None:
    found = model.calibration_
    assert found is not None
    honest = np.exp(found.calibration.log_probabilities(model.leave_one_out(TEXTS, LABELS), lengths(model)))
    right = model.classes_[honest.argmax(axis=1)] == np.array(LABELS)
    for target in (0.8, 0.9, 0.95):
        threshold = threshold_of({"precision": target}, found.curve)
        assert threshold is not None
        answered = honest.max(axis=1) >= threshold.probability
        assert right[answered].mean() >= target
        # Of those that are precise enough, none answers more.
        others = [row for row in found.curve if row.coverage > answered.mean() + 1e-9]
        assert all(row.accuracy is not None and row.accuracy < target for row in others)
        answers = model.predict(NEW, abstain={"precision": target})
        assert answers.tolist() == model.predict(NEW, abstain=threshold.probability).tolist()


def lengths(model: NaiveBayes) -> Any:
    """How many words of each text another text has, too: what is known of it when it is left out."""
    from likely import analyze

    having: dict[str, int] = {}
    words = [[each.term for each in analyze(text)] for text in TEXTS]
    for some in words:
        for word in set(some):
            having[word] = having.get(word, 0) + 1
    assert set(having) == set(model.vocabulary_)
    return np.array([float(sum(having[word] > 1 for word in some)) for some in words])


def test_a_precision_that_was_never_reached_is_an_error() -> None:
    rng = np.random.default_rng(1)
    texts = [" ".join(rng.choice(list("abcdefgh"), 5)) for _ in range(300)]
    model = NaiveBayes(calibrate=True).fit(texts, rng.integers(0, 2, 300).tolist())
    with pytest.raises(OptionError, match=r"a precision of 1 is out of reach: the best .* is 0\.\d+"):
        model.predict(texts, abstain={"precision": 1})


def test_a_precision_needs_a_calibrated_model() -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    with pytest.raises(OptionError, match="calibrate=True"):
        model.predict(NEW, abstain={"precision": 0.9})


@pytest.mark.parametrize("abstain", [1e-9, {"probability": 0}, {"margin": 0}], ids=str)
def test_without_known_words_there_is_no_answer(model: NaiveBayes, abstain: Any) -> None:
    assert model.predict(UNKNOWN, abstain=abstain).tolist() == [None] * 3
    assert None not in model.predict(TEXTS, abstain=abstain).tolist()


@pytest.mark.parametrize("kind", [str, int, bool])
def test_answers_are_labels_as_they_were_given(kind: type) -> None:
    given: Any = {str: LABELS, int: [len(x) for x in LABELS], bool: [x == "positive" for x in LABELS]}[kind]
    answers = NaiveBayes().fit(TEXTS, given).predict(NEW, abstain=0.9)
    assert {type(answer) for answer in answers.tolist()} == {kind, type(None)}
    assert set(answers.tolist()) - {None} == set(given)


def test_nothing_asked_is_nothing_answered(model: NaiveBayes) -> None:
    assert model.predict([], abstain=0.9).shape == (0,)


# The option


@pytest.mark.parametrize("abstain", [0.9, {"margin": 0.5}, {"precision": 0.9}], ids=str)
def test_the_option_is_kept_in_the_model_and_a_call_can_say_otherwise(abstain: Any) -> None:
    model = NaiveBayes(calibrate=True, abstain=abstain).fit(TEXTS, LABELS)
    plain = NaiveBayes(calibrate=True).fit(TEXTS, LABELS)
    expected = plain.predict(NEW, abstain=abstain).tolist()
    assert None in expected
    for each in (model, pickle.loads(pickle.dumps(model))):
        assert each.abstain == abstain
        assert each.predict(NEW).tolist() == expected
        assert each.predict(NEW, abstain=0).tolist() == plain.predict(NEW).tolist()
        assert each.predict(NEW, abstain=0).dtype == plain.predict(NEW).dtype
        assert (each.predict_proba(NEW) == plain.predict_proba(NEW)).all()
        assert each.predict_top(NEW, 2)[0].tolist() == plain.predict_top(NEW, 2)[0].tolist()
        assert each.score(TEXTS, LABELS) == plain.score(TEXTS, LABELS)
        assert each.evaluate(TEXTS, LABELS).accuracy == plain.evaluate(TEXTS, LABELS).accuracy


BAD: list[Any] = [
    -0.1,
    1.1,
    float("nan"),
    "0.9",
    True,
    {},
    {"recall": 0.9},
    {"margin": 2},
    {"margin": None},
    {"margin": 0.1, "precision": 0.9},
    [0.9],
]


@pytest.mark.parametrize("bad", BAD, ids=str)
def test_bad_values_are_refused(model: NaiveBayes, bad: Any) -> None:
    with pytest.raises(OptionError, match="abstain"):
        model.predict(NEW, abstain=bad)
    with pytest.raises(OptionError, match="abstain"):
        NaiveBayes(abstain=bad).fit(TEXTS, LABELS).predict(NEW)


# Tables


def test_the_table_by_hand(model: NaiveBayes) -> None:
    best, answers = model.predict_proba(TEXTS).max(axis=1), model.predict(TEXTS)
    right = answers == np.array(LABELS)
    rows = coverage_at(best, right, [0.0, 0.8, 1.1])
    assert rows[0] == Coverage(0.0, 1.0, float(right.mean()))
    assert rows[1] == Coverage(0.8, float((best >= 0.8).mean()), float(right[best >= 0.8].mean()))
    assert rows[2] == Coverage(1.1, 0.0, None)


@given(st.lists(st.lists(st.floats(0.01, 1), min_size=3, max_size=3), min_size=1, max_size=5), st.floats(0, 1))
def test_a_threshold_of_both_kinds(rows: list[list[float]], bound: float) -> None:
    probabilities = np.array(rows) / np.sum(rows, axis=1, keepdims=True)
    best = probabilities.argmax(axis=1)
    found = Threshold(bound, bound / 2).unsure(np.log(probabilities), np.ones(len(rows)), best)
    for row, unsure in zip(probabilities, found, strict=True):
        first, second, _ = sorted(row, reverse=True)
        if min(abs(first - bound), abs(first - second - bound / 2)) > 1e-9:
            assert unsure == (first < bound or first - second < bound / 2)

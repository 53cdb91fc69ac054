"""Weights and texts to scores, probabilities and classes."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.core.calibration import Calibration
from likely.core.decisions import Decision, Threshold
from likely.core.scorer import Scorer, most_probable_first, score_shift
from likely.errors import ArgumentError, ImpossibleWarning, OptionError

WORDS = st.sampled_from(["good", "fun", "plot", "dull", "so", "unheard", "\U0001f600", "ÄÖ"])
TEXTS, LABELS = ["good fun", "good plot", "dull plot", "so so"], ["+", "+", "-", "0"]
NEW = ["good good", "dull", "so", "", "unheard of"]
FLAT = Calibration(0.5, 0.0, 0.0)


def scorer(calibration: Calibration | None = None, **options: Any) -> Scorer:
    return Scorer(
        NaiveBayes(**options).fit(TEXTS, LABELS)._snapshot().moment.weights.frozen(), calibration, threads=1
    )


@pytest.mark.parametrize("calibration", [None, FLAT], ids=str)
def test_all_answers_agree_with_the_scores(calibration: Calibration | None) -> None:
    found = scorer(calibration)
    logs = found.log_probabilities(NEW)
    np.testing.assert_allclose(np.exp(logs).sum(axis=1), 1)
    best = ["+-0"[at] for at in logs.argmax(axis=1)]
    assert found.best(NEW).tolist() == found.answers(NEW).answers.tolist() == best
    top = found.answers(NEW, 3)
    labels, probabilities = top.labels, top.probabilities
    assert labels[:, 0].tolist() == best
    np.testing.assert_array_equal(probabilities, -np.sort(-np.exp(logs), axis=1))


def test_one_text_is_scored_as_many_are() -> None:
    for calibration in (None, FLAT):
        found = scorer(calibration)
        joint, probabilities, known, place, thresholds, factor = found.of_text(NEW[0])
        assert (found.classes.labels[place], thresholds) == (found.best(NEW)[0], {})
        assert known == found.known(NEW)[0] == 1.0
        assert np.array_equal(joint, found.joint(NEW)[0])
        assert (probabilities is None) == (calibration is None) == (factor == 1.0)
        if probabilities is not None:
            np.testing.assert_allclose(np.diff(np.log(probabilities)), factor * np.diff(joint))
            np.testing.assert_allclose(probabilities, np.exp(found.log_probabilities(NEW)[0]))


def test_without_texts_there_are_no_rows() -> None:
    found = scorer()
    assert found.best([]).shape == (0,)
    assert found.joint([]).shape == found.log_probabilities([]).shape == (0, 3)
    assert [part.shape for part in found.answers([], 2)[1:3]] == [(0, 2), (0, 2)]
    with pytest.raises(ArgumentError, match="no texts"):
        found.estimate_prior([])


def test_where_the_threshold_is_not_reached_there_is_no_answer() -> None:
    found = scorer()
    threshold = Threshold(probability=0.6)
    sure = np.exp(found.log_probabilities(NEW)).max(axis=1) >= 0.6
    expected = [label if ok else None for label, ok in zip(found.best(NEW).tolist(), sure, strict=True)]
    assert 0 < sure.sum() < len(NEW)
    assert found.answers(NEW, threshold=threshold).answers.tolist() == expected


def test_another_prior_is_the_rule_of_bayes() -> None:
    found, prior = scorer(), {"+": 0.1, "-": 0.2, "0": 0.7}
    weighed = np.exp(found.log_probabilities(NEW)) * [0.1, 0.2, 0.7] / np.exp(found.weights.classes.log_prior)
    np.testing.assert_allclose(
        np.exp(found.log_probabilities(NEW, prior)), weighed / weighed.sum(axis=1, keepdims=True)
    )
    shift = score_shift(found.weights.classes, prior)
    assert shift is not None
    assert np.array_equal(found.joint(NEW, prior), found.joint(NEW) + shift)


def test_a_prior_that_has_no_effect_or_no_sense_is_refused() -> None:
    with pytest.raises(OptionError, match="no effect"):
        scorer(variant="complement_normalized").joint(NEW, "fitted")
    with pytest.raises(OptionError, match="prior="):
        scorer().joint(NEW, {"+": 2.0})


@pytest.mark.parametrize("calibration", [None, FLAT, Calibration(0.7, 0.5, 0.4)], ids=str)
def test_another_prior_makes_a_class_possible_that_the_model_excludes(calibration: Calibration | None) -> None:
    own, other = {"+": 1.0, "-": 0.0, "0": 0.0}, {"+": 0.5, "-": 0.0, "0": 0.5}
    found, plain = scorer(calibration, prior=own), scorer(prior="uniform")
    assert found.best(NEW).tolist() == ["+"] * len(NEW)
    np.testing.assert_array_equal(found.log_probabilities(NEW, own), found.log_probabilities(NEW))
    np.testing.assert_allclose(found.joint(NEW, other), plain.joint(NEW, other), rtol=1e-12)
    logs = found.log_probabilities(NEW, other)
    np.testing.assert_allclose(np.exp(logs).sum(axis=1), 1)
    assert np.isneginf(logs[:, 1]).all()
    if calibration is None:
        np.testing.assert_allclose(logs, plain.log_probabilities(NEW, other), rtol=1e-12)
    assert found.answers(NEW, prior=other, threshold=Threshold(0.5)).answers.tolist() == ["+", "0", "0", None, None]


def test_equally_probable_classes_keep_their_order() -> None:
    logs = np.log([[0.25, 0.5, 0.25], [0.25, 0.25, 0.5]])
    places, probabilities = most_probable_first(logs, 2, logs.argmax(axis=1))
    assert places.tolist() == [[1, 0], [2, 0]]
    np.testing.assert_allclose(probabilities, [[0.5, 0.25]] * 2)


@pytest.mark.filterwarnings("ignore::likely.errors.ImpossibleWarning")
@given(
    texts=st.lists(st.lists(WORDS, max_size=30).map(" ".join), min_size=1, max_size=8),
    calibration=st.sampled_from([None, FLAT, Calibration(0.7, 0.5, 0.3)]),
    options=st.sampled_from([{}, {"alpha": 0.0}, {"variant": "complement"}]),
    prior=st.sampled_from([None, "uniform", {"+": 0.1, "-": 0.9, "0": 0.0}]),
    decision=st.sampled_from([None, Decision(np.array([np.nan, 0.2, np.nan])), Decision(np.array([0.1, 0.5, 0.3]))]),
    threshold=st.sampled_from([None, Threshold(0.6), Threshold(0.0, 0.3)]),
    top=st.integers(1, 4),
)
def test_one_text_alone_is_answered_as_among_others(
    texts: list[str],
    calibration: Calibration | None,
    options: dict[str, Any],
    prior: Any,
    decision: Decision | None,
    threshold: Threshold | None,
    top: int,
) -> None:
    found = replace(scorer(calibration, **options), decision=decision)
    together = found.answers(texts, top, prior=prior, threshold=threshold)
    most = found.answers(texts, 3, prior=prior, threshold=threshold)
    for at, text in enumerate(texts):
        alone = found.answers([text], top, prior=prior, threshold=threshold)
        for one, many, all_classes in zip(alone, together, most, strict=True):
            assert one.tolist()[0] == many.tolist()[at]
            if one.ndim == 2:
                assert one.tolist()[0] == all_classes.tolist()[at][: one.shape[1]]


MUCH_TEXT = 17 << 20
"""After this many bytes, the kernel makes smaller tables of n-grams."""


@pytest.mark.parametrize("options", [{}, {"variant": "binary"}, {"weighting": "tfidf", "norm": "l2"}], ids=str)
def test_scores_do_not_depend_on_how_much_was_scored_before(options: dict[str, Any]) -> None:
    docs = [" ".join(f"w{at * step % 31 % 13}" for at in range(40)) for step in range(1, 60)]
    labels = ["+-0"[at % 3] for at in range(len(docs))]
    new = [*docs, *(f"{doc} unheard {doc[::-1]} w1 w2" for doc in docs)]
    model = NaiveBayes(ngrams=(1, 2), min_documents=2, **options).fit(docs, labels)
    before = model.predict_joint_log_proba(new)
    model.predict_joint_log_proba(["w1 w2 w5 w3 " * (MUCH_TEXT // 12)])
    assert model.predict_joint_log_proba(new).tobytes() == before.tobytes()
    if "norm" not in options:
        model.learn(["w1 w2 w2 w1"], ["+"])
        fresh = NaiveBayes(ngrams=(1, 2), min_documents=2, **options).fit([*docs, "w1 w2 w2 w1"], [*labels, "+"])
        assert model.predict_joint_log_proba(new).tobytes() == fresh.predict_joint_log_proba(new).tobytes()


@pytest.mark.parametrize("calibrate", [False, True])
@pytest.mark.parametrize("prior", [None, "uniform", {"+": 0.2, "-": 0.5, "0": 0.3}])
def test_a_text_that_is_impossible_in_every_class_is_not_answered_in_silence(calibrate: bool, prior: Any) -> None:
    model = NaiveBayes(alpha=0).fit(TEXTS, LABELS)
    found = Scorer(model._scorer().weights, FLAT if calibrate else None, threads=1)
    asks = [
        lambda texts: found.log_probabilities(texts, prior),
        lambda texts: found.answers(texts, prior=prior),
        *([found.best] if prior is None else []),
    ]
    for ask in asks:
        with pytest.warns(ImpossibleWarning, match=r"alpha=0.*0/0 is not defined"):
            ask(["good fun", "good dull"])
        ask(["good fun", "unheard of", ""])  # without a word: no warning, which would be an error
    with pytest.warns(ImpossibleWarning):
        answers = found.answers(["good fun", "good dull"], prior=prior)
    assert answers.impossible.tolist() == [False, True]


def test_what_is_possible_is_not_looked_at() -> None:
    assert scorer().answers(["good dull"]).impossible.tolist() == [False]

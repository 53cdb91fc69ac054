"""Answers of a model: priors for a different world, and calls with an alpha of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.errors import LikelyError, OptionError
from likely.sample import load_sample

TEXTS, LABELS = load_sample()


NEW = [*TEXTS[:30], "", "zzz unheard", "film film film"]


SMALL = ["good fun", "good plot", "bad plot", "dull bad bad", "so so", "so it goes", "so fun"]


OF_SMALL = ["+", "+", "-", "-", "0", "0", "+"]


ADDITIVE = ["multinomial", "binary", "bernoulli", "complement", "complement_binary"]


words = st.sampled_from(["good", "bad", "so", "fun", "plot", "zzz"])


texts = st.lists(st.lists(words, max_size=5).map(" ".join), max_size=4)


shares = st.lists(st.integers(1, 100), min_size=3, max_size=3)


def of(numbers: list[int]) -> dict[Any, float]:
    return dict(zip(["+", "-", "0"], (np.array(numbers) / sum(numbers)).tolist(), strict=True))


@pytest.mark.parametrize("variant", ADDITIVE)
@given(asked=texts, numbers=shares, own=st.sampled_from(["fitted", "uniform"]))
def test_a_prior_given_when_predicting_is_one_given_before(
    variant: Any, asked: list[str], numbers: list[int], own: Any
) -> None:
    model = NaiveBayes(variant=variant, prior=own).fit(SMALL, OF_SMALL)
    other = NaiveBayes(variant=variant, prior=of(numbers)).fit(SMALL, OF_SMALL)
    joint = model.predict_joint_log_proba(asked, prior=of(numbers))
    assert np.allclose(joint, other.predict_joint_log_proba(asked), rtol=0, atol=1e-10)
    expected = other.predict_proba(asked)
    assert np.allclose(model.predict_proba(asked, prior=of(numbers)), expected, rtol=0, atol=1e-10)
    clear = np.array([row[-1] - row[-2] > 1e-9 for row in np.sort(expected, axis=1)], bool)
    answers = model.predict(asked, prior=of(numbers))
    assert answers[clear].tolist() == other.predict(asked)[clear].tolist()
    assert np.allclose(model.predict_top(asked, 1, prior=of(numbers))[1][:, 0], expected.max(axis=1, initial=0))


@pytest.mark.parametrize("variant", [*ADDITIVE, "nbsvm"])
@pytest.mark.parametrize("prior", ["fitted", "uniform"])
def test_the_prior_of_the_model_changes_nothing(variant: Any, prior: Any) -> None:
    model = NaiveBayes(variant=variant, **({} if variant == "nbsvm" else {"prior": prior}))
    model.fit(TEXTS, LABELS).fit_calibration(TEXTS, LABELS)
    same: Any = "fitted" if variant == "nbsvm" else prior
    assert np.allclose(model.predict_proba(NEW, prior=same), model.predict_proba(NEW), rtol=0, atol=1e-12)


@pytest.mark.parametrize("variant", ["multinomial", "complement", "nbsvm"])
def test_calibrated_probabilities_are_shifted_by_the_rule_of_bayes(variant: Any) -> None:
    model = NaiveBayes(variant=variant, calibrate=True).fit(TEXTS, LABELS)
    new, old = np.array([0.9, 0.1]), np.exp(model.log_prior_)
    weighed = model.predict_proba(NEW) * new / old
    expected = weighed / weighed.sum(axis=1, keepdims=True)
    found = model.predict_proba(NEW, prior={"negative": 0.9, "positive": 0.1})
    assert np.allclose(found, expected, rtol=0, atol=1e-12)
    assert model.predict(NEW, prior={"negative": 0.9, "positive": 0.1}).tolist() == [
        model.classes_[at] for at in expected.argmax(axis=1)
    ]


@pytest.mark.parametrize("calibrate", [False, True])
@pytest.mark.parametrize("own", ["fitted", {"negative": 0.0, "positive": 1.0}], ids=str)
def test_a_class_without_a_share_is_never_predicted(calibrate: bool, own: Any) -> None:
    model = NaiveBayes(calibrate=calibrate, prior=own).fit(TEXTS, LABELS)
    prior = {"negative": 0.0, "positive": 1.0}
    assert set(model.predict(NEW, prior=prior).tolist()) == {"positive"}
    probabilities = model.predict_proba(NEW, prior=prior)
    assert np.array_equal(probabilities, np.tile([0.0, 1.0], (len(NEW), 1)))


@pytest.mark.parametrize(
    "prior",
    [
        {"negative": 1.0},
        {"negative": 0.5, "positive": 0.6},
        {"negative": -0.5, "positive": 1.5},
        {"negative": float("nan"), "positive": 1.0},
        {},
        "even",
        0.5,
        [0.5, 0.5],
    ],
    ids=str,
)
def test_what_is_no_prior_is_refused(prior: Any) -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    for ask in (model.predict, model.predict_proba, model.predict_joint_log_proba, model.predict_top):
        with pytest.raises(LikelyError, match="prior"):
            ask(NEW, prior=prior)


def test_where_a_prior_has_no_effect_it_is_refused() -> None:
    model = NaiveBayes(variant="complement_normalized").fit(TEXTS, LABELS)
    with pytest.raises(OptionError, match="no effect"):
        model.predict(NEW, prior={"negative": 0.5, "positive": 0.5})

"""Priors for a different world: given when predicting, or estimated from texts without labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.errors import LengthError, LikelyError, OptionError
from likely.sample import load_sample
from likely.scoring.class_shares import estimate_shares

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
    same = "fitted" if variant == "nbsvm" else prior
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


# Shares that are not known


@pytest.mark.parametrize("positive", [0.8, 0.5, 0.1])
@pytest.mark.parametrize("variant", ["multinomial", "complement", "nbsvm"])
def test_shares_of_a_mixture_are_found(positive: float, variant: Any) -> None:
    model = NaiveBayes(variant=variant, calibrate=True).fit(TEXTS[::2] + TEXTS[1::2], LABELS[::2] + LABELS[1::2])
    rng = np.random.default_rng(4)
    by = {label: [text for text, own in zip(TEXTS, LABELS, strict=True) if own == label] for label in set(LABELS)}
    number = round(1000 * positive)
    asked = [*rng.choice(by["positive"], number).tolist(), *rng.choice(by["negative"], 1000 - number).tolist()]
    found = model.estimate_prior(asked)
    assert list(found) == ["negative", "positive"]
    assert sum(found.values()) == pytest.approx(1, abs=1e-12)
    assert found["positive"] == pytest.approx(positive, abs=0.06)
    again = model.estimate_prior([asked[at] for at in rng.permutation(1000)])
    assert again["positive"] == pytest.approx(found["positive"], abs=1e-6)
    if variant != "nbsvm":  # which has learned what a text without known words is
        assert model.predict(["zzz"], prior=found)[0] == max(found, key=lambda label: found[label])


def test_shares_of_simulated_probabilities_are_found() -> None:
    rng = np.random.default_rng(5)
    truth, trained = np.array([0.7, 0.25, 0.05]), np.array([0.2, 0.3, 0.5])
    own = rng.choice(3, 20_000, p=truth)
    likelihood = rng.normal(size=(20_000, 3)) + 2.0 * np.eye(3)[own]
    # Gaussians around 2 or 0 with deviation 1: log P(x given c) is 2 x_c, but for what all classes share.
    logs = 2.0 * likelihood + np.log(trained)
    logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
    assert np.abs(estimate_shares(logs, np.log(trained)) - truth).max() < 0.02


@given(st.lists(st.lists(st.floats(0.001, 1), min_size=3, max_size=3), min_size=1, max_size=8))
def test_shares_are_shares(rows: list[list[float]]) -> None:
    probabilities = np.array(rows) / np.sum(rows, axis=1, keepdims=True)
    prior = np.log([0.2, 0.3, 0.5])
    found = estimate_shares(np.log(probabilities), prior)
    assert found.sum() == pytest.approx(1)
    assert (found >= 0).all()

    def likelihood(shares: Any) -> float:
        return float(np.log((probabilities * shares / np.exp(prior)).sum(axis=1)).sum())

    assert likelihood(found) >= likelihood(np.exp(prior)) - 1e-9
    assert likelihood(found) >= likelihood(np.full(3, 1 / 3)) - 1e-3


def test_a_class_with_the_prior_0_stays_without_texts() -> None:
    model = NaiveBayes(prior={"negative": 0.0, "positive": 1.0}).fit(TEXTS, LABELS)
    assert model.estimate_prior(TEXTS) == {"negative": 0.0, "positive": 1.0}


def test_no_texts_have_no_shares() -> None:
    with pytest.raises(LengthError, match="no texts"):
        NaiveBayes().fit(TEXTS, LABELS).estimate_prior([])

"""Shares of the classes, estimated from texts without labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.core.shift import estimate_shares, implied_prior
from likely.errors import LengthError
from likely.sample import load_sample

TEXTS, LABELS = load_sample()


shares = st.lists(st.integers(1, 100), min_size=3, max_size=3)


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


def test_the_implied_prior_gives_the_true_shares() -> None:
    rng = np.random.default_rng(6)
    truth = np.array([0.6, 0.3, 0.1])
    own = rng.choice(3, 5_000, p=truth)
    logs = rng.normal(size=(5_000, 3)) + 1.5 * np.eye(3)[own] + [0.0, 2.0, -1.0]  # a model that prefers the second
    logs -= np.log(np.exp(logs).sum(axis=1, keepdims=True))
    gold = np.bincount(own) / len(own)
    assert np.abs(estimate_shares(logs, np.log(truth)) - gold).max() > 0.3
    assert estimate_shares(logs, np.log(implied_prior(logs, own))) == pytest.approx(gold, abs=0.01)


def test_an_implied_prior_is_finite_whatever_the_probabilities() -> None:
    with np.errstate(divide="ignore"):
        sure = np.log(np.eye(3)[[0, 0, 1, 1]])
    for gold in ([0, 0, 1, 1], [1, 1, 0, 0], [0, 0, 0, 0]):
        found = implied_prior(sure, np.array(gold))
        assert found.sum() == pytest.approx(1)
        assert (found > 0).all()


@pytest.mark.parametrize("variant", ["multinomial", "complement", "complement_normalized", "nbsvm"])
def test_fresh_texts_have_the_shares_of_the_training_data(variant: Any) -> None:
    some = [at for at in range(480) if LABELS[at] == "positive" or at % 8 < 4]
    texts, labels = [TEXTS[at] for at in some], [LABELS[at] for at in some]
    model = NaiveBayes(variant=variant, calibrate=True).fit(texts[:240], labels[:240])
    expected = labels[240:].count("positive") / len(labels[240:])
    assert model.estimate_prior(texts[240:])["positive"] == pytest.approx(expected, abs=0.1)

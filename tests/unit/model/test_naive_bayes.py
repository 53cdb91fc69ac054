"""The model: edges of the definition, and what it says before it has learned."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes
from likely.errors import (
    ImpossibleWarning,
    NotFittedError,
    NotLearnedError,
    OptionError,
)

Reviews = tuple[list[str], list[str]]


def test_not_fitted() -> None:
    model = NaiveBayes()
    calls: list[Any] = [
        lambda: model.predict(["a"]),
        lambda: model.predict_proba(["a"]),
        lambda: model.explain("a"),
        lambda: model.classes_,
        lambda: model.class_documents_,
        lambda: model.vocabulary_,
        lambda: model.log_prior_,
        lambda: model.counts("a"),
        model.counts_table,
        lambda: model.ratio("a"),
        lambda: model.top_words("x"),
    ]
    for call in calls:
        with pytest.raises(NotFittedError, match="call fit or learn"):
            call()
    with pytest.raises(NotLearnedError, match="never learned"):
        model.forget(["a"], ["x"])
    assert not (model + model).__sklearn_is_fitted__()
    assert repr(NaiveBayes(alpha=0.5, ngrams=(1, 2))) == "NaiveBayes(alpha=0.5, ngrams=(1, 2))"


def test_one_class() -> None:
    model = NaiveBayes().fit(["a b", "c"], ["only", "only"])
    assert model.predict_proba(["a", "unknown", ""]).tolist() == [[1.0]] * 3
    assert model.explain("a").label == "only"
    assert model.top_words("only", 2) == [("a", math.log(1 / 3)), ("b", math.log(1 / 3))]


def test_unknown_words_leave_the_prior(reviews: Reviews) -> None:
    for alpha in (0, 1.0):
        model = NaiveBayes(alpha=alpha).fit(*reviews)
        proba = model.predict_proba(["", "unheard", "!?"])
        np.testing.assert_allclose(proba, [[0.4, 0.6]] * 3, rtol=1e-15)


def test_documents_without_words() -> None:
    model = NaiveBayes().fit(["", "!", ""], ["a", "b", "b"])
    assert model.vocabulary_ == []
    assert model.predict(["anything"]).tolist() == ["b"]
    assert str(model.explain("anything")).endswith("Decision: b")
    assert model.top_words("a") == []
    model.learn(["word", "other"] * 3, ["c", "d"] * 3)
    assert model.predict(["word"]).tolist() == ["c"]


@pytest.mark.filterwarnings("ignore::likely.errors.ImpossibleWarning")
@pytest.mark.parametrize("alpha", [0, 5e-324, 1e-300, 1e200, 1e290])
def test_extreme_alphas(alpha: float, reviews: Reviews) -> None:
    model = NaiveBayes(alpha=alpha).fit(*reviews)
    texts = ["predictable with no fun", "boring fun", "", "very very very"]
    proba = model.predict_proba(texts)
    assert np.isfinite(proba).all()
    np.testing.assert_allclose(proba.sum(axis=1), 1, atol=1e-12)
    for text in texts:
        explanation = model.explain(text)
        assert not any(math.isnan(score) for score in explanation.scores.values())
        assert str(explanation)
        assert explanation._repr_html_()
    ratio = model.ratio("boring")
    assert ratio.ratio is None or not math.isnan(ratio.ratio)


def test_alpha_0_gives_real_zeros(reviews: Reviews) -> None:
    model = NaiveBayes(alpha=0).fit(*reviews)
    assert model.predict_proba(["boring"]).tolist() == [[0.0, 1.0]]
    joint = model.predict_joint_log_proba(["boring fun"])
    assert np.isneginf(joint).all()
    with pytest.warns(ImpossibleWarning, match="0/0 is not defined"):  # no class can have written it
        np.testing.assert_allclose(model.predict_proba(["boring fun"]), [[0.4, 0.6]])
    with pytest.warns(ImpossibleWarning, match="0/0 is not defined"):
        assert model.predict(["boring fun"]).tolist() == ["-"]
    assert model.explain("boring fun").log_odds is None
    assert model.ratio("boring", "+", "-").ratio == 0.0
    assert model.ratio("boring", "-", "+").ratio == math.inf
    assert model.ratio("unheard", "-", "+").ratio is None


def test_a_million_tokens() -> None:
    model = NaiveBayes().fit(["a b", "b c"], ["x", "y"])
    text = "a b c unknown " * 250_000
    joint = model.predict_joint_log_proba([text])[0]
    expected = math.fsum([math.log(0.5), *[250_000 * math.log(p / 5) for p in (2, 2, 1)]])
    assert joint[0] == pytest.approx(expected, rel=1e-14)
    np.testing.assert_allclose(model.predict_proba([text]), [[0.5, 0.5]], atol=1e-6)
    assert model.explain(text[:70_000]).terms[0].count == 5_000


def test_ten_thousand_classes() -> None:
    numbers = range(10_000)
    texts = [f"shared unique{number} pair{number // 2}" for number in numbers]
    model = NaiveBayes().fit(texts, list(numbers))
    assert model.predict(texts[::100]).tolist() == list(numbers[::100])
    proba = model.predict_proba(texts[:5])
    np.testing.assert_allclose(proba.sum(axis=1), 1, atol=1e-9)
    explanation = model.explain(texts[7])
    assert explanation.label == 7
    assert len(str(explanation)) < 5_000
    assert len(explanation._repr_html_()) < 5_000
    model.learn(["shared novelty"], [10_000])
    assert model.predict(["novelty"]).tolist() == [10_000]


def test_the_labels_it_gives_are_taken_back() -> None:
    for labels in (["+", "-"], [1, 0], [True, False]):
        model = NaiveBayes().fit(["good", "bad"], labels)
        for label in model.classes_:  # numpy's own kinds
            assert model.top_words(label)
            assert model.log_likelihood("good", label) < 0
        assert model.ratio("good", *model.predict(["good", "bad"])).ratio == 2.0


def test_a_prior_of_nothing_but_zeros_is_refused() -> None:
    model = NaiveBayes(prior={"+": 0, "-": 0, "z": 1}).fit(["good", "bad"], ["+", "-"])
    with pytest.raises(OptionError, match="share 0"):
        model.predict_proba(["good"])


def test_a_generator_may_change_the_model_it_is_predicted_with() -> None:
    model = NaiveBayes().fit(["good fun"] * 3 + ["dull bad"] * 3 + ["odd"], ["+"] * 3 + ["-"] * 3 + ["z"])

    def texts() -> Any:
        model.forget(["odd"], ["z"])
        yield "good good fun"

    assert model.predict(texts()).tolist() == ["+"]


def test_ties_go_to_the_first_class() -> None:
    model = NaiveBayes().fit(["b", "a"], ["second", "first"])
    assert model.predict(["", "a b", "b"]).tolist() == ["first", "first", "second"]


def test_score_may_be_weighted(reviews: Reviews) -> None:
    model = NaiveBayes().fit(*reviews)
    assert model.score(*reviews) == 1.0
    assert model.score(["boring", "boring"], ["-", "+"], sample_weight=[3, 1]) == 0.75

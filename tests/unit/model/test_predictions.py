"""Answers of a model: priors for a different world, and all answers at once."""

from __future__ import annotations

import pickle
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


@pytest.fixture(scope="module")
def model() -> NaiveBayes:
    return NaiveBayes().fit(TEXTS[:240], LABELS[:240])


def test_another_prior_where_the_prior_of_the_model_has_a_zero() -> None:
    model = NaiveBayes(prior={"a": 1.0, "b": 0.0}).fit(["x y", "z"], ["a", "b"])
    plain = NaiveBayes().fit(["x y", "z"], ["a", "b"])
    for prior in ("uniform", {"a": 0.3, "b": 0.7}):
        expected = plain.predict_proba(["x", "z"], prior=prior)
        np.testing.assert_allclose(model.predict_proba(["x", "z"], prior=prior), expected)
    assert model.predict(["z"], prior="uniform").tolist() == ["b"]
    assert model.predict(["z"], prior="uniform", abstain=0.9).tolist() == [None]
    assert model.predict_top(["z"], 2, prior="uniform")[0].tolist() == [["b", "a"]]
    assert model.predict_proba(["z"]).tolist() == [[1.0, 0.0]]
    assert model.explain("z").posterior == {"a": 1.0, "b": 0.0}


def test_the_probabilities_of_a_very_long_text_add_up_to_one() -> None:
    text = " ".join(map(str, range(2_000_000)))
    model = NaiveBayes().fit(["good film", text, "bad", "so"], ["+", "+", "-", "0"])
    assert abs(model.predict_proba([text, "bad"]).sum(axis=1) - 1).max() < 1e-12


@pytest.mark.parametrize("options", [{}, {"calibrate": True}, {"alpha": 0}, {"variant": "nbsvm"}], ids=str)
def test_the_decision_function_of_two_classes_is_the_log_odds(options: dict[str, Any]) -> None:
    model = NaiveBayes(**options).fit(TEXTS, LABELS)
    odds = model.decision_function(NEW)
    assert odds.shape == (len(NEW),)
    assert np.isfinite(odds).all()
    assert (model.classes_[(odds > 0).astype(int)] == model.predict(NEW)).all()
    second = model.predict_proba(NEW)[:, 1]
    np.testing.assert_allclose(1 / (1 + np.exp(-np.clip(odds, -700, 700))), second, rtol=1e-9, atol=1e-12)


def test_the_decision_function_of_more_classes_is_the_scores() -> None:
    model = NaiveBayes().fit(SMALL, OF_SMALL)
    np.testing.assert_array_equal(model.decision_function(SMALL), model.predict_joint_log_proba(SMALL))
    assert model.decision_function([]).shape == (0, 3)
    assert NaiveBayes().fit(["a", "b"], [0, 1]).decision_function([]).shape == (0,)


@pytest.mark.parametrize(
    ("labels", "reject"),
    [(["+", "-"], "nobody knows"), ([1, 0], -1), (["+", "-"], ""), ([1, 0], np.int64(7))],
    ids=str,
)
def test_a_reject_label_keeps_the_type_of_the_labels(labels: list[Any], reject: Any) -> None:
    model = NaiveBayes(abstain={"probability": 0.6, "label": reject}).fit(["good fun", "dull"], labels)
    found = model.predict(["good fun", "dull dull", "unheard of"])
    assert found.tolist() == [*labels, reject]
    assert found.dtype.kind == model.classes_.dtype.kind
    typed = {"probability": 0.6, "label": str(reject)}  # as on the command line
    told = model.set_params(abstain=typed).predict(["unheard of"])
    assert told.tolist() == [reject]
    assert model.predict(["unheard of"], abstain=0).tolist() == [model.classes_[0]]
    assert likely_again(model).predict(["unheard of"]).tolist() == [reject]


def likely_again(model: NaiveBayes) -> NaiveBayes:
    copy: NaiveBayes = pickle.loads(pickle.dumps(model))
    return copy


def test_a_reject_label_must_not_be_a_class() -> None:
    model = NaiveBayes(abstain={"probability": 0.9, "label": "?"})
    with pytest.raises(OptionError, match="the label '\\?' is one of the classes"):
        model.fit(["a", "b"], ["?", "x"])
    model.fit(["a", "b"], ["y", "x"])
    with pytest.raises(OptionError, match="is one of the classes"):
        model.learn(["c"], ["?"])
    assert model.classes_.tolist() == ["x", "y"]
    with pytest.raises(OptionError, match="is of type int, but the labels are of type str: give one of their type"):
        model.set_params(abstain={"probability": 0.9, "label": 1}).predict(["a"])
    with pytest.raises(OptionError, match="bool has no third value, so train on text or numbers"):
        NaiveBayes(abstain={"probability": 0.9, "label": "?"}).fit(["a", "b"], [True, False]).predict(["a"])
    with pytest.raises(OptionError, match="abstain"):
        NaiveBayes(abstain={"probability": 0.9, "label": 2.5})


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"ngrams": (1, 2)},
        {"ngrams": (2, 3), "min_documents": 2},
        {"analyzer": "char", "ngrams": (2, 3)},
        {"analyzer": "both", "ngrams": ((1, 2), (2, 3))},
        {"hash_bits": 10, "ngrams": (1, 2)},
        {"stop_words": "en", "stem": "english", "negation": "on", "ngrams": (1, 2)},
        {"weighting": "tfidf", "norm": "l2", "min_documents": 2},
        {"weighting": "tfidf", "document_weight": "equal", "ngrams": (1, 2)},
        {"variant": "nbsvm", "min_documents": 2},
        {"spelling": "on", "ngrams": (1, 2)},
        {"variant": "bernoulli", "max_terms": 20},
    ],
    ids=str,
)
def test_the_share_of_known_terms_is_that_of_the_terms_one_by_one(options: dict[str, Any]) -> None:
    model = NaiveBayes(**options).fit(TEXTS[:20], LABELS[:20])
    found = model.known(NEW)
    for text, share in zip(NEW, found.tolist(), strict=True):
        terms = model._read_terms([each.term for each in model.analysis_.terms(text)])
        assert share == (sum(model.knows(terms)) / len(terms) if terms else 0.0), text
        assert model.explain(text).known == share
    assert 0 < found.mean() < 1
    assert np.array_equal(found, np.concatenate([model.known([text]) for text in NEW]))
    assert model.known([]).shape == (0,)


@pytest.mark.parametrize("options", [{}, {"calibrate": True}, {"variant": "complement"}], ids=str)
@pytest.mark.parametrize("abstain", [None, 0.8])
def test_everything_at_once_is_what_the_methods_answer(options: dict[str, Any], abstain: float | None) -> None:
    model = NaiveBayes(**options).fit(TEXTS, LABELS)
    prior = {model.classes_[0]: 0.3, model.classes_[1]: 0.7}
    for asked in (NEW, []):
        found = model._predict_all(asked, 5, prior=prior, abstain=abstain)
        assert found.answers.tolist() == model.predict(asked, prior=prior, abstain=abstain).tolist()
        labels, probabilities = model.predict_top(asked, 5, prior=prior)
        assert found.labels.tolist() == labels.tolist() if asked else not len(found.labels)
        np.testing.assert_array_equal(found.probabilities, probabilities[:, :2])
        np.testing.assert_array_equal(found.known, model.known(asked))

"""The numbers of scikit-learn's MultinomialNB on the same tokens, to 1e-10; and its contract."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes, analyze
from likely.sample import load_sample
from likely.vectorize import vectorize
from sklearn import config_context
from sklearn.base import clone, is_classifier
from sklearn.calibration import CalibratedClassifierCV
from sklearn.ensemble import VotingClassifier
from sklearn.exceptions import SkipTestWarning, UnsetMetadataPassedError
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import get_scorer, roc_auc_score
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from sklearn.naive_bayes import MultinomialNB
from sklearn.pipeline import Pipeline
from sklearn.utils.estimator_checks import check_estimator

TEXTS, LABELS = load_sample()
TRAIN, TEST = slice(0, 380), slice(380, 480)


def peer(alpha: float, *, binary: bool, ngrams: tuple[int, int], prior: Any, weight: Any = None) -> Any:
    counter = CountVectorizer(analyzer=lambda text: [t.term for t in analyze(text, ngrams=ngrams)], binary=binary)
    matrix = counter.fit_transform(TEXTS[TRAIN])
    classifier = MultinomialNB(alpha=alpha, fit_prior=prior == "fitted", force_alpha=True)
    return counter, classifier.fit(matrix, LABELS[TRAIN], sample_weight=weight)


@pytest.mark.parametrize("alpha", [1e-3, 0.5, 1.0, 20.0])
@pytest.mark.parametrize("variant", ["multinomial", "binary"])
@pytest.mark.parametrize("ngrams", [(1, 1), (1, 2)])
@pytest.mark.parametrize("prior", ["fitted", "uniform"])
def test_scores_and_probabilities(alpha: float, variant: Any, ngrams: tuple[int, int], prior: Any) -> None:
    counter, classifier = peer(alpha, binary=variant == "binary", ngrams=ngrams, prior=prior)
    model = NaiveBayes(alpha=alpha, variant=variant, ngrams=ngrams, prior=prior).fit(TEXTS[TRAIN], LABELS[TRAIN])
    matrix = counter.transform(TEXTS[TEST])
    assert model.classes_.tolist() == classifier.classes_.tolist()
    np.testing.assert_allclose(model.log_prior_, classifier.class_log_prior_, atol=1e-12)
    joint = model.predict_joint_log_proba(TEXTS[TEST])
    np.testing.assert_allclose(joint, classifier.predict_joint_log_proba(matrix), rtol=1e-12, atol=1e-10)
    np.testing.assert_allclose(
        model.predict_log_proba(TEXTS[TEST]), classifier.predict_log_proba(matrix), rtol=1e-10, atol=1e-10
    )
    assert model.predict(TEXTS[TEST]).tolist() == classifier.predict(matrix).tolist()


def test_learned_arrays() -> None:
    counter, classifier = peer(1.0, binary=False, ngrams=(1, 1), prior="fitted")
    model = NaiveBayes().fit(TEXTS[TRAIN], LABELS[TRAIN])
    assert model.vocabulary_ == counter.get_feature_names_out().tolist()
    table = model.ratio_table("positive", "negative")
    np.testing.assert_allclose(np.log(table["p_a"]), classifier.feature_log_prob_[1], atol=1e-12)
    np.testing.assert_allclose(np.log(table["p_b"]), classifier.feature_log_prob_[0], atol=1e-12)


def test_sample_weights() -> None:
    weight = np.random.default_rng(3).random(380) * 3
    counter, classifier = peer(1.0, binary=False, ngrams=(1, 1), prior="fitted", weight=weight)
    model = NaiveBayes().fit(TEXTS[TRAIN], LABELS[TRAIN], sample_weight=weight)
    joint = model.predict_joint_log_proba(TEXTS[TEST])
    expected = classifier.predict_joint_log_proba(counter.transform(TEXTS[TEST]))
    np.testing.assert_allclose(joint, expected, rtol=1e-12, atol=1e-10)


def test_vectorize_counts_as_count_vectorizer_does() -> None:
    matrix = vectorize(TEXTS, ngrams=(1, 2))
    counter = CountVectorizer(analyzer=lambda text: [t.term for t in analyze(text, ngrams=(1, 2))])
    expected = counter.fit_transform(TEXTS)
    assert matrix.terms == counter.get_feature_names_out().tolist()
    assert (matrix.to_scipy() != expected).nnz == 0


def test_estimator_checks() -> None:
    # scikit-learn's own checks feed numbers, which a text estimator says it does not take: one is left, the rest are
    # the tests below.
    with pytest.warns(SkipTestWarning):
        results = check_estimator(NaiveBayes())
    assert [(result["check_name"], result["status"]) for result in results] == [
        ("check_estimator_cloneable", "passed")
    ]


def test_fit_returns_itself_changes_no_option_and_starts_anew() -> None:
    model = NaiveBayes(alpha=0.5)
    before = model.get_params()
    assert model.fit(TEXTS[:100], LABELS[:100]) is model
    assert model.get_params() == before
    once = model.fit(TEXTS, LABELS).predict_joint_log_proba(TEXTS)
    assert np.array_equal(model.fit(TEXTS, LABELS).predict_joint_log_proba(TEXTS), once)


def test_scorers_calibration_voting_and_weights() -> None:
    assert cross_val_score(NaiveBayes(), TEXTS, LABELS, cv=3, scoring="neg_log_loss").mean() < 0
    assert cross_val_score(NaiveBayes(), TEXTS, LABELS, cv=3, scoring="roc_auc").mean() > 0.8
    abstaining = NaiveBayes(abstain={"probability": 0.9, "label": "nobody knows"})
    for scoring in ("accuracy", "f1_macro"):
        scores = cross_val_score(abstaining, TEXTS, LABELS, cv=3, scoring=scoring, error_score="raise")
        assert 0 < scores.mean() < 1
    model = NaiveBayes().fit(TEXTS, LABELS)
    assert get_scorer("roc_auc")(model, TEXTS, LABELS) == roc_auc_score(LABELS, model.decision_function(TEXTS))
    calibrated = CalibratedClassifierCV(NaiveBayes(), cv=3).fit(TEXTS, LABELS)
    assert calibrated.predict_proba(TEXTS[:3]).shape == (3, 2)
    votes = VotingClassifier([("one", NaiveBayes()), ("two", NaiveBayes(ngrams=(1, 2)))]).fit(TEXTS, LABELS)
    assert votes.score(TEXTS, LABELS) > 0.9
    search = GridSearchCV(NaiveBayes(), {"lowercase": np.array([True, False])}, cv=3)
    search.fit(TEXTS, LABELS, sample_weight=np.ones(len(TEXTS)))
    assert search.best_score_ > 0.75


def test_clone_keeps_options_and_drops_what_was_learned() -> None:
    model = NaiveBayes(alpha=0.5, ngrams=(1, 2), prior={"a": 0.5, "b": 0.5}).fit(["x", "y"], ["a", "b"])
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert not copy.__sklearn_is_fitted__()
    assert is_classifier(model)


@pytest.mark.slow
def test_cross_validation_and_grid_search() -> None:
    scores = cross_val_score(NaiveBayes(), TEXTS, LABELS, cv=5)
    assert scores.mean() > 0.75
    search = GridSearchCV(NaiveBayes(), {"alpha": [0.5, 1.0], "ngrams": [(1, 1), (1, 2)]}, cv=3, n_jobs=2)
    search.fit(TEXTS, LABELS)
    assert search.best_estimator_.predict(["a wonderful delicious meal"])[0] == "positive"


def test_pipeline() -> None:
    class Shout:
        def fit(self, texts: Any, y: Any = None) -> Shout:
            return self

        def transform(self, texts: list[str]) -> list[str]:
            return [text.upper() for text in texts]

    pipeline = Pipeline([("shout", Shout()), ("model", NaiveBayes(lowercase=False))])
    pipeline.fit(["good", "bad"], [1, 0])
    assert pipeline.predict(["Good"]).tolist() == [1]
    assert pipeline.score(["good", "bad"], [1, 0]) == 1.0


def test_pickle_is_data_only() -> None:
    model = NaiveBayes(alpha=0.5).fit(TEXTS, LABELS, sample_weight=np.linspace(0, 2, len(TEXTS)))
    data = pickle.dumps(model)
    copy = pickle.loads(data)
    assert copy.get_params() == model.get_params()
    assert np.array_equal(copy.predict_joint_log_proba(TEXTS), model.predict_joint_log_proba(TEXTS))
    assert pickle.dumps(copy) == data
    unfitted = pickle.loads(pickle.dumps(NaiveBayes(ngrams=(1, 3))))
    assert unfitted.get_params() == NaiveBayes(ngrams=(1, 3)).get_params()


def test_metadata_is_routed_as_to_estimators_of_scikit_learn() -> None:
    weights, groups = np.linspace(0.5, 2, len(TEXTS)), np.arange(len(TEXTS)) // 2
    model: Any = NaiveBayes(tune="auto")
    assert clone(model.set_fit_request(groups=True)).get_metadata_routing().fit.requests == {
        "sample_weight": None,
        "groups": True,
    }
    with pytest.raises(TypeError, match="unexpected keyword argument 'colour'"):
        model.set_fit_request(colour=True)
    with pytest.raises(AttributeError, match="set_predict_request"):
        model.set_predict_request()
    asked: Any = NaiveBayes()
    with config_context(enable_metadata_routing=True):
        with pytest.raises(UnsetMetadataPassedError):
            GridSearchCV(NaiveBayes(), {"alpha": [1.0]}, cv=3).fit(TEXTS, LABELS, sample_weight=weights)
        asked.set_fit_request(sample_weight=True, groups=True).set_score_request(sample_weight=True)
        search = GridSearchCV(asked, {"alpha": [0.5]}, cv=GroupKFold(3)).fit(
            TEXTS, LABELS, sample_weight=weights, groups=groups
        )
    expected = NaiveBayes(alpha=0.5).fit(TEXTS, LABELS, sample_weight=weights)
    assert np.array_equal(search.predict_proba(TEXTS), expected.predict_proba(TEXTS))

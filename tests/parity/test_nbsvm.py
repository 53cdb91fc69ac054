"""The variant nbsvm against scikit-learn's solvers on the same features, and against what is worked out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes, _native
from likely.core import nbsvm
from likely.core.counts import rows_of
from likely.core.cross_validation import Folded
from likely.options.compound import NBSVM
from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC
from sklearn.utils.class_weight import compute_sample_weight

TEXTS = [
    "good fun and good plot",
    "good end",
    "a fun plot",
    "bad plot",
    "bad bad end",
    "dull and long",
    "so so",
    "so long",
    "so it is and so on",
]
LABELS = ["+", "+", "+", "-", "-", "-", "0", "0", "0"]


@pytest.fixture
def exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solutions as exact as they get."""
    monkeypatch.setattr(nbsvm, "TOLERANCE", 1e-14)
    monkeypatch.setattr(nbsvm, "MOST_ROUNDS", 100_000)
    monkeypatch.setattr(nbsvm, "FINENESS", 2.0**-22)


def peer(loss: str, cost: float) -> Any:
    if loss == "hinge":
        return LinearSVC(C=cost, tol=1e-9, max_iter=1_000_000, random_state=0)
    return LogisticRegression(C=cost, solver="liblinear", tol=1e-9, max_iter=100_000, random_state=0)


@pytest.mark.parametrize("cost", [0.1, 1.0, 10.0])
@pytest.mark.parametrize("loss", ["hinge", "logistic"])
def test_the_solver_finds_what_liblinear_finds(loss: str, cost: float) -> None:
    random = np.random.default_rng(5)
    matrix = random.normal(size=(80, 12)) * (random.random((80, 12)) < 0.4)
    own = (matrix @ random.normal(size=12) + random.normal(size=80) > 0).astype(np.uint32)
    factors = random.normal(size=(1, 12))
    rows, columns = np.nonzero(matrix)
    starts = np.searchsorted(rows, np.arange(81)).astype(np.int64)
    values = matrix[rows, columns].astype(np.float32)
    costs, scales = np.where(own == 1, cost, -cost)[None], np.ones((1, 80))
    table = _native.Ragged(starts, columns.astype(np.uint32), values, 12)
    found = _native.LinearSolver(loss, 1e-14, 100_000, 1).solve(table, costs, scales, factors)[0]
    model = peer(loss, cost).fit(matrix.astype(np.float32).astype(np.float64) * factors, own)
    assert np.allclose(found[:-1], model.coef_[0] * factors[0], atol=1e-5)
    assert found[-1] == pytest.approx(model.intercept_[0], abs=1e-5)


OPTIONS: list[dict[str, Any]] = [
    {},
    {"nbsvm": {"loss": "logistic", "cost": 3.0}},
    {"norm": "l2", "alpha": 0.5},
    {"weighting": "tfidf_smooth", "norm": "l2", "nbsvm": {"cost": 4.0}, "ngrams": (1, 2)},
    {"weighting": "tfidf_raw", "min_documents": 2},
    {"nbsvm": {"interpolation": 0.25}, "max_terms": 8},
]


@pytest.mark.usefixtures("exactly")
@pytest.mark.parametrize("labels", [LABELS, ["+" if label == "+" else "-" for label in LABELS]])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_scores_are_those_of_liblinear_on_ratios(options: dict[str, Any], labels: list[str]) -> None:
    model = NaiveBayes(variant="nbsvm", **options).fit(TEXTS, labels)
    vocabulary, classes = model.vocabulary_, model.classes_.tolist()
    features, presence = features_of(model, TEXTS, vocabulary), presence_of(model, TEXTS, vocabulary)
    new = ["good long end", "so bad plot", "unheard of", TEXTS[0]]
    details: Any = {**NBSVM, **(model.nbsvm or {})}
    scores = {}
    for label in classes[1:] if len(classes) == 2 else classes:
        inside = np.array([each == label for each in labels])
        p, q = (presence[some].sum(axis=0) + model.alpha for some in (inside, ~inside))
        ratio = np.log((p / p.sum()) / (q / q.sum()))
        found = peer(details["loss"], details["cost"]).fit(features * ratio, inside)
        beta, weights = details["interpolation"], found.coef_[0]
        weights = (1 - beta) * np.abs(weights).mean() + beta * weights
        scores[label] = features_of(model, new, vocabulary) * ratio @ weights + found.intercept_[0]
    if len(classes) == 2:
        scores = {"+": -scores["-"] / 2, "-": scores["-"] / 2}
    expected = np.stack([scores[label] for label in classes], axis=1)
    assert np.allclose(model.predict_joint_log_proba(new), expected, atol=2e-5)


def features_of(model: NaiveBayes, texts: list[str], vocabulary: list[str]) -> Any:
    """What each term counts in each text, worked out the plain way."""
    terms = [[t.term for t in model._snapshot().counts.analyzer.terms(text)] for text in texts]
    counts = np.array([[found.count(term) for term in vocabulary] for found in terms], float)
    values = (counts > 0).astype(float)
    if model.weighting != "counts":
        frequencies = presence_of(model, TEXTS, vocabulary).sum(axis=0)
        plain = np.log(len(TEXTS) / frequencies)
        idf = np.log((1 + len(TEXTS)) / (1 + frequencies)) + 1 if "smooth" in model.weighting else plain
        tf = counts if "raw" in model.weighting else np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0)
        values = tf * idf
    if model.norm == "l2":
        lengths = np.sqrt((values**2).sum(axis=1, keepdims=True))
        values = np.divide(values, lengths, out=values, where=lengths > 0)
    return values


def presence_of(model: NaiveBayes, texts: list[str], vocabulary: list[str]) -> Any:
    terms = [{t.term for t in model._snapshot().counts.analyzer.terms(text)} for text in texts]
    return np.array([[term in found for term in vocabulary] for found in terms], float)


@pytest.mark.usefixtures("exactly")
def test_two_words_by_hand() -> None:
    # r is log 2 and -log 2, b is 0 by symmetry, and w^2 / 2 + (1 - r w)^2 is least at w = 2 r / (1 + 2 r^2).
    square = math.log(2) ** 2
    weight = 2 * square / (1 + 2 * square)
    model = NaiveBayes(variant="nbsvm").fit(["good", "bad"], ["+", "-"])
    expected = np.array([[weight, -weight], [-weight, weight], [0, 0]]) / 2
    assert np.allclose(model.predict_joint_log_proba(["good", "bad", ""]), expected, atol=1e-7)
    assert model.predict_proba(["good"])[0, 0] == pytest.approx(1 / (1 + math.exp(-weight)), abs=1e-7)


@pytest.mark.usefixtures("exactly")
def test_without_what_was_learned_it_is_naive_bayes() -> None:
    model = NaiveBayes(variant="nbsvm", nbsvm={"interpolation": 0}).fit(TEXTS[:6], LABELS[:6])
    plain = NaiveBayes(variant="binary", prior="uniform").fit(TEXTS[:6], LABELS[:6])
    odds = [
        np.diff(each.predict_joint_log_proba(["good plot", "bad end", "", "long"]))[:, 0] for each in (model, plain)
    ]
    bias, scale = odds[0][2], (odds[0][0] - odds[0][2]) / (odds[1][0] - odds[1][2])
    assert np.allclose(odds[0], bias + scale * odds[1], atol=1e-6)


@pytest.mark.usefixtures("exactly")
def test_a_weight_is_so_many_documents() -> None:
    weighed = NaiveBayes(variant="nbsvm").fit(TEXTS, LABELS, sample_weight=[2, 1, 0, 1, 1, 1, 1, 1, 1])
    repeated = NaiveBayes(variant="nbsvm").fit(
        [TEXTS[0], TEXTS[0], TEXTS[1], *TEXTS[3:]], ["+", *LABELS[:2], *LABELS[3:]]
    )
    assert np.allclose(weighed.predict_joint_log_proba(TEXTS), repeated.predict_joint_log_proba(TEXTS), atol=1e-5)


@pytest.mark.usefixtures("exactly")
@pytest.mark.parametrize("class_weight", ["balanced", {"+": 4.0}], ids=str)
def test_the_weight_of_a_class_is_that_of_each_of_its_documents(class_weight: Any) -> None:
    texts, labels = TEXTS[:8], LABELS[:8]
    weights = compute_sample_weight(class_weight, labels)
    by_class = NaiveBayes(variant="nbsvm", class_weight=class_weight).fit(texts, labels)
    by_document = NaiveBayes(variant="nbsvm").fit(texts, labels, sample_weight=weights)
    assert np.allclose(by_class.predict_joint_log_proba(TEXTS), by_document.predict_joint_log_proba(TEXTS), atol=1e-5)
    assert not np.allclose(
        by_class.predict_joint_log_proba(TEXTS),
        NaiveBayes(variant="nbsvm").fit(texts, labels).predict_joint_log_proba(TEXTS),
        atol=1e-2,
    )


@pytest.mark.usefixtures("exactly")
@pytest.mark.parametrize("class_weight", ["balanced", {"+": 4.0}], ids=str)
def test_two_weighted_classes_are_those_of_liblinear(class_weight: Any) -> None:
    labels = ["+" if label == "+" else "-" for label in LABELS]
    model = NaiveBayes(variant="nbsvm", class_weight=class_weight).fit(TEXTS, labels)
    presence, inside = presence_of(model, TEXTS, model.vocabulary_), np.array(labels) == "-"
    weighed = presence * compute_sample_weight(class_weight, labels)[:, None]
    p, q = (weighed[some].sum(axis=0) + model.alpha for some in (inside, ~inside))
    ratio = np.log((p / p.sum()) / (q / q.sum()))
    theirs = LinearSVC(tol=1e-9, max_iter=1_000_000, random_state=0, class_weight=class_weight)
    expected = theirs.fit(presence * ratio, labels).decision_function(presence * ratio)
    assert np.allclose(np.diff(model.predict_joint_log_proba(TEXTS))[:, 0], expected, atol=2e-5)


@pytest.mark.usefixtures("exactly")
@pytest.mark.parametrize("options", [*OPTIONS[:5], {"class_weight": "balanced"}], ids=str)
def test_cross_validation_learns_from_the_other_folds_only(options: dict[str, Any]) -> None:
    model = NaiveBayes(variant="nbsvm", **options).fit(TEXTS, LABELS)
    own = np.searchsorted(model.classes_, LABELS).astype(np.uint32)
    folds = np.arange(9) % 3
    rows = rows_of(model._snapshot().counts, TEXTS, 2)
    scores = Folded(model._snapshot().counts, rows, own, folds).by(model._snapshot().rules).scores(range(3), 2)
    for fold in range(3):
        some, others = (
            [t for t, f in zip(TEXTS, folds, strict=True) if (f == fold) == held] for held in (True, False)
        )
        labels = [label for label, f in zip(LABELS, folds, strict=True) if f != fold]
        expected = NaiveBayes(variant="nbsvm", **options).fit(others, labels).predict_joint_log_proba(some)
        assert np.allclose(scores[folds == fold], expected, atol=1e-5)

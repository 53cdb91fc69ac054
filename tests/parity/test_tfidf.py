"""Weighted and pruned models against scikit-learn's vectorizers and MultinomialNB on the same terms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes, analyze
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.naive_bayes import MultinomialNB

rng = np.random.default_rng(7)
WORDS = [f"w{i}" for i in range(60)] + ["the"]
TEXTS = [" ".join(rng.choice(WORDS, size=rng.integers(1, 40)).tolist()) + " the" for _ in range(200)]
LABELS = rng.choice(["a", "b", "c"], size=200).tolist()
ASKED = [*TEXTS[:50], "", "unheard of", "w1 w1 w1 w2 unheard"]


def words(text: str) -> list[str]:
    return [term.term for term in analyze(text, ngrams=(1, 2))]


def theirs(vectorizer: Any, alpha: float) -> Any:
    model = MultinomialNB(alpha=alpha).fit(vectorizer.fit_transform(TEXTS), LABELS)
    return model.predict_joint_log_proba(vectorizer.transform(ASKED))


@pytest.mark.parametrize("alpha", [1.0, 0.05])
@pytest.mark.parametrize("norm", [None, "l2"])
@pytest.mark.parametrize("sublinear", [False, True])
def test_tfidf(sublinear: bool, norm: str | None, alpha: float) -> None:
    vectorizer = TfidfVectorizer(analyzer=words, sublinear_tf=sublinear, norm=norm, smooth_idf=True)
    model = NaiveBayes(
        ngrams=(1, 2),
        alpha=alpha,
        weighting="tfidf_smooth" if sublinear else "tfidf_raw_smooth",
        norm="l2" if norm else "none",
    ).fit(TEXTS, LABELS)
    assert np.allclose(model.predict_joint_log_proba(ASKED), theirs(vectorizer, alpha), rtol=0, atol=1e-10)


BOUNDS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"min_df": 3}, {"min_documents": 3}),
    ({"max_df": 0.4}, {"max_documents": 0.4}),
    ({"min_df": 0.02, "max_df": 150}, {"min_documents": 0.02, "max_documents": 150}),
]


@pytest.mark.parametrize("norm", [None, "l2"])
@pytest.mark.parametrize(("bounds", "ours"), BOUNDS)
def test_bounds(bounds: dict[str, Any], ours: dict[str, Any], norm: str | None) -> None:
    counts = CountVectorizer(analyzer=words, **bounds)
    model = NaiveBayes(ngrams=(1, 2), **ours).fit(TEXTS, LABELS)
    assert model.vocabulary_ == counts.fit(TEXTS).get_feature_names_out().tolist()
    assert np.allclose(model.predict_joint_log_proba(ASKED), theirs(counts, 1.0), rtol=0, atol=1e-10)
    weighted = NaiveBayes(ngrams=(1, 2), weighting="tfidf_raw_smooth", norm="l2" if norm else "none", **ours).fit(
        TEXTS, LABELS
    )
    expected = theirs(TfidfVectorizer(analyzer=words, norm=norm, **bounds), 1.0)
    assert np.allclose(weighted.predict_joint_log_proba(ASKED), expected, rtol=0, atol=1e-10)


def test_most_frequent_terms() -> None:
    # So many that there is no tie at the bound, where scikit-learn's choice is a matter of its sorting.
    counts = CountVectorizer(analyzer=words, max_features=61)
    model = NaiveBayes(ngrams=(1, 2), max_terms=61).fit(TEXTS, LABELS)
    assert np.allclose(model.predict_joint_log_proba(ASKED), theirs(counts, 1.0), rtol=0, atol=1e-10)


def test_binary_of_many_classes() -> None:
    """As many classes as make the weights sparse."""
    labels = [f"c{i % 100}" for i in range(200)]
    vectorizer = TfidfVectorizer(analyzer=words, binary=True, norm=None)
    matrix = vectorizer.fit_transform(TEXTS)
    expected = MultinomialNB().fit(matrix, labels).predict_joint_log_proba(vectorizer.transform(ASKED))
    model = NaiveBayes(ngrams=(1, 2), variant="binary", weighting="tfidf_smooth").fit(TEXTS, labels)
    assert np.allclose(model.predict_joint_log_proba(ASKED), expected, rtol=0, atol=1e-10)
    damped = TfidfVectorizer(analyzer=words, sublinear_tf=True)
    expected = MultinomialNB().fit(damped.fit_transform(TEXTS), labels)
    model = NaiveBayes(ngrams=(1, 2), weighting="tfidf_smooth", norm="l2").fit(TEXTS, labels)
    theirs_ = expected.predict_joint_log_proba(damped.transform(ASKED))
    assert np.allclose(model.predict_joint_log_proba(ASKED), theirs_, rtol=0, atol=1e-10)

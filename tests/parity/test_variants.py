"""The variants against scikit-learn's classes on the same terms, and against plain sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes, analyze
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.naive_bayes import BernoulliNB, ComplementNB, MultinomialNB
from sklearn.utils.class_weight import compute_sample_weight

rng = np.random.default_rng(3)
WORDS = [f"w{i}" for i in range(50)]
TEXTS = [" ".join(rng.choice(WORDS, size=rng.integers(1, 30)).tolist()) for _ in range(160)]
FEW = rng.choice(["a", "b", "c"], size=160, p=[0.6, 0.3, 0.1]).tolist()
MANY = [f"c{i % 50}" for i in range(160)]
ASKED = [*TEXTS[:40], "", "unheard of", "w1 w1 w1 w2 unheard"]


def words(text: str) -> list[str]:
    return [term.term for term in analyze(text, ngrams=(1, 2))]


def theirs(model: Any, vectorizer: Any, labels: list[str]) -> Any:
    model.fit(vectorizer.fit_transform(TEXTS), labels)
    return model, vectorizer.transform(ASKED)


@pytest.mark.parametrize("labels", [FEW, MANY], ids=["dense", "sparse"])
@pytest.mark.parametrize("alpha", [1.0, 0.1])
def test_bernoulli(labels: list[str], alpha: float) -> None:
    model, asked = theirs(BernoulliNB(alpha=alpha), CountVectorizer(analyzer=words), labels)
    ours = NaiveBayes(variant="bernoulli", ngrams=(1, 2), alpha=alpha).fit(TEXTS, labels)
    expected = model.predict_joint_log_proba(asked)
    assert np.allclose(ours.predict_joint_log_proba(ASKED), expected, rtol=0, atol=1e-10)
    assert np.allclose(ours.predict_log_proba(ASKED), model.predict_log_proba(asked), rtol=0, atol=1e-10)


@pytest.mark.parametrize("labels", [FEW, MANY], ids=["dense", "sparse"])
@pytest.mark.parametrize("norm", [False, True])
@pytest.mark.parametrize("weighting", ["counts", "tfidf_raw_smooth"])
@pytest.mark.parametrize("alpha", [1.0, 0.1])
def test_complement(labels: list[str], norm: bool, weighting: Any, alpha: float) -> None:
    vectorizer: Any = CountVectorizer(analyzer=words)
    if weighting != "counts":
        vectorizer = TfidfVectorizer(analyzer=words, norm=None)
    model, asked = theirs(ComplementNB(alpha=alpha, norm=norm), vectorizer, labels)
    name: Any = "complement_normalized" if norm else "complement"
    ours = NaiveBayes(variant=name, ngrams=(1, 2), alpha=alpha, prior="uniform", weighting=weighting).fit(
        TEXTS, labels
    )
    without_prior = ours.predict_joint_log_proba(ASKED) - ours.log_prior_
    assert np.allclose(without_prior, model.predict_joint_log_proba(asked), rtol=0, atol=1e-10)
    assert np.allclose(ours.predict_proba(ASKED), model.predict_proba(asked), rtol=0, atol=1e-10)


def test_complement_with_a_prior_adds_it() -> None:
    fitted = NaiveBayes(variant="complement").fit(TEXTS, FEW)
    uniform = NaiveBayes(variant="complement", prior="uniform").fit(TEXTS, FEW)
    difference = fitted.predict_joint_log_proba(ASKED) - uniform.predict_joint_log_proba(ASKED)
    assert np.allclose(difference, fitted.log_prior_ - uniform.log_prior_, rtol=0, atol=1e-10)


PEERS = {
    "multinomial": MultinomialNB(alpha=0.5),
    "bernoulli": BernoulliNB(alpha=0.5),
    "complement": ComplementNB(alpha=0.5),
    "complement_normalized": ComplementNB(alpha=0.5, norm=True),
}


@pytest.mark.parametrize("labels", [FEW, MANY], ids=["dense", "sparse"])
@pytest.mark.parametrize("class_weight", ["balanced", {"b": 7.5, "c": 0.3}, {"c7": 100, "c3": 0.01}], ids=str)
@pytest.mark.parametrize("variant", PEERS)
def test_a_class_weight_is_a_sample_weight_for_each_of_its_documents(
    variant: Any, class_weight: Any, labels: list[str]
) -> None:
    if class_weight != "balanced" and not set(class_weight) <= set(labels):
        pytest.skip("the weights name classes of the other labels")
    vectorizer = CountVectorizer(analyzer=words)
    weights = compute_sample_weight(class_weight, labels)
    model = PEERS[variant].fit(vectorizer.fit_transform(TEXTS), labels, sample_weight=weights)
    ours = NaiveBayes(variant=variant, ngrams=(1, 2), alpha=0.5, class_weight=class_weight).fit(TEXTS, labels)
    found = ours.predict_joint_log_proba(ASKED)
    if "complement" in variant:  # scikit-learn has no prior there
        found -= ours.log_prior_
    assert np.allclose(found, model.predict_joint_log_proba(vectorizer.transform(ASKED)), rtol=0, atol=1e-9)
    if variant != "complement_normalized":
        assert np.allclose(ours.log_prior_, model.class_log_prior_, rtol=0, atol=1e-12)


VARIANTS = ["multinomial", "binary", "bernoulli", "complement", "complement_normalized"]


@pytest.mark.parametrize("labels", [FEW, MANY], ids=["dense", "sparse"])
@pytest.mark.parametrize("variant", VARIANTS)
def test_variants_learn_and_forget_exactly_and_explain_themselves(variant: Any, labels: list[str]) -> None:
    model = NaiveBayes(variant=variant).fit(TEXTS[:100], labels[:100])
    before = model.predict_joint_log_proba(ASKED)
    model.learn(TEXTS[100:], labels[100:])
    whole = NaiveBayes(variant=variant).fit(TEXTS, labels)
    assert np.array_equal(model.predict_joint_log_proba(ASKED), whole.predict_joint_log_proba(ASKED))
    model.forget(TEXTS[100:], labels[100:])
    assert np.allclose(model.predict_joint_log_proba(ASKED), before, rtol=0, atol=1e-12)
    for text in ASKED[-4:]:
        explanation = whole.explain(text)
        for label, score in explanation.scores.items():
            total = sum(each.contribution[label] for each in explanation.terms)
            total += explanation.log_prior[label] + explanation.lacking[label]
            assert total == pytest.approx(score, abs=1e-9)


def test_a_bernoulli_example_by_hand() -> None:
    """Manning, Raghavan and Schuetze, example 13.2: three documents of China, one not."""
    texts = ["Chinese Beijing Chinese", "Chinese Chinese Shanghai", "Chinese Macao", "Tokyo Japan Chinese"]
    model = NaiveBayes(variant="bernoulli").fit(texts, ["c", "c", "c", "j"])
    found = np.exp(model.predict_joint_log_proba(["Chinese Chinese Chinese Tokyo Japan"])[0])
    c = 3 / 4 * (4 / 5) * (1 / 5) * (1 / 5) * (1 - 2 / 5) * (1 - 2 / 5) * (1 - 2 / 5)
    j = 1 / 4 * (2 / 3) * (2 / 3) * (2 / 3) * (1 - 1 / 3) * (1 - 1 / 3) * (1 - 1 / 3)
    assert found == pytest.approx([c, j], rel=1e-12)

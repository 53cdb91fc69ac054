"""Documents that all count the same, and complements of presences, against scikit-learn on the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes
from likely.core.file import to_bytes
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import ComplementNB, MultinomialNB
from sklearn.preprocessing import normalize

rng = np.random.default_rng(11)
WORDS = [f"w{i}" for i in range(40)]
TEXTS = [" ".join(rng.choice(WORDS, size=rng.integers(1, 25)).tolist()) for _ in range(150)]
FEW = rng.choice(["a", "b", "c"], size=150, p=[0.6, 0.3, 0.1]).tolist()
MANY = [f"c{i % 50}" for i in range(150)]
ASKED = [*TEXTS[:40], "", "unheard of", "w1 w1 w1 w2 unheard"]
THEIRS = {"multinomial": MultinomialNB, "binary": MultinomialNB, "complement": ComplementNB}


def counts(*, binary: bool) -> tuple[Any, Any]:
    vectorizer = CountVectorizer(token_pattern=r"\w+", binary=binary)
    return vectorizer.fit_transform(TEXTS), vectorizer.transform(ASKED)


@pytest.mark.parametrize("labels", [FEW, MANY], ids=["few", "many"])
@pytest.mark.parametrize("alpha", [1.0, 0.1])
def test_complement_binary(labels: list[str], alpha: float) -> None:
    learned, asked = counts(binary=True)
    theirs = ComplementNB(alpha=alpha).fit(learned, labels)
    ours = NaiveBayes(variant="complement_binary", alpha=alpha, prior="uniform").fit(TEXTS, labels)
    found = ours.predict_joint_log_proba(ASKED) - ours.log_prior_
    assert np.allclose(found, theirs.predict_joint_log_proba(asked), rtol=0, atol=1e-10)


@pytest.mark.parametrize("labels", [FEW, MANY], ids=["few", "many"])
@pytest.mark.parametrize("alpha", [1.0, 0.03])
@pytest.mark.parametrize("variant", ["multinomial", "binary", "complement", "complement_binary"])
def test_documents_that_count_the_same(variant: Any, labels: list[str], alpha: float) -> None:
    learned, asked = counts(binary=variant.endswith("binary"))
    theirs = THEIRS[variant.removesuffix("_binary")](alpha=alpha).fit(normalize(learned), labels)
    options: Any = {"variant": variant, "alpha": alpha, "document_weight": "equal"}
    if variant.startswith("complement"):
        ours = NaiveBayes(prior="uniform", **options).fit(TEXTS, labels)
        found = ours.predict_joint_log_proba(ASKED) - ours.log_prior_
    else:
        ours = NaiveBayes(**options).fit(TEXTS, labels)
        found = ours.predict_joint_log_proba(ASKED)
    assert np.allclose(found, theirs.predict_joint_log_proba(asked), rtol=0, atol=1e-10)
    assert np.allclose(ours.predict_log_proba(ASKED), theirs.predict_log_proba(asked), rtol=0, atol=1e-10)


def test_idf_is_no_part_of_the_length() -> None:
    """With tf-idf, a document's counts are scaled to length one before they are weighed."""
    learned, asked = counts(binary=False)
    scaled = normalize(learned)
    documents = np.asarray((learned > 0).sum(axis=0)).ravel()
    idf = np.log((1 + learned.shape[0]) / (1 + documents)) + 1
    theirs = MultinomialNB(alpha=0.5).fit(scaled.multiply(idf).tocsr(), FEW)
    options: Any = {"weighting": "tfidf_raw_smooth", "document_weight": "equal", "alpha": 0.5}
    found = NaiveBayes(**options).fit(TEXTS, FEW).predict_joint_log_proba(ASKED)
    assert np.allclose(found, theirs.predict_joint_log_proba(asked.multiply(idf).tocsr()), rtol=0, atol=1e-10)


texts = st.lists(st.sampled_from(["a", "b", "c", "漢字", "don't"]), max_size=7).map(" ".join)
documents = st.lists(st.tuples(texts, st.sampled_from("xyz"), st.sampled_from([1.0, 1.0, 0.3, 7.0])), min_size=1)
variants = st.sampled_from(["multinomial", "binary", "complement", "complement_binary"])


def fitted(rows: list[Any], variant: Any) -> NaiveBayes:
    return NaiveBayes(variant=variant, document_weight="equal").fit(*zip(*rows, strict=True))


@given(documents, documents, variants)
def test_learning_forgetting_and_merging_are_exact(a: list[Any], b: list[Any], variant: Any) -> None:
    model, other, both = fitted(a, variant), fitted(b, variant), fitted(a + b, variant)
    alone, together = to_bytes(model._snapshot()), to_bytes(both._snapshot())
    assert to_bytes((model + other)._snapshot()) == together
    assert to_bytes((both - other)._snapshot()) == alone
    assert to_bytes(fitted((a + b)[::-1], variant)._snapshot()) == together
    probes = [text for text, _, _ in a + b]
    before = model.predict_joint_log_proba(probes)
    model.learn(*zip(*b, strict=True))
    assert to_bytes(model._snapshot()) == together
    assert np.array_equal(model.predict_joint_log_proba(probes), both.predict_joint_log_proba(probes))
    model.forget(*zip(*b, strict=True))
    assert to_bytes(model._snapshot()) == alone
    assert np.array_equal(model.predict_joint_log_proba(probes), before)


@given(st.lists(st.tuples(texts, st.sampled_from("xyz")), min_size=2, max_size=9), variants)
def test_leaving_one_out_is_learning_from_the_others(rows: list[Any], variant: Any) -> None:
    options: Any = {"variant": variant, "document_weight": "equal", "alpha": 0.3}
    some, labels = map(list, zip(*rows, strict=True))
    model = NaiveBayes(**options).fit(some, labels)
    found = model.leave_one_out(some, labels)
    bags = [sorted(each.term for each in model.analysis_.terms(text)) for text in some]
    for at, (text, _) in enumerate(rows):
        rest = [other for other in range(len(rows)) if bags[other] != bags[at]]  # without all copies
        if not rest:
            continue
        others = NaiveBayes(**options).fit([some[other] for other in rest], [labels[other] for other in rest])
        here = [model.classes_.tolist().index(label) for label in others.classes_.tolist()]
        expected = np.full(len(model.classes_), -np.inf)
        expected[here] = others.predict_joint_log_proba([text])[0]
        assert np.allclose(found[at], expected, rtol=0, atol=1e-9)

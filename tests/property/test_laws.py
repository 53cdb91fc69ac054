"""The laws of the design: what must hold for any texts, labels and weights, bit for bit."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely import NaiveBayes, analyze
from likely.errors import NotLearnedError
from likely.storage import to_bytes
from likely.vectorize import vectorize

words = st.sampled_from(["a", "b", "c", "don't", "É", "漢字", "👍🏽", "x" * 20, "हिन्दी", "New", "York"])
texts = st.one_of(st.lists(words, max_size=8).map(" ".join), st.text(max_size=12))
labels = st.sampled_from(["+", "-", "?"])
weights = st.sampled_from([1.0, 1.0, 0.1, 0.3, 2.5, 1e-3, 7.0])
documents = st.lists(st.tuples(texts, labels, weights), min_size=1, max_size=8)
options = st.fixed_dictionaries(
    {
        "variant": st.sampled_from(["multinomial", "binary"]),
        "alpha": st.sampled_from([0, 1e-300, 0.1, 1.0, 7.5, 1e300]),
        "prior": st.sampled_from(["fitted", "uniform"]),
        "analyzer": st.sampled_from(["word", "char"]),
        "ngrams": st.sampled_from([(1, 1), (1, 2), (2, 2), (1, 3)]),
        "lowercase": st.booleans(),
    }
)
Documents = list[tuple[str, str, float]]


def columns(some: Documents) -> dict[str, Any]:
    return {
        "texts": [text for text, _, _ in some],
        "labels": [label for _, label, _ in some],
        "sample_weight": [weight for _, _, weight in some],
    }


def fitted(some: Documents, **opts: Any) -> NaiveBayes:
    return NaiveBayes(**opts).fit(**columns(some))


def same(a: NaiveBayes, b: NaiveBayes) -> bool:
    """Equal to the last bit: options, counts, scores."""
    a.threads = b.threads = None
    return to_bytes(a) == to_bytes(b)


@given(documents, options, st.permutations(range(8)), st.integers(1, 4))
def test_order_and_threads_do_not_matter(
    some: Documents, opts: dict[str, Any], order: list[int], threads: int
) -> None:
    shuffled = [some[at] for at in order if at < len(some)]
    assert same(fitted(some, **opts, threads=1), fitted(shuffled, **opts, threads=threads))


@given(documents, options, st.integers(1, 4))
def test_batches_do_not_matter(some: Documents, opts: dict[str, Any], size: int) -> None:
    model = NaiveBayes(**opts)
    for at in range(0, len(some), size):
        model.learn(**columns(some[at : at + size]))
    assert same(model, fitted(some, **opts))


@given(documents, documents, options)
def test_counts_add(a: Documents, b: Documents, opts: dict[str, Any]) -> None:
    assert same(fitted(a, **opts) + fitted(b, **opts), fitted(a + b, **opts))


@given(documents, documents, options)
def test_counts_subtract(a: Documents, b: Documents, opts: dict[str, Any]) -> None:
    assert same(fitted(a + b, **opts) - fitted(b, **opts), fitted(a, **opts))


@given(documents, documents, options)
def test_forgetting_undoes_learning(a: Documents, b: Documents, opts: dict[str, Any]) -> None:
    model = fitted(a, **opts)
    probes = [text for text, _, _ in a + b]
    before = model.predict_joint_log_proba(probes)
    model.learn(**columns(b))
    model.predict_joint_log_proba(probes)  # so that weights follow both changes rather than being made anew
    model.forget(**columns(b))
    assert same(model, fitted(a, **opts))
    after = model.predict_joint_log_proba(probes)
    assert np.array_equal(before, after)


@given(documents, documents, options)
def test_weights_that_follow_equal_weights_made_anew(a: Documents, b: Documents, opts: dict[str, Any]) -> None:
    model = fitted(a, **opts)
    probes = [text for text, _, _ in a + b]
    model.predict(probes)
    model.learn(**columns(b))
    anew = fitted(a + b, **opts)
    assert model.classes_.tolist() == anew.classes_.tolist()
    assert np.array_equal(model.predict_joint_log_proba(probes), anew.predict_joint_log_proba(probes))


@given(documents, documents)
def test_what_cannot_be_forgotten_changes_nothing(a: Documents, b: Documents) -> None:
    model = fitted(a)
    before = to_bytes(model)
    try:
        model.forget(**columns(b))
    except NotLearnedError:
        assert to_bytes(model) == before


@given(documents, st.lists(texts, min_size=1, max_size=5), options)
def test_a_batch_scores_as_its_texts_do(some: Documents, probes: list[str], opts: dict[str, Any]) -> None:
    model = fitted(some, **opts)
    one_by_one = np.concatenate([model.predict_joint_log_proba([text]) for text in probes])
    assert np.array_equal(model.predict_joint_log_proba(probes), one_by_one)


@given(documents, st.lists(texts, min_size=1, max_size=5), options)
def test_posteriors_are_probabilities(some: Documents, probes: list[str], opts: dict[str, Any]) -> None:
    model = fitted(some, **opts)
    proba = model.predict_proba(probes)
    assert not np.isnan(proba).any()
    assert np.allclose(proba.sum(axis=1), 1, atol=1e-12)
    assert model.predict(probes).tolist() == model.classes_[proba.argmax(axis=1)].tolist() or np.ptp(proba) < 1e-9


@given(documents, texts, options)
def test_prior_plus_contributions_is_the_score(some: Documents, text: str, opts: dict[str, Any]) -> None:
    model = fitted(some, **opts)
    explanation = model.explain(text)
    joint = model.predict_joint_log_proba([text])[0]
    for at, label in enumerate(model.classes_.tolist()):
        parts = [explanation.log_prior[label], *(e.contribution[label] for e in explanation.terms)]
        assert math.fsum(parts) == pytest.approx(explanation.scores[label], rel=1e-13, abs=1e-12)
        assert explanation.scores[label] == joint[at]
    assert explanation.label == model.predict([text])[0]
    assert list(explanation.posterior.values()) == model.predict_proba([text])[0].tolist()


@given(texts, options)
def test_spans_cut_the_text(text: str, opts: dict[str, Any]) -> None:
    cut = {name: opts[name] for name in ("analyzer", "ngrams", "lowercase")}
    encoded = text.encode()
    ends = [0]
    for term in analyze(text, **cut):
        assert 0 <= term.start < term.end <= len(text)
        assert encoded[term.start_byte : term.end_byte].decode() == text[term.start : term.end]
        ends.append(term.end)
        if not cut["lowercase"] and cut["analyzer"] == "word" and cut["ngrams"] == (1, 1):
            assert text[term.start : term.end] == term.term
    assert ends == sorted(ends)


@given(documents, options)
def test_row_sums_are_counts(some: Documents, opts: dict[str, Any]) -> None:
    cut = {name: opts[name] for name in ("analyzer", "ngrams", "lowercase")}
    plain = [text for text, _, _ in some]
    matrix = vectorize(plain, **cut)
    model = NaiveBayes(**cut).fit(plain, ["x"] * len(plain))
    assert matrix.terms == model.vocabulary_
    sums = matrix.to_scipy().sum(axis=0).A1.tolist()
    assert sums == [model.counts_table()["count"][at].as_py() for at in range(len(matrix.terms))]


@given(st.lists(texts, min_size=1, max_size=4), st.integers(1, 3))
def test_a_weight_is_a_repetition(plain: list[str], times: int) -> None:
    repeated = NaiveBayes().fit(plain * times, ["x"] * len(plain) * times)
    weighted = NaiveBayes().fit(plain, ["x"] * len(plain), sample_weight=[times] * len(plain))
    assert same(repeated, weighted)

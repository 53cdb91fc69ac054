"""The usual share of unknown terms against leaving out each document in fact."""

from __future__ import annotations

from typing import Any

import pytest
from likely import NaiveBayes
from likely.core.terms import choose_terms
from likely.core.weights import usual_unknown
from likely.sample import load_sample

TEXTS, LABELS = (each[:40] for each in load_sample())


def usual(model: NaiveBayes) -> float | None:
    snapshot = model._snapshot()
    return usual_unknown(choose_terms(snapshot.counts, snapshot.rules))


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"variant": "binary", "ngrams": (1, 2)},
        {"variant": "bernoulli", "analyzer": "char", "ngrams": (2, 3)},
        {"min_documents": 3},
        {"max_documents": 0.3},
        {"stop_words": "auto"},
        {"hash_bits": 10},
    ],
)
def test_equals_leaving_out_each_document(options: dict[str, Any]) -> None:
    unknown = terms = 0.0
    for at, text in enumerate(TEXTS):
        without = NaiveBayes(**options).fit(TEXTS[:at] + TEXTS[at + 1 :], LABELS[:at] + LABELS[at + 1 :])
        found = without._shift([text])
        assert found.unknown is not None
        unknown, terms = unknown + found.unknown * found.terms, terms + found.terms
    assert usual(NaiveBayes(**options).fit(TEXTS, LABELS)) == pytest.approx(unknown / terms, abs=1e-12)


@pytest.mark.parametrize("options", [{"norm": "l2", "weighting": "tfidf"}, {"document_weight": "equal"}])
def test_scaled_documents_have_nearly_the_same_share(options: dict[str, Any]) -> None:
    plain, scaled = (usual(NaiveBayes(**each).fit(TEXTS, LABELS)) for each in ({}, options))
    assert scaled == pytest.approx(plain, abs=0.1)


def test_only_a_whole_model_knows_it() -> None:
    assert usual(NaiveBayes().fit(TEXTS, LABELS).pruned(min_documents=2)) is None
    assert usual(NaiveBayes().fit(["", ""], [0, 1])) is None

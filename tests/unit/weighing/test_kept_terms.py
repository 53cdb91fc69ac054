"""Kept terms that follow the counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.terms import choose_terms, follow_terms

if TYPE_CHECKING:
    from likely.core.terms import KeptTerms

TEXTS = ["good fun", "good plot", "bad plot", "zebra", "fun for all"]
LABELS = ["+", "+", "-", "-", "+"]


def same(one: KeptTerms, other: KeptTerms) -> bool:
    columns = ("ids", "frequencies", "scales", "known", "by_id")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in columns)


@pytest.mark.parametrize("options", [{"min_documents": 2}, {"weighting": "tfidf"}, {"max_documents": 2}], ids=str)
def test_terms_come_and_go_in_the_order_of_terms(options: dict[str, object]) -> None:
    model = NaiveBayes(**options, ngrams=(1, 2)).fit(TEXTS, LABELS)  # type: ignore[arg-type]
    snapshot = model._snapshot()
    counts, rules = snapshot.counts, snapshot.rules
    terms = choose_terms(counts, rules)
    more = NaiveBayes(**options, ngrams=(1, 2)).fit(["a zebra for fun", "bad bad apple"], ["+", "-"])  # type: ignore[arg-type]
    for change in (counts.add, counts.subtract, counts.add):
        changed = change(more._snapshot().counts)
        terms = follow_terms(terms, changed)
        anew = choose_terms(counts, rules)
        assert terms.kept is not None
        assert anew.kept is not None
        assert same(terms.kept, anew.kept)
        assert terms.size == anew.size


def test_a_term_in_all_documents_is_known_again_when_one_lacks_it() -> None:
    model = NaiveBayes(weighting="tfidf").fit(["good fun", "good plot"], ["+", "-"])
    model.predict(["good"])
    assert model.known(["good"]).tolist() == [0.0]
    model.learn(["bad"], ["-"])
    assert model.known(["good"]).tolist() == [1.0]
    model.forget(["bad"], ["-"])
    assert model.known(["good"]).tolist() == [0.0]

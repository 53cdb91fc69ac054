"""Counts and rules at one moment."""

from __future__ import annotations

import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.weights import ModelView
from likely.errors import MismatchError

TEXTS, LABELS = ["good fun", "good plot", "dull plot"], ["+", "+", "-"]


def test_each_part_is_made_once_and_the_parts_belong_together() -> None:
    moment = NaiveBayes(min_documents=2).fit(TEXTS, LABELS)._snapshot().moment
    assert moment.terms is moment.terms
    assert moment.weights is moment.weights
    assert moment.weights.classes is moment.classes
    assert moment.classes.terms is moment.terms
    assert moment.counts.native.spell(moment.terms.sorted_ids()) == ["good", "plot"]


def test_other_rules_weigh_the_same_counts_otherwise() -> None:
    one, other = (NaiveBayes(alpha=alpha).fit(TEXTS, LABELS)._snapshot() for alpha in (1.0, 0.1))
    mixed = ModelView(one.counts, other.rules)
    ids = one.counts.sorted_ids()
    expected = other.moment.classes.weigh_terms(other.counts.sorted_ids())
    assert np.array_equal(mixed.classes.weigh_terms(ids), expected)


def test_learned_weights_must_be_there_if_the_rules_need_them() -> None:
    snapshot = NaiveBayes(variant="nbsvm").fit(TEXTS, LABELS)._snapshot()
    with pytest.raises(MismatchError):
        _ = ModelView(snapshot.counts, snapshot.rules).classes
    assert ModelView(snapshot.counts, snapshot.rules, snapshot.learned).classes.learned is snapshot.learned

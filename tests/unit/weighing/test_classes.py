"""The part of the weights that belongs to the classes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes
from likely.core.weights import check_learned, weigh_classes
from likely.errors import MismatchError
from likely.options.model import MODEL

TEXTS, LABELS = ["b b a", "a c", "gone", "c"], ["y", "x", "z", "x"]


def fitted(**options: Any) -> NaiveBayes:
    return NaiveBayes(**options).fit(TEXTS, LABELS)


def test_classes_are_sorted_and_those_without_documents_are_left_out() -> None:
    classes = fitted().forget(["gone"], ["z"])._snapshot().moment.classes
    assert classes.labels == classes.live.array.tolist() == ["x", "y"]
    assert classes.totals.tokens.tolist() == [3, 3]
    assert np.exp(classes.log_prior) == pytest.approx([2 / 3, 1 / 3])


@pytest.mark.parametrize("variant", [name for name in MODEL["variant"].kind.choices if name != "nbsvm"])
def test_the_weights_of_terms_are_what_a_text_of_one_term_adds(variant: Any) -> None:
    model = fitted(variant=variant)
    moment = model._snapshot().moment
    ids = moment.terms.sorted_ids()
    found = moment.classes.weigh_terms(ids)
    joint = model.predict_joint_log_proba([*moment.counts.native.spell(ids), "unheard"])
    np.testing.assert_allclose(found, joint[:-1] - joint[-1], rtol=1e-12, atol=1e-12)


def test_the_weights_of_a_learned_model_are_those_learned() -> None:
    snapshot = fitted(variant="nbsvm")._snapshot()
    ids = snapshot.counts.sorted_ids()
    assert snapshot.learned is not None
    expected = snapshot.learned.dense(np.arange(len(ids)))
    assert np.array_equal(snapshot.moment.classes.weigh_terms(ids), expected)
    assert np.array_equal(snapshot.moment.classes.weigh_terms(ids[::-1].copy()), expected[::-1])


@pytest.mark.parametrize(
    ("options", "certain"),
    [({}, True), ({"alpha": 0}, False), ({"prior": {"x": 1.0, "y": 0.0, "z": 0.0}}, False)],
    ids=str,
)
def test_whether_every_class_can_have_written_every_text(options: dict[str, Any], certain: bool) -> None:
    assert fitted(**options)._snapshot().moment.classes.certain == certain


def test_only_bernoulli_counts_absent_terms() -> None:
    assert not fitted()._snapshot().moment.classes.lacking.any()
    found = fitted(variant="bernoulli")._snapshot().moment.classes
    absent = [sum(math.log(1 - (d + 1) / (documents + 2)) for d in ds) for documents, ds in DOCUMENTS.values()]
    assert found.lacking == pytest.approx(absent)


DOCUMENTS = {"x": (2, [1, 0, 2, 0]), "y": (1, [1, 1, 0, 0]), "z": (1, [0, 0, 0, 1])}


def test_learned_weights_are_used_only_with_the_rules_they_were_learned_by() -> None:
    snapshot = fitted(variant="nbsvm")._snapshot()
    other = fitted(variant="nbsvm", nbsvm={"cost": 3.0})._snapshot().rules
    assert check_learned(snapshot.learned, snapshot.rules) is snapshot.learned
    with pytest.raises(MismatchError, match="call fit"):
        check_learned(snapshot.learned, other)
    with pytest.raises(MismatchError, match="have not been learned"):
        weigh_classes(snapshot.counts, snapshot.rules, None)

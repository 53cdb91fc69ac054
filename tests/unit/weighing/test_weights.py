"""Weights of classes and terms: what is scored is what is shown, and changes are followed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes
from likely.errors import MismatchError
from likely.options.model import MODEL

TEXTS, LABELS = ["good fun fun", "good end", "dull plot", "dull end", "so so"], ["+", "+", "-", "-", "0"]
NEW = ["good", "fun dull dull", "end so", "zzz", ""]
ADDITIVE = [each for each in MODEL["variant"].kind.choices if each != "nbsvm"]


@pytest.mark.parametrize("variant", MODEL["variant"].kind.choices)
def test_the_score_is_the_bias_and_the_weights_of_the_terms(variant: Any) -> None:
    model = NaiveBayes(variant=variant).fit(TEXTS, LABELS)
    empty = model.predict_joint_log_proba([""])[0]
    one, two, both = model.predict_joint_log_proba(["good", "end", "good end"])
    np.testing.assert_allclose(both - empty, (one - empty) + (two - empty), rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("variant", ADDITIVE)
@pytest.mark.parametrize("options", [{}, {"weighting": "tfidf"}, {"min_documents": 2}], ids=str)
def test_weights_that_were_used_follow_every_change(variant: Any, options: dict[str, Any]) -> None:
    if variant == "bernoulli" and "weighting" in options:
        pytest.skip("bernoulli counts presence only")
    model = NaiveBayes(variant=variant, **options).fit(TEXTS, LABELS)
    for texts, labels in ((["new words", "good"], ["+", "new"]), (["fun " * 5], ["-"])):
        model.predict(NEW)
        model.learn(texts, labels)
        found = model.predict_joint_log_proba(NEW)
        assert np.array_equal(found, (model + NaiveBayes(**model.get_params())).predict_joint_log_proba(NEW))
        model.forget(texts, labels)
    expected = NaiveBayes(variant=variant, **options).fit(TEXTS, LABELS).predict_joint_log_proba(NEW)
    assert np.array_equal(model.predict_joint_log_proba(NEW), expected)


def test_a_class_that_was_forgotten_is_impossible_at_once() -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    assert model.predict(["so"]).tolist() == ["0"]
    model.forget(["so so"], ["0"])
    assert model.classes_.tolist() == ["+", "-"]
    assert model.predict(["so"]).tolist() == ["+"]
    assert model.predict_proba(["so"]).shape == (1, 2)


def test_learned_weights_hold_for_the_options_they_were_learned_with() -> None:
    model = NaiveBayes(variant="nbsvm").fit(TEXTS, LABELS)
    before = model.predict_joint_log_proba(NEW)
    with pytest.raises(MismatchError, match="set the options back, or call fit"):
        model.set_params(nbsvm={"cost": 3.0}).predict(NEW)
    assert np.array_equal(model.set_params(nbsvm={"cost": 1.0}).predict_joint_log_proba(NEW), before)
    with pytest.raises(MismatchError, match="the weights of variant='nbsvm' have not been learned: call fit"):
        NaiveBayes().fit(TEXTS, LABELS).set_params(variant="nbsvm").predict(NEW)

"""All that a model file holds, at one moment."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes, load
from likely.core.file import from_bytes, to_bytes

TEXTS, LABELS = ["good fun", "good plot", "dull plot", "dull"], ["+", "+", "-", "-"]


@pytest.mark.parametrize("options", [{}, {"variant": "nbsvm"}, {"calibrate": True}, {"task": "spam"}], ids=str)
def test_a_model_of_a_snapshot_is_the_same_model(options: dict[str, Any]) -> None:
    model = NaiveBayes(**options).fit(TEXTS, LABELS)
    for again in (model._snapshot(), from_bytes(to_bytes(model._snapshot()))):
        other = NaiveBayes._from_snapshot(again)
        assert to_bytes(other._snapshot()) == to_bytes(model._snapshot())
        assert np.array_equal(other.predict_proba(TEXTS), model.predict_proba(TEXTS))
        assert other.calibration_ == model.calibration_


def test_the_rules_are_those_of_the_options() -> None:
    snapshot = NaiveBayes(alpha=0.25, min_documents=2).fit(TEXTS, LABELS)._snapshot()
    assert (snapshot.rules.alpha, snapshot.rules.min_documents) == (0.25, 2)
    assert snapshot.moment.rules is snapshot.rules
    assert replace(snapshot, options={**snapshot.options, "alpha": 1.0}).rules.alpha == 1.0


def test_weights_learned_with_other_options_are_not_part_of_it() -> None:
    model = NaiveBayes(variant="nbsvm").fit(TEXTS, LABELS)
    assert model._snapshot().learned is not None
    model.set_params(nbsvm={"cost": 3.0})
    assert model._snapshot().learned is None
    model.set_params(nbsvm={"cost": 1.0})
    assert model._snapshot().learned is not None


def test_a_snapshot_stays_as_it_is_when_the_model_learns() -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    snapshot = model._snapshot()
    before = to_bytes(snapshot)
    model.learn(["new words", "dull"], ["?", "-"])
    assert to_bytes(snapshot) == before
    one, other = NaiveBayes._from_snapshot(snapshot), NaiveBayes._from_snapshot(snapshot)
    one.learn(["other words"], ["!"])
    assert to_bytes(other._snapshot()) == to_bytes(snapshot) == before
    assert model.classes_.tolist() == ["+", "-", "?"]


@pytest.mark.parametrize("variant", ["multinomial", "nbsvm"])
def test_some_of_its_terms_only(variant: Any) -> None:
    model = NaiveBayes(variant=variant).fit(TEXTS, LABELS)
    snapshot = model._snapshot()
    before = to_bytes(snapshot)
    some = snapshot.of_terms(snapshot.counts.find(["plot", "good"]))
    other = NaiveBayes._from_snapshot(some)
    assert other.vocabulary_ == ["good", "plot"]
    assert other.class_documents_.tolist() == model.class_documents_.tolist()
    assert some.counts.dropped == 2
    if variant == "nbsvm":
        asked = ["good", "plot", "good plot"]
        np.testing.assert_array_equal(other.predict_joint_log_proba(asked), model.predict_joint_log_proba(asked))
    else:
        other.learn(["good"], ["+"])
    assert to_bytes(snapshot) == before, "the counts of the parts are independent"


@pytest.mark.parametrize("options", [{}, {"spelling": "on"}, {"variant": "nbsvm"}], ids=str)
def test_the_kept_terms_score_texts_as_all_terms_do(options: dict[str, Any], tmp_path: Path) -> None:
    model = NaiveBayes(min_documents=2, **options).fit(TEXTS, LABELS)
    model.save(tmp_path / "model.likely")
    kept = model._snapshot().kept()
    assert np.array_equal(NaiveBayes._from_snapshot(kept).predict_proba(TEXTS), model.predict_proba(TEXTS))
    loaded = load(tmp_path / "model.likely")._snapshot(whole=False)
    assert loaded.kept().counts.table().equals(kept.counts.table())

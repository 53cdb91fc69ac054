"""Scores from models that were learned without the fold of the document."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes
from likely.core import nbsvm
from likely.core.counts import rows_of
from likely.core.cross_validation import Folded
from likely.sample import load_sample

TEXTS, LABELS = (column[:90] for column in load_sample())
FOLDS = np.arange(len(TEXTS)) % 3


def scored(model: NaiveBayes, folds: Any = FOLDS, threads: int = 1, times: Any = None) -> Any:
    snapshot = model._snapshot()
    gold = snapshot.counts.live().places.of_all(LABELS).astype(np.uint32)
    rows = rows_of(snapshot.counts, TEXTS, threads)
    folded = Folded(snapshot.counts, rows, gold, folds, times)
    return folded.by(snapshot.rules).scores(range(len(folded)), threads)


@pytest.mark.parametrize(
    "options",
    [{}, {"weighting": "tfidf"}, {"norm": "l2"}, {"min_documents": 2}, {"nbsvm": {"loss": "logistic"}}],
    ids=str,
)
def test_the_scores_are_those_of_a_model_of_the_other_folds(
    options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(nbsvm, "TOLERANCE", 1e-12)
    monkeypatch.setattr(nbsvm, "FINENESS", 2.0**-22)
    found = scored(NaiveBayes(variant="nbsvm", **options).fit(TEXTS, LABELS))
    for fold in range(3):
        held = np.flatnonzero(fold == FOLDS)
        rest = np.flatnonzero(fold != FOLDS)
        model = NaiveBayes(variant="nbsvm", **options).fit([TEXTS[at] for at in rest], [LABELS[at] for at in rest])
        expected = model.predict_joint_log_proba([TEXTS[at] for at in held])
        np.testing.assert_allclose(found[held], expected, rtol=1e-4, atol=1e-4)


def test_the_names_of_folds_and_the_number_of_threads_do_not_matter() -> None:
    model = NaiveBayes(variant="nbsvm").fit(TEXTS, LABELS)
    assert np.array_equal(scored(model), scored(model, np.array([7, -1, 100])[FOLDS], threads=3))


def test_a_document_does_not_vote_for_itself() -> None:
    """With labels by chance, a model is right of what it has learned, but not of what it has not."""
    model = NaiveBayes(variant="nbsvm").fit(TEXTS, LABELS)
    gold = np.searchsorted(model.classes_, LABELS)
    assert (scored(model).argmax(axis=1) == gold).mean() < (model.predict(TEXTS) == np.array(LABELS)).mean()


def test_folds_can_be_scored_one_after_another() -> None:
    model = NaiveBayes(variant="nbsvm").fit(TEXTS, LABELS)
    snapshot = model._snapshot()
    gold = snapshot.counts.live().places.of_all(LABELS).astype(np.uint32)
    by = Folded(snapshot.counts, rows_of(snapshot.counts, TEXTS), gold, FOLDS).by(snapshot.rules)
    parts = [by.scores([fold], 1) for fold in (2, 0, 1)]
    assert np.array_equal(sum(parts), scored(model))
    assert not parts[0][FOLDS != 2].any()


def test_a_document_of_weight_0_is_scored_but_not_learned() -> None:
    model = NaiveBayes(variant="nbsvm").fit(TEXTS, LABELS)
    times = np.where(np.arange(len(TEXTS)) % 10 == 0, 0.0, 1.0)
    found = scored(model, times=times)
    assert found[times == 0].any(axis=1).all()
    assert not np.array_equal(found, scored(model))

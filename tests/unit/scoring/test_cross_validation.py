"""Scores from models that were learned without the fold of the document."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from likely import NaiveBayes
from likely.sample import load_sample
from likely.scoring.cross_validation import cross_scores
from likely.vectorize.rows import rows_of

TEXTS, LABELS = (column[:90] for column in load_sample())
FOLDS = np.arange(len(TEXTS)) % 3


def scored(model: NaiveBayes, folds: Any = FOLDS, threads: int = 1) -> Any:
    snapshot = model.snapshot()
    gold = snapshot.counts.live().places.of_all(LABELS).astype(np.uint32)
    rows = rows_of(snapshot.counts, TEXTS, threads)
    return cross_scores(snapshot.counts, rows, gold, folds, snapshot.rules, threads)


@pytest.mark.parametrize(
    "options", [{}, {"weighting": "tfidf"}, {"norm": "l2"}, {"min_documents": 2}, {"loss": "logistic"}], ids=str
)
def test_the_scores_are_those_of_a_model_of_the_other_folds(options: dict[str, Any]) -> None:
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

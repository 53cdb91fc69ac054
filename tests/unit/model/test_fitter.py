"""A model that is fitted to all its documents, and calibrated on them."""

from __future__ import annotations

from typing import Any

import likely
import pytest
from likely import NaiveBayes
from likely.core.calibration import measured
from likely.errors import ArgumentError
from likely.sample import load_sample
from likely.training.fit import Documents

TEXTS, LABELS = load_sample()


@pytest.mark.parametrize("variant", ["multinomial", "complement", "nbsvm"])
def test_a_calibration_is_measured_as_it_was_fitted(variant: str) -> None:
    model = NaiveBayes(variant=variant).fit(TEXTS, LABELS)  # type: ignore[arg-type]
    judged = model._judged(TEXTS, LABELS, None, None)
    record = model.fit_calibration(TEXTS, LABELS).calibration_
    assert record is not None
    assert measured(None, *judged) == record.before
    assert measured(record.calibration, *judged) == record.after


def test_documents_that_are_the_only_ones_of_their_class_do_not_count() -> None:
    model = NaiveBayes().fit([*TEXTS, "alone"], [*LABELS, "alone"])
    assert measured(None, *model._judged([*TEXTS, "alone"], [*LABELS, "alone"], None, None))["log_loss"] is not None
    with pytest.raises(ArgumentError, match="only one distinct document"):
        model.fit_calibration(["alone"], ["alone"])


@pytest.mark.parametrize("options", [{"tune": "accuracy"}, {"prefer": "strongest"}, {"task": "spam"}], ids=str)
def test_it_is_fitted_again_with_the_options_that_were_chosen(options: dict[str, Any]) -> None:
    model = likely.train(TEXTS[:300], LABELS[:300], **options)
    values, tuning = model.get_params(), model.tuning_
    model._fit_again(Documents.held(TEXTS, LABELS))
    assert model.get_params() == values
    assert model.tuning_ == tuning
    assert model.calibration_ is not None
    assert model.class_documents_.sum() == len(TEXTS)
    same = NaiveBayes(**values).set_params(tune=None, prefer="balanced").fit(TEXTS, LABELS)
    assert (model.predict_proba(TEXTS[:9]) == same.predict_proba(TEXTS[:9])).all()


def test_a_failed_fit_changes_nothing() -> None:
    model = likely.train(TEXTS, LABELS, tune="accuracy", variant="binary", ngrams=(1, 1))
    table, options = model.counts_table(), model.get_params()
    with pytest.raises(ArgumentError):
        model.fit([], [])
    assert model.counts_table() == table
    assert model.get_params() == options

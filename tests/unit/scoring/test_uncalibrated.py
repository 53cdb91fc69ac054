"""Raw probabilities of a calibrated model are announced once per change."""

from __future__ import annotations

import warnings
from pathlib import Path

import likely
import pytest
from likely import NaiveBayes
from likely.core.calibration import Uncalibrated
from likely.errors import TrainingWarning
from likely.sample import load_sample

TEXTS, LABELS = load_sample()
NEW = ["a wonderful film"]


def test_it_names_what_has_changed_and_what_to_do() -> None:
    fitted = NaiveBayes().fit(TEXTS, LABELS)._snapshot().rules
    rules = NaiveBayes(alpha=0.1, min_documents=2, prior="uniform").fit(TEXTS, LABELS)._snapshot().rules
    doubt = Uncalibrated(rules, fitted)
    assert doubt.changed == ["alpha", "min_documents"]
    with pytest.warns(
        TrainingWarning, match=r"alpha=1.0 and min_documents=1\. Set it back.*likely learn MODEL DATA --calibrate"
    ):
        doubt.warn()
    doubt.warn()


def test_it_is_said_once_per_model_and_change_and_where_the_caller_stands() -> None:
    model = likely.train(TEXTS, LABELS, plain=True, calibrate=True)
    for alpha in (0.5, 0.25):
        model.alpha = alpha
        model.predict(NEW)  # it asks for no probabilities
        model.predict_joint_log_proba(NEW)
        with pytest.warns(TrainingWarning) as told:
            model.predict_proba(NEW)
        assert [each.filename for each in told] == [__file__]
        model.predict_top(NEW)
        model.evaluate(TEXTS, LABELS)
    model.fit_calibration(TEXTS, LABELS).predict_proba(NEW)


def test_a_file_without_the_calibration_is_announced(tmp_path: Path) -> None:
    model = likely.train(TEXTS, LABELS, plain=True, calibrate=True).set_params(alpha=0.5)
    with pytest.warns(TrainingWarning, match="calibrated with alpha=1.0"):
        model.save(tmp_path / "a")
    assert likely.load(tmp_path / "a").calibration_ is None
    model.set_params(alpha=1.0).save(tmp_path / "a")
    assert likely.load(tmp_path / "a").calibration_ is not None


def test_a_model_that_was_never_calibrated_has_nothing_to_say() -> None:
    model = NaiveBayes().fit(TEXTS, LABELS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.set_params(alpha=0.5).predict_proba(NEW)

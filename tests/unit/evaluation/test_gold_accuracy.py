"""When accuracy no longer holds."""

from __future__ import annotations

from likely.evaluation.drift import LESS_ACCURATE, GoldAccuracy


def test_bounds() -> None:
    assert not GoldAccuracy(10_000, 0.9, 0.9, 5000).check().is_drifted
    assert GoldAccuracy(10_000, 0.9 - LESS_ACCURATE - 0.001, 0.9, 5000).check().is_drifted
    few = GoldAccuracy(20, 0.75, 0.9, 5000)
    assert not few.check().is_drifted, "of 20 documents, five may be wrong by chance"


def test_a_model_that_does_not_know_its_accuracy_cannot_tell() -> None:
    found = GoldAccuracy(100, 0.2, None, 0).check()
    assert found.bound is None
    assert not found.is_drifted

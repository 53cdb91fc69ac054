"""Calibration for people."""

from __future__ import annotations

import numpy as np
import pytest
from likely.core.calibration import (
    Calibration,
    CalibrationRecord,
    Coverage,
    calibration_sentence,
    coverage_text,
    reliability,
)

RAW: dict[str, float | None] = {"expected_calibration_error": 0.25, "brier": 0.5, "log_loss": None}
GOOD: dict[str, float | None] = {"expected_calibration_error": 0.01, "brier": 0.125, "log_loss": 0.3}
CURVE = [Coverage(0.9, 0.5, 0.9), Coverage(0.6, 1.0, 0.75)]


def record(curve: list[Coverage], changed: float = 0.0) -> CalibrationRecord:
    return CalibrationRecord(Calibration(1.5, 0.25, 0.0), 1234, RAW, GOOD, curve, changed=changed)


def test_measures_stand_side_by_side_and_what_is_infinite_is_called_undefined() -> None:
    lines = str(record([])).splitlines()
    assert lines[0] == "Probabilities are calibrated on 1,234 documents that the model had not seen."
    assert [line.split()[-2:] for line in lines[1:]] == [
        ["raw", "calibrated"],
        ["0.25", "0.01"],
        ["0.5", "0.125"],
        ["undefined", "0.3"],
    ]


def test_a_calibration_is_one_sentence() -> None:
    lines = str(record(CURVE, 12.0)).splitlines()
    assert lines[1] == "At 90% confidence it is right 87-92% of the time."
    assert lines[-1] == "12 documents were learned or forgotten since then."
    assert "tau" not in str(record(CURVE))


@pytest.mark.parametrize(
    ("confidence", "right", "wrong", "sentence"),
    [
        (0.9, 70, 30, "At 90% confidence it is right 60-78% of the time (over-confident)."),
        (0.6, 90, 10, "At 60% confidence it is right 83-94% of the time (under-confident)."),
        (0.99999, 9_999_999, 1, "At > 99.9% confidence it is right 100% of the time."),
        (0.997, 3, 0, "At 99.7% confidence it is right 44-100% of the time."),
    ],
)
def test_the_sentence_says_what_is_wrong(confidence: float, right: int, wrong: int, sentence: str) -> None:
    logs = np.log([[confidence, 1 - confidence], [confidence, 1 - confidence]])
    times = np.array([right, wrong], np.float64)
    assert calibration_sentence(reliability(logs, np.array([0, 1]), times)) == sentence


def test_what_not_answering_gains() -> None:
    rows = [Coverage(0.0, 1.0, 0.8), Coverage(0.5, 1.0, 0.8), Coverage(0.9, 0.5, 0.95), Coverage(1.0, 0.0, None)]
    lines = coverage_text(rows).splitlines()
    assert lines[0] == "threshold  answered  accuracy of answered"
    assert [line.split() for line in lines[1:]] == [
        ["0", "100%", "0.8"],
        ["0.9", "50.0%", "0.95"],
        ["1", "0%", "undefined"],
    ]

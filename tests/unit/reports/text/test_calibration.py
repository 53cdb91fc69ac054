"""Calibration for people."""

from __future__ import annotations

from likely.evaluation.coverage import Coverage
from likely.reports.text.calibration import calibration_text, coverage_text, reliability_text
from likely.scoring.calibration import Calibration
from likely.scoring.calibration_record import CalibrationRecord

RAW: dict[str, float | None] = {"expected_calibration_error": 0.25, "brier": 0.5, "log_loss": None}
GOOD: dict[str, float | None] = {"expected_calibration_error": 0.01, "brier": 0.125, "log_loss": 0.3}


def test_measures_stand_side_by_side_and_what_is_infinite_is_called_undefined() -> None:
    text = calibration_text(CalibrationRecord(Calibration(1.5, 0.25, 0.0), 1234, RAW, GOOD, []))
    lines = text.splitlines()
    assert lines[0] == (
        "Probabilities were calibrated on 1,234 documents that the model had not seen "
        "(tau 1.5, gamma 0.250, delta 0.000):"
    )
    assert [line.split()[-2:] for line in lines[1:]] == [
        ["raw", "calibrated"],
        ["0.25", "0.01"],
        ["0.5", "0.125"],
        ["undefined", "0.3"],
    ]


def test_one_line_of_measures() -> None:
    assert reliability_text(GOOD) == "expected calibration error 0.01, Brier score 0.125, log-loss 0.3"


def test_what_not_answering_gains() -> None:
    rows = [Coverage(0.0, 1.0, 0.8), Coverage(0.9, 0.5, 0.95), Coverage(1.0, 0.0, None)]
    assert [line.split() for line in coverage_text(rows).splitlines()[1:]] == [
        ["0", "100.0%", "0.8"],
        ["0.9", "50.0%", "0.95"],
        ["1", "0.0%", "undefined"],
    ]

"""How good probabilities are, before and after calibration, and how abstaining changes the accuracy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.terminal import number, table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.evaluation.coverage import Coverage
    from likely.scoring.calibration_record import CalibrationRecord, Measures

MEASURES = {
    "expected_calibration_error": "expected calibration error",
    "brier": "Brier score",
    "log_loss": "log-loss",
}


def calibration_text(found: CalibrationRecord) -> str:
    """The parameters of a calibration, and a table of measures before and after it."""
    fitted = found.calibration
    head = f"Probabilities were calibrated on {found.documents:,} documents that the model had not seen"
    numbers = f"tau {fitted.tau:.4g}, gamma {fitted.gamma:.3f}, delta {fitted.delta:.3f}"
    return f"{head} ({numbers}):\n{_measures_text('raw', found.before, 'calibrated', found.after)}"


def calibration_change_text(before: Measures, after: Measures) -> str:
    """A table of measures before and after a calibration was renewed."""
    return _measures_text("before", before, "after", after)


def _measures_text(one: str, first: Measures, other: str, second: Measures) -> str:
    rows = [["", one, other]]
    rows += [[name, number(first[key]), number(second[key])] for key, name in MEASURES.items()]
    return table(rows)


def reliability_text(measures: Mapping[str, float | None]) -> str:
    """The measures of the probabilities, in one line."""
    return ", ".join(f"{name} {number(measures[key])}" for key, name in MEASURES.items())


def coverage_text(rows: list[Coverage]) -> str:
    """A table with one row per threshold: how many texts get an answer, and how many answers are right."""
    lines = [["probability at least", "answered", "accuracy"]]
    lines += [[f"{row.threshold:g}", f"{row.coverage:.1%}", number(row.accuracy)] for row in rows]
    return table(lines)

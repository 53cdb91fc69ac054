"""What probabilities are worth: before and after they were calibrated, and what not answering gains."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from likely.terminal import number, table

if TYPE_CHECKING:
    from likely.scoring.abstain import Coverage
    from likely.scoring.calibration_record import Calibrated

MEASURES = {
    "expected_calibration_error": "expected calibration error",
    "brier": "Brier score",
    "log_loss": "log-loss",
}


def calibration_text(found: Calibrated) -> str:
    """The numbers of a calibration, and its measures before and after."""
    rows = [["", "raw", "calibrated"]]
    rows += [[name, number(found.before[key]), number(found.after[key])] for key, name in MEASURES.items()]
    fitted = found.calibration
    head = f"Probabilities were calibrated on {found.documents:,} documents that each model had not seen"
    numbers = f"tau {fitted.tau:.4g}, gamma {fitted.gamma:.3f}, delta {fitted.delta:.3f}"
    return f"{head} ({numbers}):\n{table(rows)}"


def reliability_text(measures: dict[str, Any]) -> str:
    """The measures of probabilities in one line."""
    return ", ".join(f"{name} {number(measures[key])}" for key, name in MEASURES.items())


def coverage_text(rows: list[Coverage]) -> str:
    """What answering only from a probability on means."""
    lines = [["answer from", "answered", "right"]]
    lines += [[f"{row.threshold:g}", f"{row.coverage:.1%}", number(row.accuracy)] for row in rows]
    return table(lines)

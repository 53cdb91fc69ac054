"""How far probabilities can be trusted, before and after calibration, and how abstaining changes the accuracy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.terminal import counted, number, percent, table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.evaluation.bands import Band
    from likely.evaluation.coverage import Coverage
    from likely.evaluation.reliability import Reliability
    from likely.scoring.calibration_record import CalibrationRecord, Measures

MEASURES = {
    "expected_calibration_error": "expected calibration error",
    "brier": "Brier score",
    "log_loss": "log-loss",
}
COVERAGE = ["threshold", "answered", "accuracy of answered"]
"""The columns of a table of what is answered."""


def calibration_sentence(reliability: Reliability) -> str:
    """How often a model is right when it is rather sure, as one sentence; '' without documents.

    Examples
    --------
    >>> import numpy as np
    >>> from likely.evaluation.reliability import reliability
    >>> calibration_sentence(reliability(np.log([[0.9, 0.1]] * 1000), np.array([0] * 905 + [1] * 95)))
    'When it says 90 %, it is right 89 to 92 times in 100.'
    """
    from likely.evaluation.bands import band_near

    return _sentence(band_near(reliability))


def record_sentence(record: CalibrationRecord) -> str:
    """The same for the documents that a model was calibrated on; '' if it remembers nothing of them."""
    from likely.evaluation.bands import band_of_curve

    return _sentence(band_of_curve(record.curve, record.documents) if record.curve else None)


def _sentence(band: Band | None) -> str:
    if band is None:
        return ""
    low, high = (f"{100 * end:.0f}" for end in band.interval)
    times = low if low == high else f"{low} to {high}"
    verdict = ": it is too sure" if band.is_too_sure else ": it could be surer" if band.is_too_modest else ""
    said = percent(band.said, 0 if band.said < 0.995 else 1)
    return f"When it says {said}, it is right {times} times in 100{verdict}."


def calibration_text(found: CalibrationRecord) -> str:
    """What the probabilities of a calibrated model mean, and a table of measures before and after calibration."""
    documents = counted(found.documents, "document")
    head = f"Probabilities are calibrated on {documents} that the model had not seen."
    measures = _measures_text("raw", found.before, "calibrated", found.after)
    return "\n".join(filter(None, (head, record_sentence(found), measures)))


def record_text(found: CalibrationRecord) -> str:
    """The calibration of a model in a few lines, and whether it is still of the model as it is."""
    error = "expected_calibration_error"
    change = f"{number(found.before[error])} -> {number(found.after[error])}"
    head = f"Calibrated on {counted(found.documents, 'document')}: {MEASURES[error]} {change}."
    changed = counted(found.changed, "document")
    since = (
        f"{changed} {'was' if found.changed == 1 else 'were'} learned or forgotten since then."
        if found.changed
        else ""
    )
    return "\n".join(filter(None, (head, record_sentence(found), since)))


def calibration_change_text(before: Measures, after: Measures) -> str:
    """A table of measures before and after a calibration was renewed."""
    return _measures_text("before", before, "after", after)


def _measures_text(one: str, first: Measures, other: str, second: Measures) -> str:
    rows = [["(lower is better)", one, other]]
    rows += [[name, number(first[key]), number(second[key])] for key, name in MEASURES.items()]
    return table(rows)


def reliability_text(measures: Mapping[str, float | None]) -> str:
    """The measures of the probabilities, in one line."""
    return ", ".join(f"{name} {number(measures[key])}" for key, name in MEASURES.items())


def coverage_text(rows: list[Coverage]) -> str:
    """A table of what is answered, and how often that is right, if less probable classes are not answered.

    A threshold below which no text lies is left out, except for the first.

    Examples
    --------
    >>> from likely.evaluation.coverage import Coverage
    >>> print(coverage_text([Coverage(0.0, 1.0, 0.8), Coverage(0.5, 1.0, 0.8), Coverage(0.9, 0.5, 0.95)]))
    threshold  answered  accuracy of answered
    0             100 %                   0.8
    0.9          50.0 %                  0.95
    """
    return table([COVERAGE, *coverage_rows(rows)])


def coverage_rows(rows: list[Coverage]) -> list[list[str]]:
    """The rows of this table."""
    shown = [row for at, row in enumerate(rows) if not at or row.coverage != rows[at - 1].coverage]
    return [[f"{row.threshold:g}", percent(row.coverage), number(row.accuracy)] for row in shown]

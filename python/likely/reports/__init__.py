"""Results as text for people, and predictions as rows.

| module | contents |
| --- | --- |
| `reports.text` | explanations, evaluations, calibration, tuning, thresholds, overviews and comparisons as text |
| `reports.rows` | predictions as CSV, JSON Lines or Parquet |
| `reports.evidence` | which words of a text speak for which class |
| `reports.overview` | the document that `likely inspect` prints, as types |
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.lazy_names import loaded_on_use

if TYPE_CHECKING:
    from likely.reports.text.calibration import (
        calibration_change_text,
        calibration_sentence,
        calibration_text,
        coverage_text,
        record_sentence,
        record_text,
        reliability_text,
    )
    from likely.reports.text.check import check_text
    from likely.reports.text.coloured import coloured
    from likely.reports.text.compared import comparison_text
    from likely.reports.text.comparison import difference_text
    from likely.reports.text.drift import drift_text
    from likely.reports.text.evaluation import evaluation_text
    from likely.reports.text.explanation import explanation_text
    from likely.reports.text.learning_curve import curve_advice, learning_curve_text
    from likely.reports.text.overview import overview_text, term_text
    from likely.reports.text.steps import trace_text
    from likely.reports.text.summary import summary_text
    from likely.reports.text.thresholds import thresholds_text
    from likely.reports.text.tuning import tuning_text

__all__ = [
    "calibration_change_text",
    "calibration_sentence",
    "calibration_text",
    "check_text",
    "coloured",
    "comparison_text",
    "coverage_text",
    "curve_advice",
    "difference_text",
    "drift_text",
    "evaluation_text",
    "explanation_text",
    "learning_curve_text",
    "overview_text",
    "record_sentence",
    "record_text",
    "reliability_text",
    "summary_text",
    "term_text",
    "thresholds_text",
    "trace_text",
    "tuning_text",
]

_HOMES = {
    "calibration_change_text": "text.calibration",
    "calibration_sentence": "text.calibration",
    "calibration_text": "text.calibration",
    "check_text": "text.check",
    "coloured": "text.coloured",
    "comparison_text": "text.compared",
    "coverage_text": "text.calibration",
    "curve_advice": "text.learning_curve",
    "difference_text": "text.comparison",
    "drift_text": "text.drift",
    "evaluation_text": "text.evaluation",
    "explanation_text": "text.explanation",
    "learning_curve_text": "text.learning_curve",
    "overview_text": "text.overview",
    "record_sentence": "text.calibration",
    "record_text": "text.calibration",
    "reliability_text": "text.calibration",
    "summary_text": "text.summary",
    "term_text": "text.overview",
    "thresholds_text": "text.thresholds",
    "trace_text": "text.steps",
    "tuning_text": "text.tuning",
}
"""Where each name is defined. It is loaded on first use: predictions are written without all other reports."""

__getattr__, __dir__ = loaded_on_use(__name__, _HOMES)

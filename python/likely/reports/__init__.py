"""Explanations, evaluations and models to text and HTML, for people. Every text is escaped on its way out.

| module | what it writes |
| --- | --- |
| `reports.explanation` | why a text gets its class: text, colours, HTML |
| `reports.calibration` | what probabilities are worth |
| `reports.evaluation` | how good a model is |
| `reports.tuning` | how options were chosen |
| `reports.models` | what a model has learned, how two differ, what becomes of a text |
"""

from __future__ import annotations

from likely.reports.calibration import calibration_text, coverage_text, reliability_text
from likely.reports.evaluation import evaluation_html, evaluation_text
from likely.reports.explanation import coloured, explanation_html, explanation_page, explanation_text
from likely.reports.models import difference_text, overview_text, term_text, trace_text
from likely.reports.tuning import tuning_text

__all__ = [
    "calibration_text",
    "coloured",
    "coverage_text",
    "difference_text",
    "evaluation_html",
    "evaluation_text",
    "explanation_html",
    "explanation_page",
    "explanation_text",
    "overview_text",
    "reliability_text",
    "term_text",
    "trace_text",
    "tuning_text",
]

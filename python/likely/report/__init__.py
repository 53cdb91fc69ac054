"""Explanations, evaluations and models to text and HTML, for people. Every text is escaped on its way out.

| module | what it writes |
| --- | --- |
| `report.text` | texts that cannot steer a terminal, numbers, sizes, tables |
| `report.explanation` | why a text gets its class: text, colours, HTML |
| `report.calibration` | what probabilities are worth |
| `report.evaluation` | how good a model is |
| `report.tuning` | how options were chosen |
| `report.models` | what a model has learned, how two differ, what becomes of a text |
"""

from __future__ import annotations

from likely.report.calibration import calibration_text, coverage_text, reliability_text
from likely.report.evaluation import evaluation_html, evaluation_text
from likely.report.explanation import coloured, explanation_html, explanation_page, explanation_text
from likely.report.models import difference_text, overview_text, term_text, trace_text
from likely.report.text import number, printable, size_text, table
from likely.report.tuning import tuning_text

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
    "number",
    "overview_text",
    "printable",
    "reliability_text",
    "size_text",
    "table",
    "term_text",
    "trace_text",
    "tuning_text",
]

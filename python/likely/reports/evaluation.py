"""How good a model is: tables."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from likely.reports.calibration import coverage_text, reliability_text
from likely.terminal import number, printable, table

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation

MOST_ROWS = 50
"""How many classes, the largest, an evaluation lists."""


def evaluation_text(evaluation: Evaluation) -> str:
    """Accuracy, the table of classes with averages, and the confusion matrix."""
    f = f"F{evaluation.beta:g}"
    rows = [["", "precision", "recall", f, "documents"]]
    classes = evaluation.per_class
    shown = sorted(classes, key=lambda label: -(classes[label].tp + classes[label].fn))[:MOST_ROWS]
    for label in sorted(shown):
        of = classes[label]
        figures = [number(of.precision), number(of.recall), number(of.f(evaluation.beta))]
        rows.append([printable(label), *figures, str(of.tp + of.fn)])
    for name, average in (("macro", evaluation.macro), ("micro", evaluation.micro)):
        figures = [number(average.precision), number(average.recall), number(average.f)]
        rows.append([name, *figures, str(evaluation.documents)])
    parts = [f"accuracy {number(evaluation.accuracy)} on {evaluation.documents:,} documents", table(rows)]
    if evaluation.reliability:
        parts.append(reliability_text(evaluation.reliability.to_dict()))
    if evaluation.coverage:
        parts.append(coverage_text(evaluation.coverage))
    if len(shown) < len(classes):
        parts.append(f"{len(classes) - len(shown):,} smaller classes are not shown; they are in the averages.")
    if len(evaluation.labels) <= 20:
        parts.append("gold (rows) against predicted (columns)\n" + table(_confusion_rows(evaluation)))
    return "\n\n".join(parts)


def _confusion_rows(evaluation: Evaluation) -> list[list[str]]:
    labels = [printable(label) for label in evaluation.labels]
    rows = [[label, *map(str, row)] for label, row in zip(labels, evaluation.confusion, strict=True)]
    return [["", *labels], *rows]


def evaluation_html(evaluation: Evaluation) -> str:
    """The same as HTML."""
    return f"<pre>{html.escape(evaluation_text(evaluation))}</pre>"

"""An evaluation as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from likely.reports.text.calibration import coverage_text, reliability_text
from likely.reports.text.sources import source_text
from likely.terminal import number, printable, table

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation

MOST_ROWS = 50
"""At most this many classes are listed, the largest ones."""


def evaluation_text(evaluation: Evaluation) -> str:
    """The accuracy, a table with one row per class, the averages, and the confusion matrix."""
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
        measures = reliability_text(evaluation.reliability.to_dict())
        parts.append(f"{measures}, mean confidence {number(evaluation.confidence)}")
    if evaluation.shift:
        parts.append(str(evaluation.shift))
    parts.extend(f"Warning: {each}." for each in evaluation.warnings)
    if evaluation.coverage:
        parts.append(coverage_text(evaluation.coverage))
    if len(shown) < len(classes):
        parts.append(
            f"{len(classes) - len(shown):,} smaller classes are not listed, but they are part of the averages."
        )
    if len(evaluation.labels) <= 20:
        parts.append("gold labels (rows) and predicted labels (columns)\n" + table(_confusion_rows(evaluation)))
    parts.append(source_text(evaluation))
    return "\n\n".join(filter(None, parts))


def _confusion_rows(evaluation: Evaluation) -> list[list[str]]:
    labels = [printable(label) for label in evaluation.labels]
    rows = [[label, *map(str, row)] for label, row in zip(labels, evaluation.confusion, strict=True)]
    return [["", *labels], *rows]

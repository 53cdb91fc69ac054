"""An evaluation as HTML: the headline, a table of the classes, and the confusion matrix as a heat map."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from likely.reports.confusion import shown_confusion
from likely.reports.html.markup import (
    BLUE,
    ORANGE,
    block,
    cell,
    heading,
    hidden_html,
    named_html,
    paragraph,
    table_html,
    tint,
)
from likely.scoring.reliability import calibration_sentence
from likely.terminal import counted, number, percent, printable

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation
    from likely.types import Label

MOST_CLASSES = 20
"""At most this many classes are shown: the largest ones, and in the matrix those that are confused most."""
FEW = 6
"""With more classes, the names of the columns run from bottom to top."""
MOST_PAIRS = 20_000
"""With more pairs of classes, intervals would take too long for a notebook."""


def evaluation_html(evaluation: Evaluation) -> str:
    """The headline with its interval and the baseline, warnings, the classes, and the confusion matrix."""
    label, share = evaluation.majority
    baseline = f"Always answering {printable(label)} would give {percent(share)}."
    abstained = f"{percent(evaluation.answered)} of the documents are answered; of these answers "
    abstained += f"{_share(evaluation.accuracy_of_answered)} are right."
    sure = "" if evaluation.reliability is None else calibration_sentence(evaluation.reliability)
    return block(
        "evaluation",
        heading(_headline(evaluation)),
        paragraph(baseline),
        paragraph(abstained if evaluation.abstained else ""),
        paragraph(sure),
        *(paragraph(f"Warning: {each.rstrip('.')}.") for each in evaluation.warnings),
        _classes(evaluation),
        _confusion(evaluation),
    )


def _headline(evaluation: Evaluation) -> str:
    documents = f" on {counted(evaluation.documents, 'document')}"
    interval = evaluation.intervals.get("accuracy") if len(evaluation.counts) <= MOST_PAIRS else None
    between = "" if interval is None else f" ({percent(interval.low)} to {percent(interval.high)})"
    f = f"macro F{evaluation.beta:g} {number(evaluation.macro.f)}"
    return f"Accuracy {percent(evaluation.accuracy)}{between}, {f}{documents}"


def _share(value: float | None) -> str:
    return "none" if value is None else percent(value)


def _classes(evaluation: Evaluation) -> str:
    tables, beta = evaluation.per_class, evaluation.beta
    largest = sorted(tables, key=lambda label: -(tables[label].tp + tables[label].fn))[:MOST_CLASSES]
    shown = [label for label in evaluation.labels if label in set(largest)]
    rows = []
    for label in shown:
        of = tables[label]
        figures = [of.precision, of.recall, of.f(beta)]
        rows.append([named_html(label), *map(number, figures), f"{of.tp + of.fn:,}"])
    for name, of_all in (("macro", evaluation.macro), ("weighted", evaluation.weighted), ("micro", evaluation.micro)):
        figures = [of_all.precision, of_all.recall, of_all.f]
        rows.append([f"<i>{name} average</i>", *map(number, figures), f"{evaluation.documents:,}"])
    head = ["class", "precision", "recall", f"F{beta:g}", "documents"]
    hidden = hidden_html(len(tables) - len(shown), "class", "classes")
    return table_html(head, rows) + hidden


def _confusion(evaluation: Evaluation) -> str:
    """The confusion matrix: one row per gold label, one column per prediction; the colour is the share of the row."""
    found = shown_confusion(evaluation, MOST_CLASSES)
    rows = [
        [named_html(gold), *(_cell(gold, said, n, size) for said, n in zip(found.labels, row, strict=True))]
        for gold, row, size in zip(found.labels, found.cells, found.sizes, strict=True)
    ]
    has_unanswered = any(found.unanswered)
    if has_unanswered:
        rows = [[*row, f"{n:,}"] for row, n in zip(rows, found.unanswered, strict=True)]
    rows = [row for row, size in zip(rows, found.sizes, strict=True) if size]  # the others are never a gold label
    head = ["gold label", *map(_head, found.labels), *(["no answer"] if has_unanswered else [])]
    number, of = len(found.labels), len(evaluation.labels)
    what = "Gold labels (rows) and predictions (columns): blue is right, orange is wrong, as a share of the row."
    few = f" These are the {number} of {of:,} classes that are confused most." if number < of else ""
    return paragraph(what + few) + table_html(head, rows, upright=number > FEW)


def _head(label: Label) -> str:
    name = str(label)
    return name if len(name) <= 16 else f"{name[:15]}…"


def _cell(gold: Label, predicted: Label, documents: int, size: int) -> str:
    if not documents:
        return cell("", number=True)
    share = documents / size
    title = f"{gold} as {predicted}: {counted(documents, 'document')}, {percent(share)} of {gold}"[:300]
    # The square root makes rare mistakes visible.
    colour = tint(BLUE, share) if gold == predicted else tint(ORANGE, math.sqrt(share))
    return cell(f"{documents:,}", number=True, style=colour, title=title)

"""What the templates show of an evaluation: its headline, measures, classes and confusion matrix, as plain data."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely.report.render import percent, visible
from likely.terminal import number

if TYPE_CHECKING:
    from typing import Any

    from likely.evaluation.evaluation import Evaluation
    from likely.explanation.independence import Independence, Pair
    from likely.report.examples import ShownDocument
    from likely.report.material import ReportMaterial
    from likely.types import Label

MEASURES = {
    "accuracy": ("Accuracy", percent, "the share of the documents whose predicted class is the label"),
    "accuracy_of_answered": (
        "Accuracy of the answered",
        percent,
        "the same, among the documents that got an answer",
    ),
    "balanced_accuracy": ("Balanced accuracy", percent, "the mean recall of the classes"),
    "macro_f": ("Macro F", percent, "the mean F of the classes: each class weighs the same"),
    "weighted_f": ("Weighted F", percent, "the mean F of the classes, each weighed by its documents"),
    "roc_auc": (
        "Area under the ROC curve",
        percent,
        "how often a document in a class is ranked above one outside of it",
    ),
    "average_precision": (
        "Average precision",
        percent,
        "the area under the precision-recall curve, mean of the classes",
    ),
    "matthews": ("Matthews correlation", number, "1 if all are right, 0 for guessing"),
    "kappa": ("Cohen's kappa", number, "agreement beyond chance: 1 if all are right, 0 for guessing"),
    "log_loss": ("Log-loss", number, "the mean of -log of the probability of the label; lower is better"),
    "brier": ("Brier score", number, "the mean squared error of the probabilities; lower is better"),
    "expected_calibration_error": (
        "Calibration error",
        number,
        "by how far confidence and accuracy differ; lower is better",
    ),
}
"""The measures by key: name, how values are written, and meaning. This is the order of the table."""
MOST_CONFUSED = 12
"""At most this many confused pairs are listed."""
HEATS = 6
"""The number of shades of a cell."""
FEW_CLASSES = 12
"""Up to this many classes, the matrix has wide columns with horizontal headings."""
MOST_DEPENDENT = 15
"""At most this many dependent pairs are shown."""


def summary(evaluation: Evaluation, *, with_interval: bool = True) -> dict[str, Any]:
    """The main result: how many documents are right, with its interval, and the majority baseline."""
    label, share = evaluation.majority
    interval = evaluation.intervals.get("accuracy") if with_interval else None
    low, high = (interval.low, interval.high) if interval else (evaluation.accuracy, evaluation.accuracy)
    return {
        "right": round(evaluation.accuracy * evaluation.documents),
        "documents": evaluation.documents,
        "accuracy": evaluation.accuracy,
        "interval": interval,
        "low": low,
        "high": high,
        "majority": label,
        "baseline": share,
    }


def warnings_of(evaluation: Evaluation) -> list[str]:
    """What to beware of, without a full stop."""
    copies = evaluation.copies
    found = [*evaluation.warnings, *([str(copies)] if copies is not None and copies.near else [])]
    return [each.rstrip(".") for each in found]


def measures(evaluation: Evaluation) -> list[dict[str, Any]]:
    """One row per measure, with its interval; those of probabilities only if there are probabilities."""
    values = _measured(evaluation)
    rows = []
    for key, (name, written, meaning) in MEASURES.items():
        if key in values:
            interval = evaluation.intervals.get(key)
            between = "" if interval is None else f"{written(interval.low)} to {written(interval.high)}"
            rows.append({"name": name, "value": written(values[key]), "interval": between, "meaning": meaning})
    return rows


def _measured(evaluation: Evaluation) -> dict[str, float | None]:
    values: dict[str, float | None] = {
        "accuracy": evaluation.accuracy,
        "balanced_accuracy": evaluation.balanced_accuracy,
        "macro_f": evaluation.macro.f,
        "weighted_f": evaluation.weighted.f,
        "matthews": evaluation.matthews,
        "kappa": evaluation.kappa,
    }
    if evaluation.abstained:
        values["accuracy_of_answered"] = evaluation.accuracy_of_answered
    if evaluation.ranking is not None:
        values["roc_auc"] = evaluation.ranking.macro_roc_auc
        values["average_precision"] = evaluation.ranking.macro_average_precision
    if evaluation.reliability is not None:
        for key in ("log_loss", "brier", "expected_calibration_error"):
            values[key] = getattr(evaluation.reliability, key)
    return values


def class_rows(evaluation: Evaluation, most: int) -> dict[str, Any]:
    """One row per class, at most this many, the largest ones in order; the averages; how many are left out."""
    tables = list(evaluation.per_class.values())
    ranked = sorted(range(len(tables)), key=lambda at: (-tables[at].support, -tables[at].fp, at))
    shown = sorted(ranked[:most])
    averages = {"macro": evaluation.macro, "weighted": evaluation.weighted, "micro": evaluation.micro}
    return {
        "rows": [
            {
                "place": at,
                "label": evaluation.labels[at],
                "shares": [tables[at].precision, tables[at].recall, tables[at].f(evaluation.beta)],
                "numbers": [tables[at].tp + tables[at].fn, tables[at].tp + tables[at].fp, tables[at].tp],
            }
            for at in shown
        ],
        "averages": [
            {
                "name": name,
                "classes": each.classes,
                "values": [
                    (each.precision, each.defined_precision),
                    (each.recall, each.defined_recall),
                    (each.f, each.defined_f),
                ],
            }
            for name, each in averages.items()
        ],
        "left_out": len(tables) - len(shown),
    }


@dataclass(frozen=True)
class MatrixCell:
    """A cell of a confusion matrix: its documents and their share of the row; ``kind`` is its CSS class."""

    gold: int
    predicted: int
    count: int
    share: float
    kind: str
    title: str


@dataclass(frozen=True)
class Matrix:
    """The part of a confusion matrix that people can look at.

    Attributes
    ----------
    places, labels : list
        The classes that are shown, in order.
    columns : list of int
        The places of the columns; -1 is that of the documents without an answer.
    rows : list
        The cells by row; None where there is no document.
    wrong : set of int
        The places of the classes with errors.
    classes : int
        The number of all classes.
    """

    places: list[int]
    labels: list[Label]
    columns: list[int]
    rows: list[list[MatrixCell | None]]
    wrong: set[int]
    classes: int

    @property
    def is_wide(self) -> bool:
        """Whether it has so many classes that headings stand upright."""
        return len(self.places) > FEW_CLASSES

    def counts(self) -> list[list[int]]:
        """The numbers of documents of the classes."""
        return [[0 if cell is None else cell.count for cell in row[: len(self.places)]] for row in self.rows]


def matrix(evaluation: Evaluation, most: int, *, errors_only: bool = False) -> Matrix:
    """The confusion matrix of at most this many classes.

    Examples
    --------
    >>> from likely import evaluate
    >>> found = matrix(evaluate(["a", "b", "c", "c"], ["a", "c", "b", "c"]), 2)
    >>> found.labels, found.counts()
    (['b', 'c'], [[0, 1], [1, 1]])
    """
    places = matrix_places(evaluation, most, errors_only=errors_only)
    counts = cell_counts(evaluation)
    columns = [*places, *([-1] if evaluation.abstained else [])]
    errors = evaluation.gold != evaluation.predicted
    return Matrix(
        places=places,
        labels=[evaluation.labels[at] for at in places],
        columns=columns,
        rows=[[_matrix_cell(evaluation, counts, gold, said) for said in columns] for gold in places],
        wrong={*evaluation.gold[errors].tolist(), *evaluation.predicted[errors].tolist()},
        classes=len(evaluation.labels),
    )


def matrix_places(evaluation: Evaluation, most: int, *, errors_only: bool = False) -> list[int]:
    """The places of the classes that occur, in order; of more than ``most`` classes, those with the most errors.

    With ``errors_only``, these have at least one error, if there is any.
    """
    errors = evaluation.gold != evaluation.predicted
    busy = np.zeros(len(evaluation.labels) + 1, np.int64)  # the last place is for documents without an answer
    for places in (evaluation.gold, evaluation.predicted):
        np.add.at(busy, places, np.where(errors, 1_000_000 * evaluation.counts, evaluation.counts))
    ranked = np.argsort(-busy[:-1], kind="stable")
    is_cut = errors_only and len(evaluation.labels) > most and bool(errors.any())
    least = 1_000_000 if is_cut else 1
    return sorted(int(at) for at in ranked[:most] if busy[at] >= least)


def cell_counts(evaluation: Evaluation) -> dict[tuple[int, int], int]:
    """The number of documents per pair of places that occurs: of the label, and of the prediction."""
    pairs = zip(evaluation.gold.tolist(), evaluation.predicted.tolist(), evaluation.counts.tolist(), strict=True)
    return {(gold, predicted): count for gold, predicted, count in pairs}


def _matrix_cell(
    evaluation: Evaluation, counts: dict[tuple[int, int], int], gold: int, predicted: int
) -> MatrixCell | None:
    count = counts.get((gold, predicted), 0)
    if not count:
        return None
    labels = evaluation.labels
    table = evaluation.per_class[labels[gold]]
    share = count / (table.tp + table.fn)
    kind = f"{'d' if gold == predicted else 'e'}{max(1, math.ceil(HEATS * share))}"
    said = "no answer" if predicted < 0 else visible(labels[predicted])
    title = f"labelled {visible(labels[gold])}, predicted {said}: {count:,} ({percent(share)})"
    return MatrixCell(gold, predicted, count, share, kind, title)


def confused_pairs(evaluation: Evaluation, most: int) -> list[dict[str, Any]]:
    """The most confused pairs of the classes in the matrix."""
    places = {label: at for at, label in enumerate(evaluation.labels)}
    shown = set(matrix_places(evaluation, most))
    pairs = [each for each in evaluation.confused if places[each.gold] in shown][:MOST_CONFUSED]
    return [{"pair": each, "cell": f"{places[each.gold]},{places.get(each.predicted, -1)}"} for each in pairs]


def cells_data(material: ReportMaterial) -> dict[str, object]:
    """The examples of the cells for the script: labels, totals, and documents by cell."""
    evaluation = material.evaluation
    places: dict[Label | None, int] = {label: at for at, label in enumerate(evaluation.labels)}
    return {
        "labels": [visible(label) for label in evaluation.labels],
        "totals": {f"{gold},{predicted}": count for (gold, predicted), count in cell_counts(evaluation).items()},
        "cells": {
            f"{places[gold]},{places.get(predicted, -1)}": [_plain_example(example) for example in examples]
            for (gold, predicted), examples in material.cells.items()
        },
    }


def _plain_example(example: ShownDocument) -> list[object]:
    """An example as a list: row from 1, the two probabilities in percent, the rival, then text and shade in turn."""
    pieces = [part for piece in example.pieces for part in piece]
    rival = None if example.rival is None else visible(example.rival)
    return [example.row + 1, percent(example.probability), percent(example.of_gold), rival, pieces]


def shown_pairs(found: Independence | None) -> list[Pair]:
    """The dependent pairs that are shown: none whose terms contain each other."""
    return [] if found is None else [pair for pair in found.pairs if not is_nested(pair)][:MOST_DEPENDENT]


def is_nested(pair: Pair) -> bool:
    """Whether one of the two terms contains the other, as "the best" contains "best": such pairs say nothing new."""
    shorter, longer = sorted((pair.a, pair.b), key=len)
    return f" {shorter} " in f" {longer} " or bool(set(shorter.split(" ")) & set(longer.split(" ")))

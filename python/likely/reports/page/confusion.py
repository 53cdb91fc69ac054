"""The confusion matrix as a heat map whose cells open their documents, and the pairs that are confused most."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from likely.reports.page.escaping import escaped, isolated, visible
from likely.reports.page.markup import LEGEND, paragraph, percent, scrolling, section
from likely.terminal import counted

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation
    from likely.reports.page.example import Example
    from likely.reports.page.material import Material
    from likely.types import Label

MOST_CLASSES = 60
"""At most this many classes are in the matrix: those with the most errors."""
MOST_PAIRS = 12
"""At most this many confused pairs are listed."""
HEATS = 6
"""The number of shades of a cell."""
FEW_CLASSES = 12
"""Up to this many classes, the matrix has wide columns with horizontal headings."""


def confusion_matrix(material: Material) -> str:
    """The section with the matrix, the most confused pairs, and the place where documents of a cell are listed."""
    evaluation = material.evaluation
    shown = shown_classes(evaluation)
    return section(
        "confusion",
        "Confusion",
        paragraph(
            "One row per label, one column per predicted class. Right predictions are on the diagonal (blue), "
            "errors beside it (orange, with a frame); the shade is the share of the row. Press a cell to read its "
            "documents; with the keyboard, the arrow keys move between the cells."
        ),
        _left_out(len(evaluation.labels) - len(shown)),
        _pairs(evaluation, shown),
        _choice(evaluation, shown),
        scrolling(_matrix(evaluation, shown), "Confusion matrix"),
        '<div id="cell" tabindex="-1"></div>',
        LEGEND,
    )


def shown_classes(evaluation: Evaluation) -> list[int]:
    """The places of the classes that occur; if they are many, of those with the most errors, in order."""
    errors = evaluation.gold != evaluation.predicted
    busy = np.zeros(len(evaluation.labels) + 1, np.int64)  # the last place is for documents without an answer
    for places in (evaluation.gold, evaluation.predicted):
        np.add.at(busy, places, np.where(errors, 1_000_000 * evaluation.counts, evaluation.counts))
    ranked = np.argsort(-busy[:-1], kind="stable")
    return sorted(int(at) for at in ranked[:MOST_CLASSES] if busy[at] > 0)


def _left_out(number: int) -> str:
    return (
        paragraph(f"{counted(number, 'class', 'classes')} without documents or with fewer errors are left out.")
        if number
        else ""
    )


def _pairs(evaluation: Evaluation, shown: list[int]) -> str:
    """The most confused pairs, as buttons that open the cells."""
    places = {label: at for at, label in enumerate(evaluation.labels)}
    pairs = [each for each in evaluation.confused if places[each.gold] in set(shown)][:MOST_PAIRS]
    if not pairs:
        return ""
    items = "".join(
        f'<li><button type="button" data-cell="{places[each.gold]},{places.get(each.predicted, -1)}">'
        f"{isolated(each.gold)} as {isolated(each.predicted)}</button> "
        f"{each.documents:,} ({percent(each.share)} of {isolated(each.gold)})</li>"
        for each in pairs
    )
    return f'<h3>Most confused</h3><ol class="pairs">{items}</ol>'


def _choice(evaluation: Evaluation, shown: list[int]) -> str:
    """A box to hide the classes without errors, if there are many classes."""
    if len(shown) <= FEW_CLASSES:
        return ""
    return '<p><label><input type="checkbox" id="only-errors"> Show only classes with errors</label></p>'


def _matrix(evaluation: Evaluation, shown: list[int]) -> str:
    counts = cell_counts(evaluation)
    columns = [*shown, *([-1] if evaluation.abstained else [])]
    wrong = _with_errors(evaluation)
    kind = "matrix" if len(shown) <= FEW_CLASSES else "matrix many"
    heads = "".join(
        f'<th scope="col" class="{_kind(at, wrong)}"><span>{_name(evaluation, at)}</span></th>' for at in columns
    )
    body = "".join(
        f'<tr class="{_kind(row, wrong)}"><th scope="row">{_name(evaluation, row)}</th>'
        + "".join(_cell(evaluation, counts, row, column, _kind(column, wrong)) for column in columns)
        + "</tr>"
        for row in shown
    )
    corner = '<td class="corner">label \\ predicted</td>'
    return f'<table class="{kind}" id="matrix"><thead><tr>{corner}{heads}</tr></thead><tbody>{body}</tbody></table>'


def cell_counts(evaluation: Evaluation) -> dict[tuple[int, int], int]:
    """The number of documents per pair of places that occurs: of the label, and of the prediction."""
    pairs = zip(evaluation.gold.tolist(), evaluation.predicted.tolist(), evaluation.counts.tolist(), strict=True)
    return {(gold, predicted): count for gold, predicted, count in pairs}


def _with_errors(evaluation: Evaluation) -> set[int]:
    errors = evaluation.gold != evaluation.predicted
    return {*evaluation.gold[errors].tolist(), *evaluation.predicted[errors].tolist()}


def _kind(at: int, wrong: set[int]) -> str:
    return "" if at in wrong else "right"


def _name(evaluation: Evaluation, at: int) -> str:
    return "<i>no answer</i>" if at < 0 else isolated(evaluation.labels[at])


def _cell(evaluation: Evaluation, counts: dict[tuple[int, int], int], row: int, column: int, kind: str) -> str:
    count = counts.get((row, column), 0)
    if not count:
        return f'<td class="{kind}"></td>' if kind else "<td></td>"
    table = evaluation.per_class[evaluation.labels[row]]
    share = count / (table.tp + table.fn)
    diagonal = "d" if row == column else "e"
    heat = max(1, math.ceil(HEATS * share))
    predicted = "no answer" if column < 0 else visible(evaluation.labels[column])
    title = f"labelled {visible(evaluation.labels[row])}, predicted {predicted}: {count:,} ({percent(share)})"
    return (
        f'<td class="{kind}"><button type="button" class="{diagonal}{heat}" data-cell="{row},{column}" '
        f'title="{escaped(title)}">{count:,}</button></td>'
    )


def cells_data(material: Material) -> dict[str, object]:
    """The examples of the cells for the script: labels, totals, and documents by cell."""
    evaluation = material.evaluation
    places: dict[Label | None, int] = {label: at for at, label in enumerate(evaluation.labels)}
    return {
        "labels": [visible(label) for label in evaluation.labels],
        "totals": {f"{gold},{predicted}": count for (gold, predicted), count in cell_counts(evaluation).items()},
        "cells": {
            f"{places[gold]},{places.get(predicted, -1)}": [_plain(example) for example in examples]
            for (gold, predicted), examples in material.cells.items()
        },
    }


def _plain(example: Example) -> list[object]:
    """An example as a list: row from 1, the two probabilities in percent, the rival, then text and shade in turn."""
    pieces = [part for piece in example.pieces for part in piece]
    rival = None if example.rival is None else visible(example.rival)
    return [example.row + 1, percent(example.probability), percent(example.of_gold), rival, pieces]

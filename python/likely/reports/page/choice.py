"""Which documents a report shows: the worst ones of each cell of the confusion matrix, within a bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.reports.page.confusion import shown_classes

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation, KeptAnswers
    from likely.types import Array, Places

MOST_DOCUMENTS = 400
"""At most this many wrong predictions are shown in all cells together; each takes about a kilobyte of the page."""
MOST_PER_CELL = 25
"""At most this many documents are shown per cell."""
RIGHT_PER_CELL = 3
"""At most this many right predictions are shown per class."""


def rows_by_cell(evaluation: Evaluation) -> dict[tuple[int, int], list[int]]:
    """The rows to show per cell, by the places of label and prediction: the worst errors, or the least sure hits."""
    answers = evaluation.answers
    if answers is None or answers.texts is None:
        return {}
    shown = set(shown_classes(evaluation))
    pairs = zip(evaluation.gold.tolist(), evaluation.predicted.tolist(), evaluation.counts.tolist(), strict=True)
    counts = {(g, p): n for g, p, n in pairs if g in shown and (p in shown or p < 0)}
    each = per_cell([n for (g, p), n in counts.items() if g != p])
    order = _ordered(answers.gold, answers.predicted, _badness(answers))
    starts = _starts(answers.gold, answers.predicted, order)
    return {
        cell: order[starts[cell] : starts[cell] + min(n, RIGHT_PER_CELL if cell[0] == cell[1] else each)].tolist()
        for cell, n in counts.items()
    }


def per_cell(counts: list[int]) -> int:
    """The largest number of documents per cell with which all cells together stay within the bound.

    Examples
    --------
    >>> per_cell([1000, 900]), per_cell([100] * 20), per_cell([1] * 390 + [100]), per_cell([9] * 800)
    (25, 20, 10, 1)
    """
    fitting = (most for most in range(MOST_PER_CELL, 1, -1) if sum(min(n, most) for n in counts) <= MOST_DOCUMENTS)
    return next(fitting, 1)


def _badness(answers: KeptAnswers) -> Array:
    """How bad each answer is: the log-odds of a wrong prediction against the label; a right one is bad if unsure."""
    wrong = answers.gold != answers.predicted
    if answers.log_probabilities is None:
        return np.where(wrong, 1.0, 0.0)
    rows = np.arange(len(wrong))
    of_best = answers.log_probabilities[rows, np.maximum(answers.predicted, 0)]
    of_gold = answers.log_probabilities[rows, answers.gold]
    return np.where(wrong, of_best - np.maximum(of_gold, -700.0), -of_best)


def _ordered(gold: Places, predicted: Places, badness: Array) -> Places:
    """The rows by cell, the worst of each first; of equally bad ones the first in the data."""
    return np.lexsort((np.arange(len(gold)), -badness, predicted, gold)).astype(np.intp)


def _starts(gold: Places, predicted: Places, order: Places) -> dict[tuple[int, int], int]:
    """Where the rows of each cell start among the ordered rows."""
    sorted_gold, sorted_predicted = gold[order], predicted[order]
    changes = np.flatnonzero((np.diff(sorted_gold) != 0) | (np.diff(sorted_predicted) != 0)) + 1
    return {(int(sorted_gold[at]), int(sorted_predicted[at])): at for at in (0, *changes.tolist())}

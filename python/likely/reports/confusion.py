"""The part of a confusion matrix that people can look at: of many classes, those that are confused most."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation
    from likely.types import Label


@dataclass(frozen=True)
class ShownConfusion:
    """Some classes of a confusion matrix.

    Attributes
    ----------
    labels : list
        The classes, in the order of the evaluation.
    cells : list of list of int
        The number of documents: one row per gold label, one column per prediction.
    unanswered : list of int
        The number of documents without a prediction, by gold label.
    sizes : list of int
        The number of all documents, by gold label; also those that were predicted to be in other classes.
    """

    labels: list[Label]
    cells: list[list[int]]
    unanswered: list[int]
    sizes: list[int]


def shown_confusion(evaluation: Evaluation, most: int) -> ShownConfusion:
    """The confusion matrix of at most this many classes.

    Examples
    --------
    >>> from likely import evaluate
    >>> found = shown_confusion(evaluate(["a", "b", "c", "c"], ["a", "c", "b", "c"]), 2)
    >>> found.labels, found.cells, found.sizes
    (['b', 'c'], [[0, 1], [1, 1]], [1, 2])
    """
    shown = _places(evaluation, most)
    at = {place: number for number, place in enumerate(shown)}
    cells, unanswered = [[0] * len(shown) for _ in shown], [0] * len(shown)
    pairs = (each.tolist() for each in (evaluation.gold, evaluation.predicted, evaluation.counts))
    for gold, predicted, count in zip(*pairs, strict=True):
        if gold in at and predicted in at:
            cells[at[gold]][at[predicted]] += count
        elif gold in at and predicted < 0:
            unanswered[at[gold]] += count
    labels = [evaluation.labels[place] for place in shown]
    tables = [evaluation.per_class[label] for label in labels]
    return ShownConfusion(labels, cells, unanswered, [each.tp + each.fn for each in tables])


def _places(evaluation: Evaluation, most: int) -> list[int]:
    """The places of all classes, or of those of the most confused pairs, in their order."""
    if len(evaluation.labels) <= most:
        return list(range(len(evaluation.labels)))
    places = {label: at for at, label in enumerate(evaluation.labels)}
    found: dict[int, None] = {}
    for pair in evaluation.confused:
        found |= {places[pair.gold]: None, places[pair.predicted]: None}
        if len(found) >= most:
            break
    return sorted(list(found)[:most] or range(most))

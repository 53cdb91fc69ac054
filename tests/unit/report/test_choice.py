"""The documents that are shown: the worst errors of each cell first, within the bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from likely.evaluation.evaluate import evaluate
from likely.evaluation.evaluation import KeptAnswers
from likely.report.material import MOST_DOCUMENTS, MOST_PER_CELL, per_cell, rows_by_cell

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation


def kept(gold: list[str], probabilities: list[list[float]]) -> tuple[Evaluation, KeptAnswers]:
    """An evaluation of two classes, and its answers."""
    table = np.array(probabilities)
    places = table.argmax(axis=1)
    found = evaluate(gold, [("a", "b")[at] for at in places], classes=["a", "b"])
    answers = KeptAnswers(
        np.array([("a", "b").index(each) for each in gold]), places, np.log(table), ["text"] * len(gold)
    )
    return found, answers


def test_the_worst_errors_and_the_least_sure_hits_come_first() -> None:
    found = kept(["a", "a", "a", "a", "b"], [[0.4, 0.6], [0.1, 0.9], [0.9, 0.1], [0.6, 0.4], [0.2, 0.8]])
    assert rows_by_cell(*found) == {(0, 1): [1, 0], (0, 0): [3, 2], (1, 1): [4]}


def test_equally_bad_documents_are_in_the_order_of_the_data() -> None:
    found = kept(["a"] * 30, [[0.1, 0.9]] * 30)
    assert rows_by_cell(*found) == {(0, 1): list(range(MOST_PER_CELL))}


def test_many_cells_share_the_bound() -> None:
    counts = [3] * 100 + [50] * 20
    each = per_cell(counts)
    assert sum(min(count, each) for count in counts) <= MOST_DOCUMENTS
    assert sum(min(count, each + 1) for count in counts) > MOST_DOCUMENTS

"""`Pool`: one evaluation of the answers of several models, each about other rows of the same data."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from likely.class_places import ClassPlaces
from likely.evaluation.evaluate import evaluate_batches
from likely.evaluation.judge import Judge
from likely.labels import label_array

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation
    from likely.reading.whole import Whole
    from likely.types import Array, Label, Mask, Places


class Pool:
    """Collects the answers about rows, and evaluates them together, in the order of the rows.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.reading.whole import Whole
    >>> whole = Whole(["good", "bad", "so good", "so bad"], ["+", "-", "+", "-"])
    >>> pool = Pool(whole)
    >>> for learned in (np.array([True, True, False, False]), np.array([False, False, True, True])):
    ...     known, asked = whole.chosen(learned), whole.chosen(~learned)
    ...     model = NaiveBayes().fit(known.texts, known.labels)
    ...     pool.add(np.flatnonzero(~learned), model.evaluate(asked.texts, asked.labels, keep=True))
    >>> pool.evaluation().accuracy, pool.folds
    (1.0, [1.0, 1.0])
    """

    def __init__(self, whole: Whole) -> None:
        self._whole = whole
        self._places = ClassPlaces(sorted(set(whole.labels)))
        self._best = np.full(len(whole), -1, np.int64)
        self._logs = np.full((len(whole), len(self._places.labels)), -np.inf)
        self._is_judged = np.zeros(len(whole), np.bool_)
        self._words: dict[int, list[tuple[str, float]]] = {}
        self.folds: list[float] = []
        """The accuracy of each part."""

    def add(self, rows: Places, part: Evaluation) -> None:
        """Add the evaluation of some rows, which has kept its answers."""
        if part.answers is None or part.answers.log_probabilities is None:
            raise ValueError("a part of a pool must keep its answers")
        columns = self._places.of_all(part.labels)
        self.add_answers(rows, columns, part.answers.log_probabilities, part.answers.predicted)
        self._words |= {int(rows[each.row]): each.words for each in part.mistakes}
        self.folds.append(part.accuracy)

    def add_answers(self, rows: Places, columns: Places, log_probabilities: Array, best: Places) -> None:
        """Add answers about some rows; ``columns`` are the places of the model's classes among all labels."""
        self._logs[np.ix_(rows, columns)] = log_probabilities
        self._best[rows] = np.where(best < 0, -1, columns[best])
        self._is_judged[rows] = True

    @property
    def labels(self) -> list[Label]:
        """All labels, sorted."""
        return self._places.labels

    @property
    def rows(self) -> Places:
        """The rows that were judged."""
        return np.flatnonzero(self._is_judged)

    @property
    def right(self) -> Mask:
        """Whether each row that was judged got its gold label."""
        rows = self.rows
        right: Mask = self._best[rows] == self._places.of_all([self._whole.labels[row] for row in rows.tolist()])
        return right

    def evaluation(self, *, beta: float = 1.0, keep: bool = False) -> Evaluation:
        """The evaluation of all answers."""
        rows, some = self.rows, self._whole.chosen(self._is_judged)
        judge = Judge(label_array(self.labels), keep=keep)
        predicted = judge.predicted(self._logs[rows], some.labels, self._best[rows], some.texts)
        found = judge.completed(
            evaluate_batches([(some.labels, predicted)], beta=beta, classes=self.labels, keep=keep)
        )
        mistakes = [
            replace(each, row=int(rows[each.row]), words=self._words.get(int(rows[each.row]), []))
            for each in found.mistakes
        ]
        return replace(found, mistakes=mistakes, folds=self.folds)

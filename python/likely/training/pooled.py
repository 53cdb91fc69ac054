"""`Pool`: one evaluation of the answers of several models, each about other rows of the same data."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from likely.class_places import ClassPlaces
from likely.evaluation.answers import Answers
from likely.evaluation.evaluate import evaluate_batches
from likely.evaluation.judge import Judge
from likely.labels import label_array

if TYPE_CHECKING:
    from likely.evaluation.evaluation import Evaluation
    from likely.reading.rows import Whole
    from likely.types import Array, Label, LabelArray, Mask, Places


class Pool:
    """Collects the answers about rows, and evaluates them together. With ``keep``, they are kept in order of rows.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from likely.reading.rows import Whole
    >>> whole = Whole(["good", "bad", "so good", "so bad"], ["+", "-", "+", "-"])
    >>> pool = Pool(whole)
    >>> for learned in (np.array([True, True, False, False]), np.array([False, False, True, True])):
    ...     known, asked = whole.chosen(learned), whole.chosen(~learned)
    ...     model = NaiveBayes().fit(known.texts, known.labels)
    ...     pool.add(np.flatnonzero(~learned), model.evaluate(asked.texts, asked.labels, keep=True))
    >>> pool.evaluation().accuracy, pool.folds
    (1.0, [1.0, 1.0])
    """

    def __init__(self, whole: Whole, *, keep: bool = False) -> None:
        self._whole, self._keep = whole, keep
        self._places = ClassPlaces(sorted(set(whole.labels)))
        self._judge = Judge(label_array(self._places.labels), keep=keep)
        self._rows: list[Places] = []
        self._batches: list[tuple[list[Label], LabelArray]] = []
        self._right: list[Mask] = []
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
        texts, labels = ([values[row] for row in rows.tolist()] for values in (self._whole.texts, self._whole.labels))
        logs = np.full((len(rows), len(self.labels)), -np.inf)
        logs[:, columns] = log_probabilities
        places = np.where(best < 0, -1, columns[best])
        self._batches.append((labels, self._judge.predicted(logs, labels, places, texts)))
        self._rows.append(rows)
        self._right.append(places == self._places.of_all(labels))

    @property
    def labels(self) -> list[Label]:
        """All labels, sorted."""
        return self._places.labels

    @property
    def rows(self) -> Places:
        """The rows that were judged, in the order in which they came."""
        return np.concatenate(self._rows)

    @property
    def right(self) -> Mask:
        """Whether each row that was judged got its gold label, in the same order."""
        return np.concatenate(self._right)

    def evaluation(self, *, beta: float = 1.0) -> Evaluation:
        """The evaluation of all answers."""
        rows = self.rows
        counted = evaluate_batches(self._batches, beta=beta, classes=self.labels, keep=self._keep)
        found = self._judge.completed(counted)
        mistakes = [
            replace(each, row=int(rows[each.row]), words=self._words.get(int(rows[each.row]), []))
            for each in found.mistakes
        ]
        answers = None if found.answers is None else _ordered(found.answers, np.argsort(rows))
        return replace(found, mistakes=mistakes, folds=self.folds, answers=answers)


def _ordered(answers: Answers, order: Places) -> Answers:
    """The answers in another order."""
    logs, texts = answers.log_probabilities, answers.texts
    return Answers(
        answers.gold[order],
        answers.predicted[order],
        None if logs is None else logs[order],
        None if texts is None else [texts[at] for at in order.tolist()],
    )

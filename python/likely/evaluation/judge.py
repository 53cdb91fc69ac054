"""`Judge`: adds to an evaluation what the probabilities of the documents say."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from likely.class_places import ClassPlaces
from likely.evaluation.coverage import SHOWN, coverage_at
from likely.evaluation.losses import losses
from likely.evaluation.mistakes import Worst
from likely.evaluation.ranking import Ranking
from likely.evaluation.reliability import document_scores, reliability_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from likely.evaluation.answers import Answers
    from likely.evaluation.evaluation import Evaluation
    from likely.evaluation.losses import Losses
    from likely.evaluation.mistakes import Mistake
    from likely.evaluation.reliability import Reliability
    from likely.evaluation.shift import Shift
    from likely.types import Array, LabelArray, Labels, Mask, Places, TextRows

MOST_SCORES = 1 << 25
"""At most this many probabilities are kept for ranking: 256 MB. If there are more, there is no ranking."""


class Judge:
    """Turns probabilities into predictions, and adds to an evaluation what they say about the gold labels.

    Documents come in batches. Of their texts only those of the worst mistakes are kept, unless all are to be kept.

    Examples
    --------
    >>> judge = Judge(np.array(["+", "-"]))
    >>> predicted = judge.predicted(np.log([[0.8, 0.2], [0.6, 0.4]]), ["+", "-"], np.array([0, 0]), ["good", "bad"])
    >>> from likely import evaluate
    >>> evaluation = judge.completed(evaluate(["+", "-"], predicted))
    >>> evaluation.accuracy, round(evaluation.reliability.expected_calibration_error, 3)
    (0.5, 0.4)
    >>> [(mistake.row, mistake.text) for mistake in evaluation.mistakes]
    [(1, 'bad')]
    """

    def __init__(self, classes: LabelArray, *, keep: bool = False) -> None:
        self._classes = classes
        self._places = ClassPlaces(classes.tolist())
        self._keep = keep
        self._found: Reliability | None = None
        self._losses: Losses | None = None
        self._confidence: list[Array] = []
        self._right: list[Mask] = []
        self._gold: list[Places] = []
        self._logs: list[Array] = []
        self._size = 0
        self._worst = Worst(self._places.labels)
        self._texts: list[str] = []

    def predicted(
        self, log_probabilities: Array, labels: Labels, best: Places, texts: TextRows | None = None
    ) -> LabelArray:
        """The predicted class of each document, at the place ``best``; None where that is -1.

        ``labels`` are the gold labels; ``texts`` are the documents, if they are known.
        """
        self.see(log_probabilities, labels, best, texts)
        predictions: LabelArray = self._classes[best]
        return np.where(best < 0, None, predictions.astype(object)) if (best < 0).any() else predictions  # type: ignore[call-overload]

    def see(self, log_probabilities: Array, labels: Labels, best: Places, texts: TextRows | None = None) -> None:
        """Look at a batch: its probabilities, gold labels, and predicted classes (-1 where the model abstained)."""
        gold = self._places.found(labels)
        if len(gold) != len(best) or not len(gold):  # `evaluate_batches` says what is wrong
            return
        scores = document_scores(log_probabilities, gold)
        more, costs = reliability_of(scores), losses(scores)
        self._found = more if self._found is None else self._found + more
        self._losses = costs if self._losses is None else self._losses + costs
        every = np.arange(len(best))
        # A document without a prediction is not answered at any threshold.
        self._confidence.append(np.where(best < 0, -1.0, np.exp(log_probabilities[every, best])))
        self._right.append(best == gold)
        self._gold.append(gold)
        self._keep_scores(log_probabilities)
        self._worst.see(log_probabilities, gold, best, None if texts is None else texts.__getitem__)
        if self._keep and texts is not None:
            self._texts.extend(texts if isinstance(texts, list) else texts.to_pylist())

    def _keep_scores(self, log_probabilities: Array) -> None:
        self._size += log_probabilities.size
        if self._keep or self._size <= MOST_SCORES:
            self._logs.append(log_probabilities)
        else:
            self._logs.clear()

    def completed(
        self,
        evaluation: Evaluation,
        shift: Shift | None = None,
        words_of: Callable[[Mistake], list[tuple[str, float]]] | None = None,
    ) -> Evaluation:
        """The evaluation, with ``shift`` and with all that the probabilities say, if there were any.

        ``words_of`` returns the words that spoke for a mistake.
        """
        if self._found is None:
            return replace(evaluation, shift=shift)
        gold = np.concatenate(self._gold)
        logs = np.concatenate(self._logs) if self._logs else None
        ranking = None if logs is None or logs.size > MOST_SCORES else Ranking(self._places.labels, gold, logs)
        return replace(
            evaluation,
            reliability=self._found,
            losses=self._losses,
            coverage=coverage_at(np.concatenate(self._confidence), np.concatenate(self._right), SHOWN),
            shift=shift,
            ranking=ranking,
            mistakes=self._worst.found(words_of),
            answers=self._answers(evaluation, logs),
        )

    def _answers(self, evaluation: Evaluation, logs: Array | None) -> Answers | None:
        answers = evaluation.answers
        if answers is None or logs is None:
            return answers
        texts = self._texts if len(self._texts) == len(logs) else None
        return replace(answers, log_probabilities=self._by_label(logs, evaluation), texts=texts)

    def _by_label(self, logs: Array, evaluation: Evaluation) -> Array:
        """The log-probabilities with one column per label of the evaluation."""
        if evaluation.labels == self._places.labels:
            return logs
        columns = ClassPlaces(evaluation.labels).of_all(self._places.labels)
        wider = np.full((len(logs), len(evaluation.labels)), -np.inf)
        wider[:, columns] = logs
        return wider

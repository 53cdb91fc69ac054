"""Gold labels and predictions to an `Evaluation`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from likely.class_places import ClassPlaces, unknown_class
from likely.core.calibration import SHOWN_THRESHOLDS, coverage_at, document_scores, reliability_of
from likely.core.counts import check_weights
from likely.errors import ArgumentError, LabelError, OptionError
from likely.evaluation.evaluation import Evaluation, KeptAnswers, WorstMistakes
from likely.evaluation.intervals import losses
from likely.evaluation.measures import Pairs
from likely.evaluation.ranking import Ranking
from likely.labels import CodedLabels, LabelIndex, label_array, python_labels
from likely.options.kinds import is_finite

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy.typing as npt

    from likely.core.calibration import Reliability
    from likely.core.shift import Shift
    from likely.evaluation.evaluation import Mistake
    from likely.evaluation.intervals import Losses
    from likely.types import Array, Label, LabelArray, Labels, Mask, Places, Predicted, SampleWeight, TextRows


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
        self._worst = WorstMistakes(self._places.labels)
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
            coverage=coverage_at(np.concatenate(self._confidence), np.concatenate(self._right), SHOWN_THRESHOLDS),
            shift=shift,
            ranking=ranking,
            mistakes=self._worst.found(words_of),
            answers=self._answers(evaluation, logs),
        )

    def _answers(self, evaluation: Evaluation, logs: Array | None) -> KeptAnswers | None:
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


TOLERANCE = 1e-6
"""The sum of the probabilities of a document may differ from 1 by this much: they may be of single precision."""


def log_probabilities(probabilities: npt.ArrayLike, documents: int, classes: int) -> Array:
    """The logarithms of probabilities: one row per document, one column per class.

    Examples
    --------
    >>> log_probabilities([[0.5, 0.5], [0.25, 0.8]], 2, 2)
    Traceback (most recent call last):
    likely.errors.ArgumentError: the probabilities in row 2 sum to 1.05: they must sum to 1
    """
    given = _numbers(probabilities)
    if given.ndim != 2:
        raise ArgumentError(
            f"probabilities has {given.ndim} dimensions: give one row per document and one column per class"
        )
    if len(given) != documents:
        raise ArgumentError(f"there are {len(given)} rows of probabilities for {documents} documents: give one each")
    if given.shape[1] != classes:
        raise ArgumentError(
            f"probabilities has {given.shape[1]} columns for {classes} classes: give the labels of the columns, in "
            "their order, as classes"
        )
    _check_rows(given)
    with np.errstate(divide="ignore"):
        logs: Array = np.log(given)
    return logs


def _numbers(probabilities: npt.ArrayLike) -> Array:
    try:
        return np.asarray(probabilities, np.float64)
    except (TypeError, ValueError):
        raise ArgumentError(
            "probabilities are not rows of numbers of equal length: give one row per document, one column per class"
        ) from None


def _check_rows(given: Array) -> None:
    least = given.min()
    if not least >= 0:  # also if it is NaN
        row, column = (int(each[0]) for each in np.nonzero(~(given >= 0)))
        raise ArgumentError(
            f"the probability {given[row, column]} in row {row + 1} is not allowed: it must be from 0 to 1"
        )
    sums = given.sum(axis=1)
    off = ~(np.abs(sums - 1) <= TOLERANCE)
    if off.any():
        row = int(off.argmax())
        raise ArgumentError(f"the probabilities in row {row + 1} sum to {sums[row]:.7g}: they must sum to 1")


MOST_BETA = 1e6
"""The largest beta. For a larger one F-beta would be equal to recall, to the last digit."""


def evaluate(
    gold: Labels,
    predicted: Predicted,
    *,
    probabilities: npt.ArrayLike | None = None,
    classes: Labels | None = None,
    beta: float = 1.0,
    keep: bool = False,
) -> Evaluation:
    """The evaluation of predictions against gold labels.

    Parameters
    ----------
    gold, predicted : iterable of labels
        One label per document, all of one type. A prediction that is None is an abstention.
    probabilities : array, optional
        The probability of each class: one row per document, one column per class. With them, the evaluation also has
        log-loss, Brier score, calibration, areas under curves, top-k accuracy and the worst mistakes.
    classes : iterable of labels, optional
        The classes, in the order of the columns of ``probabilities``. Default: all labels that occur, sorted.
    beta : float
        The weight of recall in F, > 0.
    keep : bool
        Whether the evaluation keeps the answer for each document (`Evaluation.answers`).

    Examples
    --------
    >>> result = evaluate(["A", "A", "B", "B"], ["A", "A", "A", "B"])
    >>> result.accuracy, result.per_class["B"].recall
    (0.75, 0.5)
    >>> evaluate(["A", "B"], ["A", "A"]).per_class["B"].precision is None
    True
    >>> result = evaluate(["A", "B", "B"], ["A", None, "B"], probabilities=[[0.9, 0.1], [0.5, 0.5], [0.2, 0.8]])
    >>> round(result.answered, 2), result.accuracy_of_answered, result.ranking.roc_auc["A"]
    (0.67, 1.0, 1.0)
    """
    columns = None if classes is None else python_labels(classes)
    evaluation = evaluate_batches([(gold, predicted)], beta=beta, classes=columns or (), keep=True)
    answers = evaluation.answers
    if columns is not None:
        _check_classes(columns, evaluation)
    if probabilities is None or answers is None:
        return evaluation if keep else replace(evaluation, answers=None)
    labels = evaluation.labels
    logs = log_probabilities(probabilities, evaluation.documents, len(labels))
    if columns is not None and columns != labels:
        logs = logs[:, ClassPlaces(columns).of_all(labels)]
    judge = Judge(label_array(labels), keep=keep)
    judge.see(logs, CodedLabels(labels, answers.gold.astype(np.uint32)), answers.predicted)
    return judge.completed(evaluation if keep else replace(evaluation, answers=None))


def _check_classes(classes: list[Label], evaluation: Evaluation) -> None:
    """Raise an error if classes are given twice, or a gold label or prediction is not one of them."""
    if len(set(classes)) < len(classes):
        double = next(label for label in classes if classes.count(label) > 1)
        raise LabelError(f"the class {double!r} is given twice: give each class once")
    if len(classes) < len(evaluation.labels):
        raise unknown_class(next(label for label in evaluation.labels if label not in set(classes)), classes)


def evaluate_batches(
    batches: Iterable[tuple[Labels, Predicted]],
    *,
    beta: float = 1.0,
    classes: Iterable[Label] = (),
    keep: bool = False,
) -> Evaluation:
    """The result of `evaluate` for batches of gold labels and predictions; only the counts of pairs are kept.

    ``classes`` are labels that the evaluation has in any case, whether they occur or not. With ``keep``, the answer
    for each document is kept too.

    Examples
    --------
    >>> evaluate_batches([(["A", "B"], ["A", "A"]), (["B"], ["B"])]).accuracy
    0.6666666666666666
    """
    check_beta(beta)
    pairs = Pairs(classes, keep=keep)
    for gold, predicted in batches:
        pairs.add(gold, predicted)
    if not pairs.documents:
        raise ArgumentError("there are no documents to evaluate")
    answers = KeptAnswers(*pairs.kept()) if keep else None
    return Evaluation(pairs.labels, *pairs.counted(), float(beta), answers=answers)


def check_beta(beta: float) -> None:
    """Raise ``OptionError`` if a number is not a weight of recall in F."""
    if not (is_finite(beta) and 0 < beta <= MOST_BETA):
        raise OptionError(f"beta={beta!r} is not allowed: beta must be a number > 0 and <= {MOST_BETA:g}")


def accuracy(gold: Labels, predicted: Labels, sample_weight: SampleWeight | None = None) -> float:
    """The share of the documents whose prediction is the gold label, weighted if weights are given.

    Examples
    --------
    >>> accuracy([1, 2, 2], [1, 2, 1], sample_weight=[1, 1, 2])
    0.5
    """
    index = LabelIndex()
    rows, columns = index.encode(gold), index.encode(predicted)
    if len(rows) != len(columns):
        raise ArgumentError(f"{len(rows)} gold labels but {len(columns)} predictions: give one per document")
    if not len(rows):
        raise ArgumentError("there are no documents to evaluate")
    right = rows == columns
    if sample_weight is None:
        return float(right.mean())
    weights = check_weights(sample_weight, len(rows))
    if not weights.any():
        raise ArgumentError("every weight is 0, so there is nothing to score")
    return float((right * weights).sum() / weights.sum())

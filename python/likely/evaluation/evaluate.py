"""Gold labels and predictions to an `Evaluation`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from likely.core.calibration import SHOWN_THRESHOLDS, Reliability, coverage_at, reliability
from likely.core.counts import check_weights
from likely.errors import ArgumentError, LabelError, OptionError
from likely.evaluation.evaluation import Evaluation, KeptAnswers, Mistake, WorstMistakes
from likely.evaluation.measures import Combinations, Numbers
from likely.evaluation.ranking import Ranking
from likely.labels import ClassPlaces, CodedLabels, python_labels, unknown_class
from likely.options.kinds import is_finite
from likely.terminal import UNSURE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    import numpy.typing as npt

    from likely.core.shift import Shift
    from likely.reading.corpus import Corpus
    from likely.types import Array, Label, Labels, Places, Predicted, SampleWeight, TextRows


MOST_SCORES = 1 << 25
"""At most this many probabilities are kept for ranking: 256 MB. If there are more, there is no ranking."""
MOST_BETA = 1e6
"""The largest beta. For a larger one F-beta would be equal to recall, to the last digit."""


class Judge:
    """Makes an evaluation of documents that come in batches: gold labels, predictions, and probabilities if known.

    Of the texts only those of the worst mistakes are kept, unless all are to be kept. ``classes`` are labels that the
    evaluation has in any case; if there are probabilities, these are those of the classes, which are sorted.

    Examples
    --------
    >>> judge = Judge(["+", "-"])
    >>> judge.see(["+", "-"], np.log([[0.8, 0.2], [0.6, 0.4]]), np.array([0, 0]), ["good", "bad"])
    >>> evaluation = judge.evaluation()
    >>> evaluation.accuracy, round(evaluation.reliability.expected_calibration_error, 3)
    (0.5, 0.4)
    >>> [(mistake.row, mistake.text) for mistake in evaluation.mistakes]
    [(1, 'bad')]
    """

    def __init__(self, classes: Iterable[Label] = (), *, beta: float = 1.0, keep: bool = False) -> None:
        if not (is_finite(beta) and 0 < beta <= MOST_BETA):
            raise OptionError(f"beta={beta!r} is not allowed: beta must be a number > 0 and <= {MOST_BETA:g}")
        self._beta, self._keep = float(beta), keep
        self._pairs = Combinations(classes)
        self._classes = list(self._pairs.index.labels)
        self._gold: list[Numbers] = []
        self._predicted: list[Numbers] = []
        self._reliability: Reliability | None = None
        self._confidence: list[Array] = []
        self._logs: list[Array] = []
        self._size = 0
        self._worst = WorstMistakes(self._classes)
        self._texts: list[str] = []

    def count(self, labels: Labels, predicted: Predicted) -> None:
        """Count the gold labels and predictions of a batch; a prediction that is None is an abstention."""
        self._count(self._pairs.index.encode(labels).astype(np.int64), self._pairs.numbers(predicted))

    def _count(self, gold: Numbers, predicted: Numbers) -> None:
        if len(gold) != len(predicted):
            raise ArgumentError(
                f"there are {len(gold)} gold labels but {len(predicted)} predictions: give one per document"
            )
        self._pairs.add(gold, predicted)
        self._gold.append(gold)
        self._predicted.append(predicted)

    def see(self, labels: Labels, log_probabilities: Array, best: Places, texts: TextRows | None = None) -> None:
        """Count a batch of gold labels and predicted classes (-1: abstained), and look at their probabilities."""
        numbers = self._pairs.index.encode(labels).astype(np.int64)
        self._count(numbers, best)
        if not len(numbers):
            return
        gold = self._known(numbers)
        more = reliability(log_probabilities, gold)
        self._reliability = more if self._reliability is None else self._reliability + more
        # A document without a prediction is not answered at any threshold.
        self._confidence.append(np.where(best < 0, -1.0, np.exp(log_probabilities[np.arange(len(best)), best])))
        self._size += log_probabilities.size
        if self._keep or self._size <= MOST_SCORES:
            self._logs.append(log_probabilities)
        else:
            self._logs.clear()
        self._worst.see(log_probabilities, gold, best, None if texts is None else texts.__getitem__)
        if self._keep and texts is not None:
            self._texts.extend(texts if isinstance(texts, list) else texts.to_pylist())

    def _known(self, gold: Numbers) -> Places:
        """The places of gold labels among the classes with probabilities; -1 if a label is not one of them."""
        return np.where(gold < len(self._classes), gold, -1)

    def evaluation(
        self, shift: Shift | None = None, words_of: Callable[[Mistake], list[tuple[str, float]]] | None = None
    ) -> Evaluation:
        """The evaluation of all documents so far.

        ``shift`` says how far the texts are from the training data, ``words_of`` which words spoke for a mistake.
        """
        if not self._pairs.documents:
            raise ArgumentError("there are no documents to evaluate")
        pairs, counts = self._pairs.counted()
        labels = sorted(self._pairs.index.labels)
        places = self._pairs.places(labels)
        gold, predicted = places[pairs.T]
        order = np.lexsort((predicted, gold))
        found = Evaluation(labels, gold[order], predicted[order], counts[order], self._beta, shift=shift)
        gold, predicted = np.concatenate(self._gold), np.concatenate(self._predicted)
        logs = np.concatenate(self._logs) if self._logs else None
        if self._keep:
            texts = self._texts if logs is not None and len(self._texts) == len(logs) else None
            by_label = None if logs is None else self._by_label(logs, places, len(labels))
            found = replace(found, answers=KeptAnswers(places[gold], places[predicted], by_label, texts))
        if self._reliability is None:
            return found
        known = self._known(gold)
        return replace(
            found,
            reliability=self._reliability,
            coverage=coverage_at(np.concatenate(self._confidence), predicted == gold, SHOWN_THRESHOLDS),
            ranking=None if logs is None or logs.size > MOST_SCORES else Ranking(self._classes, known, logs),
            mistakes=self._worst.found(words_of),
        )

    def _by_label(self, logs: Array, places: Numbers, number: int) -> Array:
        """The log-probabilities with one column per label of the evaluation."""
        if number == len(self._classes):
            return logs
        wider = np.full((len(logs), number), -np.inf)
        wider[:, places[: len(self._classes)]] = logs
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
    try:
        given = np.asarray(probabilities, np.float64)
    except (TypeError, ValueError):
        raise ArgumentError(
            "probabilities are not rows of numbers of equal length: give one row per document, one column per class"
        ) from None
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


def _check_rows(given: Array) -> None:
    impossible = np.argwhere(~(given >= 0))  # also if it is NaN
    if len(impossible):
        row, column = impossible[0].tolist()
        raise ArgumentError(
            f"the probability {given[row, column]} in row {row + 1} is not allowed: it must be from 0 to 1"
        )
    sums = given.sum(axis=1)
    off = np.flatnonzero(~(np.abs(sums - 1) <= TOLERANCE))
    if len(off):
        row = int(off[0])
        raise ArgumentError(f"the probabilities in row {row + 1} sum to {sums[row]:.7g}: they must sum to 1")


def evaluate(
    gold: Labels,
    predicted: Predicted,
    *,
    probabilities: npt.ArrayLike | None = None,
    classes: Labels | None = None,
    beta: float = 1.0,
    keep: bool = False,
) -> Evaluation:
    """Evaluate predictions against gold labels.

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
    pairs = Judge(columns or (), beta=beta, keep=True)
    pairs.count(gold, predicted)
    evaluation = pairs.evaluation()
    answers = evaluation.answers
    if columns is not None:
        _check_classes(columns, evaluation)
    if probabilities is None or answers is None:
        return evaluation if keep else replace(evaluation, answers=None)
    labels = evaluation.labels
    logs = log_probabilities(probabilities, evaluation.documents, len(labels))
    order = ClassPlaces(columns or labels).of_all(labels)
    logs, given = logs[:, order], np.asarray(probabilities, np.float64)[:, order]
    judge = Judge(labels, beta=beta, keep=keep)
    judge.see(CodedLabels(labels, answers.gold.astype(np.uint32)), logs, answers.predicted)
    found = judge.evaluation()
    return replace(found, ranking=found.ranking and replace(found.ranking, probabilities=given))


def evaluate_column(corpus: Corpus, beta: float = 1.0) -> Evaluation:
    """The evaluation of labelled rows whose texts are predictions; a row counts as often as its weight says."""
    judge = Judge(beta=beta)
    for batch in corpus:
        weights = np.ones(len(batch.texts)) if batch.weights is None else batch.weights
        if (weights % 1).any():
            raise ArgumentError("a weight is not a whole number: give the number of documents of each pair")
        gold, said = list(batch.labels_as(str)), batch.texts.to_pylist()
        rows = np.repeat(np.arange(len(gold)), weights.astype(np.int64)).tolist()
        judge.count([gold[at] for at in rows], [None if said[at] == UNSURE else said[at] for at in rows])
    return judge.evaluation()


def _check_classes(classes: list[Label], evaluation: Evaluation) -> None:
    """Raise an error if classes are given twice, or a gold label or prediction is not one of them."""
    if len(set(classes)) < len(classes):
        double = next(label for label in classes if classes.count(label) > 1)
        raise LabelError(f"the class {double!r} is given twice: give each class once")
    if len(classes) < len(evaluation.labels):
        raise unknown_class(next(label for label in evaluation.labels if label not in set(classes)), classes)


def accuracy(gold: Labels, predicted: Labels, sample_weight: SampleWeight | None = None) -> float:
    """The share of the documents whose prediction is the gold label, weighted if weights are given.

    Examples
    --------
    >>> accuracy([1, 2, 2], [1, 2, 1], sample_weight=[1, 1, 2])
    0.5
    """
    found = evaluate(gold, predicted, keep=True)
    if sample_weight is None or found.answers is None:
        return found.accuracy
    right = found.answers.gold == found.answers.predicted
    weights = check_weights(sample_weight, len(right))
    if not weights.any():
        raise ArgumentError("every weight is 0, so there is nothing to score")
    return float((right * weights).sum() / weights.sum())

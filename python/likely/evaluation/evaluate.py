"""Gold labels and predictions to an `Evaluation`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from likely.class_places import ClassPlaces, unknown_class
from likely.core.counts import check_weights
from likely.errors import LabelError, LengthError, OptionError
from likely.evaluation.answers import Answers
from likely.evaluation.evaluation import Evaluation
from likely.evaluation.judge import Judge
from likely.evaluation.pairs import Pairs
from likely.evaluation.probabilities import log_probabilities
from likely.labels import CodedLabels, LabelIndex, label_array, python_labels
from likely.options.kinds import is_finite

if TYPE_CHECKING:
    from collections.abc import Iterable

    import numpy.typing as npt

    from likely.types import Label, Labels, Predicted, SampleWeight

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
    evaluation = _evaluated([(gold, predicted)], beta, columns or (), keep=True)
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
    return _evaluated(batches, beta, classes, keep=keep)


def _evaluated(
    batches: Iterable[tuple[Labels, Predicted]], beta: float, classes: Iterable[Label], *, keep: bool
) -> Evaluation:
    check_beta(beta)
    pairs = Pairs(classes, keep=keep)
    for gold, predicted in batches:
        pairs.add(gold, predicted)
    if not pairs.documents:
        raise LengthError("there are no documents to evaluate")
    answers = Answers(*pairs.kept()) if keep else None
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
        raise LengthError(f"there are {len(rows)} gold labels but {len(columns)} predictions: give one per document")
    if not len(rows):
        raise LengthError("there are no documents to evaluate")
    right = rows == columns
    if sample_weight is None:
        return float(right.mean())
    weights = check_weights(sample_weight, len(rows))
    if not weights.any():
        raise LengthError("every weight is 0, so there is nothing to score")
    return float((right * weights).sum() / weights.sum())

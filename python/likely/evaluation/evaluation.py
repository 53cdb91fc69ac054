"""`Evaluation`: how predictions compare with gold labels, in the measures of the textbooks."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from likely.drawing import draw
from likely.errors import LabelError
from likely.evaluation.agreement import kappa, matthews
from likely.evaluation.averages import averages
from likely.evaluation.baseline import flattery, majority
from likely.evaluation.confused import most_confused
from likely.evaluation.intervals import intervals, tables_of
from likely.evaluation.plain import plain_evaluation
from likely.evaluation.shift import overconfidence
from likely.evaluation.table import Table
from likely.evaluation.undefined import undefined
from likely.formulas import finite_or_none, share

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from likely.evaluation.answers import Answers
    from likely.evaluation.averages import Averages
    from likely.evaluation.confused import Confused
    from likely.evaluation.coverage import Coverage
    from likely.evaluation.intervals import Interval
    from likely.evaluation.losses import Losses
    from likely.evaluation.mistakes import Mistake
    from likely.evaluation.near_copies import NearCopies
    from likely.evaluation.plain import EvaluationDict
    from likely.evaluation.ranking import Ranking
    from likely.evaluation.reliability import Reliability
    from likely.evaluation.shift import Shift
    from likely.evaluation.table import Tables
    from likely.types import Label


@dataclass(frozen=True, eq=False)
class Evaluation:
    """How predictions compare with the gold labels.

    Attributes
    ----------
    labels : list
        The classes, sorted.
    gold, predicted, counts : array
        One element per pair of classes that occurs: the place in ``labels`` of the gold label, that of the
        prediction (-1 where the model abstained), and the number of documents. Pairs that do not occur are left out,
        so that many classes cost little.
    beta : float
        The weight of recall in F.
    reliability : Reliability or None
        How far the probabilities can be trusted, if there are any.
    coverage : list of Coverage
        The share of texts that would be answered, and the accuracy, at each threshold, if there are probabilities.
    shift : Shift or None
        How far the texts are from the training data, if a model made the predictions.
    ranking : Ranking or None
        How well the probabilities put the documents in order: areas under curves, and top-k accuracy. None without
        probabilities, or if there are more of them than `likely.evaluation.judge.MOST_SCORES`.
    losses : Losses or None
        What the probabilities cost, in groups of documents, from which intervals are drawn.
    mistakes : list of Mistake
        The worst wrong predictions, if there are probabilities.
    source : str
        How it was measured.
    folds : list of float
        The accuracy in each fold of a cross-validation, or on the held-out rows; empty for a test set.
    notes : list of str
        What to know about how it was measured, one sentence each, such as classes that could not be tested.
    copies : NearCopies or None
        Documents that were evaluated although the model has learned near-copies of them, if they were looked for.
    answers : Answers or None
        The gold label and the prediction of each document, if they were to be kept.

    Examples
    --------
    >>> from likely import evaluate
    >>> found = evaluate(["spam", "ham", "ham", "ham"], ["spam", "ham", "ham", "spam"])
    >>> found.accuracy, found.majority, found.per_class["spam"].precision
    (0.75, ('ham', 0.75), 0.5)
    >>> found.intervals["accuracy"]
    Interval(low=0.25, high=1.0)
    """

    labels: list[Label]
    gold: npt.NDArray[np.int64]
    predicted: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]
    beta: float = 1.0
    reliability: Reliability | None = None
    coverage: list[Coverage] = field(default_factory=list)
    shift: Shift | None = None
    ranking: Ranking | None = None
    losses: Losses | None = None
    mistakes: list[Mistake] = field(default_factory=list)
    source: str = "a test set"
    folds: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    copies: NearCopies | None = None
    answers: Answers | None = None

    @cached_property
    def confusion(self) -> npt.NDArray[np.int64]:
        """The confusion matrix: one row per gold class, one column per predicted class (order of ``labels``).

        Documents without a prediction are not in it.
        """
        matrix = np.zeros((len(self.labels), len(self.labels)), np.int64)
        answered = self.predicted >= 0
        matrix[self.gold[answered], self.predicted[answered]] = self.counts[answered]
        return matrix

    @cached_property
    def documents(self) -> int:
        """The number of documents."""
        return int(self.counts.sum())

    @cached_property
    def tables(self) -> Tables:
        """The tables of all classes as arrays."""
        return tables_of(self, self.counts.astype(np.float64))

    @cached_property
    def per_class(self) -> dict[Label, Table]:
        """One table per class: the class against the rest."""
        of = self.tables
        numbers = zip(*(each.astype(np.int64).tolist() for each in (of.tp, of.predicted, of.support)), strict=True)
        return {
            label: Table(tp, p - tp, g - tp, self.documents - p - g + tp)
            for label, (tp, p, g) in zip(self.labels, numbers, strict=True)
        }

    @property
    def pooled(self) -> Table:
        """The sum of the tables of all classes."""
        tables = self.per_class.values()
        return Table(*(sum(getattr(table, cell) for table in tables) for cell in ("tp", "fp", "fn", "tn")))

    @cached_property
    def macro(self) -> Averages:
        """The means over the classes: every class has the same weight."""
        return averages(self.tables, self.beta)

    @cached_property
    def micro(self) -> Averages:
        """The measures of the pooled table: every document has the same weight."""
        return averages(self.tables.pooled, self.beta)

    @cached_property
    def weighted(self) -> Averages:
        """The means over the classes: every class has the number of its documents as weight."""
        return averages(self.tables, self.beta, weighted=True)

    @property
    def accuracy(self) -> float:
        """The share of the documents whose prediction is the gold label; an abstention is not right."""
        return self._right / self.documents

    @property
    def _right(self) -> int:
        return int(self.counts[self.gold == self.predicted].sum())

    @property
    def balanced_accuracy(self) -> float | None:
        """The mean recall over the classes that have documents."""
        return self.macro.recall

    @property
    def matthews(self) -> float | None:
        """The Matthews correlation of gold labels and predictions; None if either are all the same."""
        return finite_or_none(float(matthews(self.tables)))

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa: agreement beyond chance; None if chance alone would always agree."""
        return finite_or_none(float(kappa(self.tables)))

    @property
    def majority(self) -> tuple[Label, float]:
        """The most frequent gold label, and its share: the accuracy of always answering it."""
        return majority(self.labels, self.tables)

    @property
    def flatters(self) -> str | None:
        """Why accuracy says little here, as one sentence; None if it does not flatter."""
        return flattery(self.labels, self.tables)

    @property
    def abstained(self) -> int:
        """The number of documents without a prediction."""
        return int(self.counts[self.predicted < 0].sum())

    @property
    def answered(self) -> float:
        """The share of the documents that have a prediction."""
        return 1 - self.abstained / self.documents

    @property
    def accuracy_of_answered(self) -> float | None:
        """The share of the predictions that are right; None if there are none."""
        return share(self._right, self.documents - self.abstained)

    @property
    def gold_shares(self) -> list[float]:
        """The share of the documents that have each gold label (order of ``labels``)."""
        shares: list[float] = (self.tables.support / self.documents).tolist()
        return shares

    @property
    def confidence(self) -> float | None:
        """The mean probability of the predictions, which should be near the accuracy; None without probabilities."""
        return None if self.reliability is None else self.reliability.mean_confidence

    @cached_property
    def intervals(self) -> dict[str, Interval]:
        """The 95 % interval of each measure, by its name: see `likely.evaluation.intervals`."""
        return intervals(self)

    @cached_property
    def undefined(self) -> list[str]:
        """Which measures are undefined, and why, one sentence each."""
        return undefined(self)

    @cached_property
    def confused(self) -> list[Confused]:
        """The pairs of different classes, those with most documents first."""
        return most_confused(self.labels, self.gold, self.predicted, self.counts)

    @property
    def warnings(self) -> list[str]:
        """What is wrong with the accuracy, with the probabilities or with the texts, one sentence each."""
        measured = self.reliability
        too_sure = measured and overconfidence(measured.mean_confidence, measured.accuracy, measured.documents)
        return [each for each in (self.flatters, self.shift and self.shift.warning, too_sure) if each]

    def to_dict(self) -> EvaluationDict:
        """All measures as plain data, ready for JSON."""
        return plain_evaluation(self)

    def plot(self, kind: str = "confusion", axes: Axes | None = None) -> Figure:
        """A picture by matplotlib (`pip install 'likely[plot]'`), which is returned but not shown.

        Parameters
        ----------
        kind : {"confusion", "roc", "precision-recall", "reliability"}
            The confusion matrix, of the classes that are confused most; the ROC or precision-recall curves, one class
            against the rest, of the largest classes; or how often predictions are right against how probable they are
            said to be. All but the first need probabilities.
        axes : matplotlib axes, optional
            Where to draw. Default: a new figure.

        Examples
        --------
        >>> from likely import evaluate
        >>> figure = evaluate(["a", "b", "b"], ["a", "b", "a"]).plot("confusion")
        >>> figure.axes[0].get_xlabel()
        'predicted label'
        """
        figure: Figure = draw("plot_evaluation", self, kind, axes)
        return figure

    def __str__(self) -> str:
        from likely.reports import evaluation_text

        return evaluation_text(self)

    def _repr_html_(self) -> str:
        return str(draw("evaluation_html", self))


def from_confusion(labels: Sequence[Label], confusion: npt.ArrayLike, *, beta: float = 1.0) -> Evaluation:
    """The evaluation of a confusion matrix: one row per gold class, one column per predicted class.

    Examples
    --------
    >>> from_confusion(["a", "b"], [[3, 1], [0, 4]]).accuracy
    0.875
    """
    matrix = np.asarray(confusion, dtype=np.int64)
    if matrix.shape != (len(labels), len(labels)) or (matrix < 0).any() or not matrix.any():
        raise LabelError(f"confusion must be {len(labels)} x {len(labels)} counts, which are not all 0")
    gold, predicted = np.nonzero(matrix)
    return Evaluation(list(labels), gold, predicted, matrix[gold, predicted], beta)

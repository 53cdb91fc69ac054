"""`Evaluation`: how predictions compare with gold labels, in the measures of the textbooks."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from likely.core.calibration import ENOUGH, Coverage, Reliability, calibration_sentence, coverage_text
from likely.core.shift import Shift, overconfidence
from likely.drawing import draw
from likely.errors import LabelError
from likely.evaluation.intervals import SEED, Interval, intervals, replicates_for
from likely.evaluation.measures import (
    Table,
    Tables,
    accuracy_warning,
    averages,
    kappa,
    majority,
    matthews,
    measures_of,
)
from likely.formulas import finite_or_none, share
from likely.terminal import (
    WIDTH,
    counted,
    cut,
    cut_apart,
    exact_percent,
    fits,
    named,
    percent,
    printable,
    table,
    wrapped,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from likely.evaluation.measures import Averages
    from likely.evaluation.ranking import Ranking
    from likely.types import Array, Label, Places, Plain


@dataclass(frozen=True)
class Confused:
    """A pair of classes that are confused.

    Attributes
    ----------
    gold, predicted : str, int or bool
        The gold label, and the prediction.
    documents : int
        The number of documents of this pair.
    share : float
        Their share of all documents with this gold label.
    """

    gold: Label
    predicted: Label
    documents: int
    share: float


MOST_NAMED = 5
"""At most this many classes are named in a sentence."""
_NO_GOLD = "no document has this gold label"


def _named(labels: list[Label]) -> str:
    return named(labels, MOST_NAMED, lambda label: f'"{printable(label)}"')


MOST_IN_JSON = 1_000
"""With more classes, the confusion matrix is left out: almost all of its numbers are 0."""
MOST_CONFUSED = 100
"""At most this many pairs of confused classes are listed, those with most documents."""
_PLAIN = (
    *("source", "folds", "notes", "documents", "labels", "beta", "accuracy", "flatters", "balanced_accuracy"),
    *("matthews", "kappa", "abstained", "answered", "accuracy_of_answered", "confidence", "gold_shares"),
    *("undefined", "warnings"),
)
_WITH_PROBABILITIES = ("reliability", "ranking", "shift")
"""What `Evaluation.to_dict` has as it is, and what is only there with probabilities."""


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The comparison of predictions with gold labels.

    Attributes
    ----------
    labels : list
        The classes, sorted.
    gold : array
        The place in ``labels`` of a gold label. This and the next two have one element per pair of classes that
        occurs.
    predicted : array
        The place of the prediction, -1 where the model abstained.
    counts : array
        The number of documents with this gold label and prediction.
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
        probabilities, or if there are more of them than `likely.evaluation.evaluate.MOST_SCORES`.
    mistakes : list of Mistake
        The worst wrong predictions, if there are probabilities.
    source : str
        How it was measured.
    folds : list of float
        The accuracy in each fold of a cross-validation, or on the held-out rows; empty for a test set.
    notes : list of str
        What to know about how it was measured, one sentence each, such as classes that could not be tested.
    answers : KeptAnswers or None
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
    mistakes: list[Mistake] = field(default_factory=list)
    source: str = "a test set"
    folds: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    answers: KeptAnswers | None = None

    @cached_property
    def confusion(self) -> npt.NDArray[np.int64]:
        """The confusion matrix, with a row per gold class and a column per predicted class (order of ``labels``).

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
        counts = self.counts.astype(np.float64)
        return Tables.of(self.gold, self.predicted, counts, len(self.labels), self.documents)

    @cached_property
    def per_class(self) -> dict[Label, Table]:
        """One table per class, of the class against the rest."""
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
        """The means over the classes, each with the same weight."""
        return averages(self.tables, self.beta)

    @cached_property
    def micro(self) -> Averages:
        """The measures of the pooled table, in which every document has the same weight."""
        return averages(self.tables.pooled, self.beta)

    @cached_property
    def weighted(self) -> Averages:
        """The means over the classes, each weighted by the number of its documents."""
        return averages(self.tables, self.beta, weighted=True)

    @property
    def accuracy(self) -> float:
        """The share of the documents whose prediction is the gold label; an abstention is not right."""
        return self.right / self.documents

    @property
    def right(self) -> int:
        """The number of documents whose prediction is the gold label."""
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
        """Cohen's kappa, the agreement beyond chance; None if chance alone would always agree."""
        return finite_or_none(float(kappa(self.tables)))

    @property
    def majority(self) -> tuple[Label, float]:
        """The most frequent gold label, and its share, which is the accuracy of always answering it."""
        return majority(self.labels, self.tables)

    @property
    def flatters(self) -> str | None:
        """Why accuracy says little here, as one sentence; None if it does not flatter."""
        return accuracy_warning(self.labels, self.tables)

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
        return share(self.right, self.documents - self.abstained)

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
    def measures(self) -> dict[str, float | None]:
        """The measures of all documents by name, as `intervals` has them; those of probabilities if there are any."""
        values = measures_of(self.tables, self.beta).items()
        found = {name: finite_or_none(float(value)) for name, value in values}
        if not self.abstained:
            del found["accuracy_of_answered"]
        if self.ranking is not None:
            found["roc_auc"] = self.ranking.macro_roc_auc
            found["average_precision"] = self.ranking.macro_average_precision
            found |= {f"top-{k} accuracy": self.ranking.top(k) for k in TOPS if k < len(self.ranking.labels)}
        if self.reliability is not None:
            found |= self.reliability.to_dict()
            found["mean confidence"] = self.confidence
        return found

    @cached_property
    def intervals(self) -> dict[str, Interval]:
        """The 95% confidence interval of each measure, by its name (see `likely.evaluation.intervals`)."""
        return intervals(self)

    @cached_property
    def undefined(self) -> list[str]:
        """Which measures are undefined, and why, one sentence each."""
        tables, ranking = self.per_class.items(), self.ranking
        causes = [
            ("precision is", [label for label, of in tables if of.support and not of.predicted], "never predicted"),
            ("recall is", [label for label, of in tables if of.predicted and not of.support], _NO_GOLD),
            (
                f"precision, recall and F{self.beta:g} are",
                [label for label, of in tables if not (of.support or of.predicted)],
                "neither a gold label nor predicted",
            ),
        ]
        if ranking is not None:
            areas = [(label, ranking.roc_auc[label], of) for label, of in ranking.average_precision.items()]
            causes.append(("areas under the curves are", [label for label, _, of in areas if of is None], _NO_GOLD))
            everywhere = [label for label, area, of in areas if area is None and of is not None]
            causes.append(("the area under the ROC curve is", everywhere, "the gold label of all documents"))
        same = f"all {'gold labels' if self.majority[1] == 1 else 'predictions'} are the same"
        figures = {"Matthews correlation": self.matthews, "Cohen's kappa": self.kappa}
        found = [f"{what} undefined for {_named(labels)}: {why}" for what, labels, why in causes if labels]
        found += [f"{name} is undefined: {same}" for name, value in figures.items() if value is None]
        if self.accuracy_of_answered is None:
            found.append("the accuracy of answered documents is undefined: none is answered")
        if self.reliability is not None and not math.isfinite(self.reliability.log_loss):
            found.append(
                "log-loss is infinite: the probability of a gold label is 0, or it is not a class of the model"
            )
        if self.reliability is not None and ranking is None:
            found.append("areas under curves and top-k accuracy are not computed: there are too many probabilities")
        return found

    @cached_property
    def confused(self) -> list[Confused]:
        """The pairs of different classes, those with most documents first; abstentions are left out."""
        wrong = np.flatnonzero((self.gold != self.predicted) & (self.predicted >= 0))
        order = wrong[np.argsort(-self.counts[wrong], kind="stable")]
        pairs = zip(*(each[order].tolist() for each in (self.gold, self.predicted, self.counts)), strict=True)
        labels, sizes = self.labels, self.tables.support.tolist()
        return [Confused(labels[row], labels[column], number, number / sizes[row]) for row, column, number in pairs]

    @property
    def warnings(self) -> list[str]:
        """What is wrong with the accuracy, with the probabilities or with the texts, one sentence each."""
        measured = self.reliability
        too_sure = measured and overconfidence(measured.mean_confidence, measured.accuracy, measured.documents)
        return [*self._of_texts, *(each for each in (self.flatters, too_sure) if each)]

    @property
    def _of_texts(self) -> list[str]:
        return [each for each in (self.shift.learned, self.shift.warning) if each] if self.shift else []

    def to_dict(self) -> Plain:
        """All measures as plain data, ready for JSON."""
        label, share = self.majority
        return {
            **{name: getattr(self, name) for name in _PLAIN},
            "majority": {"label": label, "share": share},
            "intervals": {name: asdict(each) for name, each in self.intervals.items()},
            "confusion": self.confusion.tolist() if len(self.labels) <= MOST_IN_JSON else None,
            "per_class": [{"label": each, **table.measured(self.beta)} for each, table in self.per_class.items()],
            **{name: asdict(getattr(self, name)) for name in ("macro", "micro", "weighted", "pooled")},
            "confused": [asdict(each) for each in self.confused[:MOST_CONFUSED]],
            "mistakes": [each.to_dict() for each in self.mistakes],
            **{name: of and of.to_dict() for name, of in vars(self).items() if name in _WITH_PROBABILITIES},
            "coverage": [asdict(row) for row in self.coverage],
        }

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

    def describe(self, *, details: bool = False) -> str:
        r"""The evaluation as text: what matters, or with ``details`` also all measures, coverage and more errors.

        With fewer than 30 documents there are no estimates, with fewer than 50 none of the probabilities.

        Examples
        --------
        >>> from likely import evaluate
        >>> print(evaluate(["a", "a", "b"] * 20, ["a", "b", "b"] * 20).describe())
        accuracy 66.7% (95% CI 55.0-78.3), majority class "a" 66.7%, 60 documents
        Warning: accuracy (66.7%) is misleading: always answering "a" would be as good;
        look at precision and recall of each class.
        gold \ predicted   a   b  precision  recall     F1  support
        a                 20  20       100%   50.0%  66.7%       40
        b                  0  20      50.0%    100%  66.7%       20
        macro average                 75.0%   75.0%  66.7%       60
        """
        estimates, samples = details or self.documents >= ENOUGH, replicates_for(len(self.counts))
        sure = self.reliability if self.documents >= ENOUGH_FOR_PROBABILITIES else None
        warnings = self.warnings if estimates else self._of_texts
        parts = [
            "\n".join([headline(self), *(wrapped(f"Warning: {each}.") for each in warnings)]),
            _abstentions(self) if self.abstained and estimates else "",
            _classes(self, details=details) if estimates else table(_matrix(self) or [[""]]),
            confusion_text(self),
            f"{_below(self)}\n\n{_measures(self)}".lstrip() if details else "",
            wrapped(calibration_sentence(sure)) if sure else "",
            wrapped(f"{self.shift}.") if details and sure and self.shift else "",
            source_text(self),
            f"{_WHAT_IF}\n{coverage_text(self.coverage)}" if details and sure else "",
            mistakes_text(self, details=details),
            wrapped(f"Intervals: 95%, {samples:,} bootstrap samples of the documents, seed {SEED}.")
            if details
            else "",
        ]
        return ("\n\n" if details else "\n").join(filter(None, parts))

    def __str__(self) -> str:
        return self.describe()

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


@dataclass(frozen=True, eq=False)
class KeptAnswers:
    """The gold label and the prediction of each document, in the order of the data.

    Attributes
    ----------
    gold, predicted : array
        Their places in the ``labels`` of the evaluation; a prediction is -1 where the model abstained.
    log_probabilities : array or None
        One row per document, one column per label of the evaluation; minus infinity for a label that the model does
        not know. None without probabilities.
    texts : list of str or None
        The documents, if they are known.
    """

    gold: npt.NDArray[np.int64]
    predicted: npt.NDArray[np.int64]
    log_probabilities: Array | None = None
    texts: list[str] | None = None


WORST = 10
"""The number of wrong predictions that are kept."""
MOST_CHARACTERS = 300
"""At most this many characters of a document are kept in an evaluation."""

_Rank: TypeAlias = tuple[float, float, int]
"""-log P(prediction), log P(gold label) and the row of a mistake: the smaller, the worse."""


@dataclass(frozen=True)
class Mistake:
    r"""A wrong prediction with a high probability.

    Attributes
    ----------
    row : int
        The number of the document in the data, from 0; printed, it is a row, which is counted from 1.
    text : str or None
        The document: at most `MOST_CHARACTERS` characters of it. None if it is not known.
    gold, predicted : str, int or bool
        The gold label, and the prediction.
    probability, of_gold : float
        The probability of the prediction, and of the gold label.
    words : list of (str, float)
        The terms that spoke most for the prediction against the gold label, as the text has them, each with what it
        adds to the log-odds.

    Examples
    --------
    >>> print(Mistake(6, "A great\n bore.", "neg", "pos", 0.93, 0.07, [("great", 2.61), ("a", 0.02)]))
    row 7: neg -> pos 93.0%: A great bore.
      great +2.6, a +0.02
    """

    row: int
    text: str | None
    gold: Label
    predicted: Label
    probability: float
    of_gold: float
    words: list[tuple[str, float]]

    @property
    def line(self) -> str:
        """The mistake in one line of the terminal: the gold label, the prediction, and the beginning of the text."""
        gold, predicted = cut_apart([printable(label) for label in (self.gold, self.predicted)], LONGEST_IN_PAIRS)
        head = f"row {self.row + 1:,}: {gold} -> {predicted} {percent(self.probability)}"
        return cut(f"{head}: {printable(' '.join(self.text.split()))}" if self.text else head)

    def __str__(self) -> str:
        if not self.words:
            return self.line
        words = ", ".join(f"{printable(term)}{_GLUE}{_weight(weight)}" for term, weight in self.words)
        words = wrapped(words, "  ", WIDTH - 2).replace(_GLUE, " ")
        return f"{self.line}\n  {words}"

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data; infinite numbers are None, because JSON has no infinity."""
        return {**vars(self), "words": [[term, finite_or_none(weight)] for term, weight in self.words]}


class WorstMistakes:
    """Keeps the worst mistakes of documents that come in batches.

    The worst is the one whose prediction is most probable; of equally probable ones, that whose gold label is least
    probable. Documents whose gold label is not a class of the model are left out, because the model cannot be right
    about them; equal texts are kept once.

    Examples
    --------
    >>> import numpy as np
    >>> worst = WorstMistakes(["a", "b"])
    >>> worst.see(np.log([[0.9, 0.1], [0.2, 0.8]]), np.array([1, 1]), np.array([0, 1]), ["one", "two"].__getitem__)
    >>> [(each.row, each.text, each.gold, each.predicted, round(each.of_gold, 3)) for each in worst.found()]
    [(0, 'one', 'b', 'a', 0.1)]
    """

    def __init__(self, classes: list[Label]) -> None:
        self._classes = classes
        self._kept: list[tuple[_Rank, Mistake]] = []
        self._before = 0

    def see(
        self, log_probabilities: Array, gold: Places, best: Places, text_of: Callable[[int], str] | None = None
    ) -> None:
        """Look at a batch: its probabilities, the places of gold labels and predictions, and the text of a row."""
        wrong = np.flatnonzero((gold != best) & (gold >= 0) & (best >= 0))
        of_gold, of_best = log_probabilities[wrong, gold[wrong]], log_probabilities[wrong, best[wrong]]
        for at in np.lexsort((of_gold, -of_best)).tolist():
            row = int(wrong[at])
            rank = -float(of_best[at]), float(of_gold[at]), self._before + row
            if len(self._kept) == WORST and rank > self._kept[-1][0]:
                break
            text = None if text_of is None else text_of(row)
            if text is not None and any(text == kept.text for _, kept in self._kept):
                continue
            labels = self._classes[gold[row]], self._classes[best[row]]
            shares = float(np.exp(of_best[at])), float(np.exp(of_gold[at]))
            self._kept.append((rank, Mistake(self._before + row, text, *labels, *shares, [])))
            self._kept.sort(key=lambda pair: pair[0])
            del self._kept[WORST:]
        self._before += len(gold)

    def found(self, words_of: Callable[[Mistake], list[tuple[str, float]]] | None = None) -> list[Mistake]:
        """The worst mistakes, the worst first, with their words if a function for them is given."""
        return [
            replace(
                each,
                text=None if each.text is None else each.text[:MOST_CHARACTERS],
                words=[] if words_of is None else words_of(each),
            )
            for _, each in self._kept
        ]


MOST_IN_MATRIX = 8
"""With more classes, the most confused pairs are shown instead of a matrix."""
MOST_PAIRS = 10
"""At most this many confused pairs are shown."""
MOST_MISTAKES = 3
"""At most this many errors are shown without details."""
LONGEST_IN_PAIRS = 28
"""Longer labels are cut in the table of pairs, in columns of a terminal."""
NO_ANSWER = "no answer"
"""The column of documents that have no prediction."""
MEASURES_WIDTH = 36
"""The columns of a terminal that precision, recall, F and support take beside the confusion matrix."""


_GLUE = "\u00a0"
"""Between a word and its weight, which stay in one line: a space that does not break."""


def confusion_text(evaluation: Evaluation) -> str:
    """The most confused pairs, if the table of the classes has no room for the matrix."""
    return "" if _matrix(evaluation) else _pairs(evaluation)


def _matrix(evaluation: Evaluation) -> list[list[str]]:
    """The confusion matrix as rows of a table; none if it would not fit beside the measures of the classes."""
    labels = cut_apart([printable(label) for label in evaluation.labels], 10)
    numbers: list[list[int]] = evaluation.confusion.tolist() if len(labels) <= MOST_IN_MATRIX else []
    columns = labels
    if evaluation.abstained:
        columns = [*labels, NO_ANSWER]
        sizes = (of.support for of in evaluation.per_class.values())
        numbers = [[*row, size - sum(row)] for row, size in zip(numbers, sizes, strict=False)]
    rows = [[label, *(f"{number:,}" for number in row)] for label, row in zip(labels, numbers, strict=False)]
    rows = [["gold \\ predicted", *columns], *rows]
    return rows if numbers and fits(rows, WIDTH - MEASURES_WIDTH) else []


def _pairs(evaluation: Evaluation) -> str:
    pairs = evaluation.confused
    if not pairs:
        return ""
    rows = [["gold label", "predicted", "documents", "of gold"]]
    rows += [
        [
            *(cut(printable(label), LONGEST_IN_PAIRS) for label in (pair.gold, pair.predicted)),
            f"{pair.documents:,}",
            percent(pair.share),
        ]
        for pair in pairs[:MOST_PAIRS]
    ]
    more = f" ({len(pairs) - MOST_PAIRS:,} more pairs)" if len(pairs) > MOST_PAIRS else ""
    return f"Most confused{more}:\n{table(rows)}"


def mistakes_text(evaluation: Evaluation, *, details: bool = False) -> str:
    """The worst errors, one line each, or with the words that spoke for them; '' if none is known."""
    mistakes = evaluation.mistakes if details else evaluation.mistakes[:MOST_MISTAKES]
    if not mistakes:
        return ""
    wrong = evaluation.documents - evaluation.abstained - evaluation.pooled.tp
    words = ", and the words for it" if details and any(each.words for each in mistakes) else ""
    head = f"The worst of {counted(wrong, 'error')} (gold label -> prediction{words}):"
    return "\n".join([head, *(str(each) if details else each.line for each in mistakes)])


def _weight(weight: float) -> str:
    return f"{weight:+.0f}" if abs(weight) >= 10 else f"{weight:+.2g}"


def source_text(evaluation: Evaluation) -> str:
    """What to know about how an evaluation was measured; an empty text if there is nothing to say.

    Examples
    --------
    >>> from likely import cross_validate
    >>> from likely.sample import load_sample
    >>> print(source_text(cross_validate(*load_sample(), folds=4, plain=True)))
    Accuracy in the 4 folds: 81.7% to 83.3%.
    """
    folds, lines = evaluation.folds, list(map(printable, evaluation.notes))
    if len(folds) > 1:
        lines.insert(0, f"Accuracy in the {len(folds)} folds: {percent(min(folds))} to {percent(max(folds))}.")
    return "\n".join(map(wrapped, lines))


MOST_ROWS = 50
"""At most this many classes are listed, the largest ones; without details, `MOST_IN_SHORT`."""
MOST_IN_SHORT = 20
LONGEST_LABEL = 36
"""Longer labels are cut in the table, in columns of a terminal."""
NAMES = {
    "macro_f": "macro F{beta:g}",
    "balanced_accuracy": "balanced accuracy",
    "matthews": "Matthews correlation",
    "kappa": "Cohen's kappa",
    "roc_auc": "area under the ROC curve",
    "average_precision": "area under precision-recall",
    "top-2 accuracy": "top-2 accuracy",
    "top-3 accuracy": "top-3 accuracy",
    "top-5 accuracy": "top-5 accuracy",
    "log_loss": "log-loss (lower is better)",
    "brier": "Brier score (lower is better)",
    "expected_calibration_error": "calibration error (lower is better)",
    "mean confidence": "mean confidence",
}
"""The measures that are printed with their intervals, and what they are called."""
PROBABILISTIC = ("kappa", "brier", "expected_calibration_error")
"""The measures that are not printed for fewer than `ENOUGH_FOR_PROBABILITIES` documents, of which they say little."""
ENOUGH_FOR_PROBABILITIES = 50
TOPS = (2, 3, 5)
"""The k of the top-k accuracies that are shown, those below the number of classes."""


_WHAT_IF = "Answering only if the class is at least this probable:"


def headline(evaluation: Evaluation) -> str:
    """The accuracy with its interval, the share of the most frequent class, and the number of documents.

    Examples
    --------
    >>> from likely.evaluation.evaluation import from_confusion
    >>> print(headline(from_confusion(["neg", "pos"], [[11_125, 1_375], [1_375, 11_125]])))
    accuracy 89.0% (95% CI 88.6-89.4), majority class "neg" 50.0%, 25,000 documents
    >>> print(headline(from_confusion(["neg", "pos"], [[3, 1], [0, 4]])))
    7 of 8 documents are right: too few yet to estimate an accuracy (at least 30)
    """
    documents, right = counted(evaluation.documents, "document"), evaluation.right
    if evaluation.documents < ENOUGH:
        are = "is" if evaluation.documents == 1 else "are"
        return f"{right} of {documents} {are} right: too few yet to estimate an accuracy (at least {ENOUGH})"
    label, share = evaluation.majority
    baseline = f'majority class "{printable(label)}" {exact_percent(share)}'
    source = "" if evaluation.source == "a test set" else f" by {evaluation.source}"
    accuracy = _share(evaluation.accuracy, evaluation.intervals.get("accuracy"))
    return wrapped(f"accuracy {accuracy}, {baseline}, {documents}{source}")


def _share(share: float, interval: Interval | None) -> str:
    """A share in per cent with its interval, with as many decimals as tell the ends of the interval apart."""
    if interval is None:
        return exact_percent(share)
    width = interval.high - interval.low
    decimals = next((digits for digits in (1, 2, 3) if width >= 0.2 * 10.0 ** (-1 - digits)), 4)
    low, high = (percent(end, decimals).removesuffix("%") for end in (interval.low, interval.high))
    return f"{percent(share, decimals)} (95% CI {low}-{high})"


def _abstentions(evaluation: Evaluation) -> str:
    number, share = counted(evaluation.abstained, "document"), percent(1 - evaluation.answered)
    right = evaluation.accuracy_of_answered
    if right is None:
        return wrapped(f"There is no answer for any of {number}")
    answers = _share(right, evaluation.intervals["accuracy_of_answered"])
    return wrapped(f"There is no answer for {number} ({share}); {answers} of the answers are right")


def _classes(evaluation: Evaluation, *, details: bool) -> str:
    """One row per class, the largest ones if there are many, and averages; beside the confusion matrix if it fits."""
    classes = {label: found for label, found in evaluation.per_class.items() if found.support or found.predicted}
    most = MOST_ROWS if details else MOST_IN_SHORT
    shown = set(sorted(classes, key=lambda label: -classes[label].support)[:most])
    matrix = _matrix(evaluation) or [
        ["class"],
        *([cut(printable(each), LONGEST_LABEL)] for each in evaluation.labels),
    ]
    rows = [[*matrix[0], "precision", "recall", f"F{evaluation.beta:g}", "support"]]
    for row, (label, of) in zip(matrix[1:], evaluation.per_class.items(), strict=True):
        if label in shown:
            rows.append([*row, *map(_percent, (of.precision, of.recall, of.f(evaluation.beta))), f"{of.support:,}"])
    averages = {"macro": evaluation.macro, "weighted": evaluation.weighted, "micro": evaluation.micro}
    for name, mean in averages.items() if details else [("macro", evaluation.macro)]:
        figures = map(_percent, (mean.precision, mean.recall, mean.f))
        rows.append([f"{name} average", *[""] * (len(matrix[0]) - 1), *figures, f"{evaluation.documents:,}"])
    hidden = len(classes) - len(shown)
    more = f"\n{hidden:,} smaller classes are not listed, but count in the averages." if hidden else ""
    return table(rows) + more


def _percent(value: float | None) -> str:
    return "undefined" if value is None else percent(value)


def _figure(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4f}"


def _below(evaluation: Evaluation) -> str:
    """What is said below the table: why values are undefined, over which the averages are not."""
    return "\n".join(wrapped(f"{each[0].upper()}{each[1:]}.", "  ") for each in evaluation.undefined)


def _measures(evaluation: Evaluation) -> str:
    """One row per measure of all documents, with its interval."""
    rows = [["", "value", "95% interval"]]
    for name, shown in NAMES.items():
        value, interval = evaluation.measures.get(name), evaluation.intervals.get(name)
        ends = "" if interval is None else f"{_figure(interval.low)} to {_figure(interval.high)}"
        if value is not None and (name not in PROBABILISTIC or evaluation.documents >= ENOUGH_FOR_PROBABILITIES):
            rows.append([shown.format(beta=evaluation.beta), _figure(value), ends])
    return table(rows)

"""Counts and options to a trial: how good they are on documents that the model has not seen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely.analysis.analyzer import counted_as
from likely.errors import OptionError
from likely.evaluation.evaluation import from_confusion
from likely.evaluation.trials import AUTO, MEASURES, Trial, not_default
from likely.reading.sampling import folds_of
from likely.scoring.calibration_record import Calibrated, calibrated
from likely.scoring.leave_one_out import Kinds, LeftOut, left_out_by, places_of, rows_of, single_words
from likely.weighing.nbsvm import cross_scores
from likely.weighing.terms import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.counting.counts import Counts
    from likely.reading.sampling import Sample
    from likely.types import Label


WORSE = 1.1
"""A log-loss so many times as large is not made up for by another alpha."""
SIGNIFICANT = 2.0
"""So many standard errors apart two accuracies are no accident."""


@dataclass(frozen=True)
class Goal:
    """What options are to be good at.

    Examples
    --------
    >>> Goal("f1:spam").of_class(["ham", "spam"])
    'spam'
    >>> Goal("recall")
    Traceback (most recent call last):
    likely.errors.OptionError: tune_for='recall' is not allowed: it must be auto, log-loss, accuracy, macro-f1 or
    f1:CLASS
    """

    tune_for: str = AUTO

    def better(self, one: Judged, other: Judged) -> bool:
        """Whether one trial is better than another; of equal ones neither is."""
        if self.tune_for == AUTO:
            surplus = one.surplus(other)
            if abs(surplus) > SIGNIFICANT:
                return surplus > 0
        return one.trial.value > other.trial.value

    def is_hopeless(self, one: Judged, best: Judged) -> bool:
        """Whether one trial is so much worse than the best that other alphas would not change that."""
        return best.surplus(one) > 2 * SIGNIFICANT or one.trial.log_loss > WORSE * best.trial.log_loss

    def exceeds(self, one: Judged, other: Judged) -> bool:
        """Whether one trial is better than another that was judged on other documents."""
        by = "accuracy" if self.tune_for == AUTO else "value"
        return bool(getattr(one.trial, by) > getattr(other.trial, by))

    def best(self, judged: list[Judged]) -> Judged:
        """The best of some trials, of equal ones the first."""
        if self.tune_for == AUTO:
            right = max(judged, key=lambda each: each.trial.accuracy)
            judged = [each for each in judged if right.surplus(each) <= SIGNIFICANT]
        return max(judged, key=lambda each: each.trial.value)

    def __post_init__(self) -> None:
        if self.tune_for not in (AUTO, *MEASURES) and not str(self.tune_for).startswith("f1:"):
            raise OptionError(
                f"tune_for={self.tune_for!r} is not allowed: it must be {', '.join((AUTO, *MEASURES))} or f1:CLASS"
            )

    def of_class(self, labels: list[Label]) -> Label | None:
        """The class whose F1 is meant, if one is."""
        if self.tune_for in (AUTO, *MEASURES):
            return None
        name = self.tune_for.removeprefix("f1:")
        found = [label for label in labels if str(label) == name]
        if not found:
            raise OptionError(f"tune_for={self.tune_for!r}: there is no class {name!r}")
        return found[0]


@dataclass(frozen=True)
class Judged:
    """A trial, the calibration that its scores gave, and which documents were right."""

    trial: Trial
    calibrated: Calibrated
    right: npt.NDArray[np.bool_]

    def surplus(self, other: Judged) -> float:
        """How many more documents it got right than another, in standard errors (McNemar 1947)."""
        mine, theirs = int((self.right & ~other.right).sum()), int((other.right & ~self.right).sum())
        return (mine - theirs) / math.sqrt(mine + theirs) if mine + theirs else 0.0


def judge(left: LeftOut, own: Any, labels: list[Label], options: Mapping[str, Any], way: str, goal: Goal) -> Judged:
    """What scores of documents from models without them are worth."""
    found = calibrated(left.joint, left.length, own)
    width = len(labels)
    guess = left.joint.argmax(axis=1)
    confusion = np.bincount(own * width + guess, minlength=width * width).reshape(width, width)
    evaluation = from_confusion(labels, confusion)
    # A class that was never predicted has no precision, but an F of 0; one without documents has none at all.
    f1 = {label: table.f() for label, table in evaluation.per_class.items()}
    defined = [value for value in f1.values() if value is not None]
    macro = sum(defined) / len(defined)
    log_loss, accuracy = found.after["log_loss"], evaluation.accuracy
    one = goal.of_class(labels)
    value = {AUTO: -log_loss, "log-loss": -log_loss, "accuracy": accuracy, "macro-f1": macro}.get(goal.tune_for)
    value = float(f1[one] or 0.0) if value is None and one is not None else float(value or 0.0)
    return Judged(Trial(not_default(options), way, log_loss, accuracy, macro, value), found, guess == own)


class Counted:
    """Counts of all documents with the terms of a sample, to judge by leave-one-out what can be made of them."""

    def __init__(self, counts: Counts, sample: Sample, threads: int) -> None:
        self.counts, self.sample, self.threads = counts, sample, threads
        self.kinds = Kinds(counts, rows=self._rows)
        self.own = places_of(self.kinds, sample.labels)
        self.cases = self.kinds.cases(self._rows)

    @cached_property
    def _rows(self) -> Any:
        return rows_of(self.counts, self.sample.texts, self.threads)

    @cached_property
    def words(self) -> npt.NDArray[np.bool_]:
        """By id: whether a term is a single word."""
        return single_words(self.counts)

    @cached_property
    def single(self) -> tuple[Kinds, Any]:
        """The same of single words alone."""
        rows = self._rows.only(self.words)
        kinds = Kinds(self.counts, self.words, rows)
        return kinds, kinds.cases(rows)

    def left_out(self, values: Mapping[str, Any]) -> LeftOut:
        """What the documents of the sample score by some options, each from the counts of all others."""
        # Words alone are those of the same counts, as if nothing else had been counted.
        single = self.counts.analyzer.ngrams != values["ngrams"]
        kinds, cases = self.single if single else (self.kinds, self.cases)
        return left_out_by(kinds, Rules.of(values)).scores(cases, self.own, self.threads)

    def calibrated(self, values: Mapping[str, Any], documents: int) -> Calibrated:
        """The calibration that the first so many documents of the sample give."""
        left, some = self.left_out(values), slice(documents)
        return calibrated(left.joint[some], left.length[some], self.own[some].astype(np.intp))


class Crossed:
    """Counts of all documents with the terms of a sample, to judge by cross-validation what is learned from it."""

    def __init__(self, counts: Counts, sample: Sample, threads: int) -> None:
        self.counts, self.threads = counts, threads
        self.labels = [counts.index.labels[number] for number in counts.live()]
        places = {label: place for place, label in enumerate(self.labels)}
        self.own = np.array([places[label] for label in sample.labels], np.uint32)
        self.rows, self.folds = rows_of(counts, sample.texts, threads), folds_of(sample.texts)

    def judge(self, values: Mapping[str, Any], goal: Goal) -> Judged:
        """A trial of options for the variant that is learned."""
        rules = Rules.of(values)
        value = "presence" if rules.presence else counted_as(values)[0]
        joint = cross_scores(self.counts, self.rows, self.own, self.folds, rules, self.threads, value)
        left = LeftOut(joint, np.ones(len(joint)))
        return judge(left, self.own.astype(np.intp), self.labels, values, "cross-validation", goal)

"""Trials: how good options are on documents that the model has not seen."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from likely.analysis.analyzer import counted_as
from likely.errors import OptionError
from likely.evaluation.evaluation import from_confusion
from likely.evaluation.trials import AUTO, MEASURES, Trial, not_default
from likely.reading.sampling import folds_of
from likely.scoring.calibration_record import calibrate, calibrated_scores
from likely.scoring.cross_validation import cross_scores
from likely.scoring.leave_one_out import Kinds, LeftOut, left_out_by
from likely.scoring.threshold_choice import Unseen
from likely.vectorize.rows import rows_of, single_words
from likely.weighing.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.counting.counts import Counts
    from likely.reading.sampling import Sample
    from likely.scoring.calibration_record import CalibrationRecord
    from likely.scoring.leave_one_out import Cases
    from likely.types import Label, Mask, Places
    from likely.vectorize.rows import Rows


WORSE = 1.1
"""If the log-loss is this many times as large, another alpha will not make up for it."""
SIGNIFICANT = 2.0
"""Two accuracies differ significantly if they are this many standard errors apart."""


@dataclass(frozen=True)
class Goal:
    """The measure by which options are chosen.

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
        """Whether one trial is better than another; False if they are equal."""
        if self.tune_for == AUTO:
            surplus = one.surplus(other)
            if abs(surplus) > SIGNIFICANT:
                return surplus > 0
        return one.trial.value > other.trial.value

    def is_hopeless(self, one: Judged, best: Judged) -> bool:
        """Whether one trial is far worse than the best, so that another alpha would not make it better."""
        return best.surplus(one) > 2 * SIGNIFICANT or one.trial.log_loss > WORSE * best.trial.log_loss

    def exceeds(self, one: Judged, other: Judged) -> bool:
        """Whether one trial is better than another that was made with other documents."""
        by = "accuracy" if self.tune_for == AUTO else "value"
        return bool(getattr(one.trial, by) > getattr(other.trial, by))

    def best(self, judged: list[Judged]) -> Judged:
        """The best trial; of equal trials the first."""
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
        """The class whose F1 is the measure, or None."""
        if self.tune_for in (AUTO, *MEASURES):
            return None
        name = self.tune_for.removeprefix("f1:")
        found = [label for label in labels if str(label) == name]
        if not found:
            raise OptionError(f"tune_for={self.tune_for!r}: there is no class {name!r}")
        return found[0]


@dataclass(frozen=True)
class Judged:
    """A trial, and whether each document was predicted right."""

    trial: Trial
    right: Mask
    left: LeftOut | None = None
    """The scores, if a calibration will be fitted to them when the trial is chosen."""

    def surplus(self, other: Judged) -> float:
        """How many more documents are right than in another trial, in standard errors (McNemar 1947)."""
        mine, theirs = int((self.right & ~other.right).sum()), int((other.right & ~self.right).sum())
        return (mine - theirs) / math.sqrt(mine + theirs) if mine + theirs else 0.0


def judge(
    left: LeftOut, gold: Places, labels: list[Label], options: Mapping[str, object], way: str, goal: Goal
) -> Judged:
    """The trial of options that gave these scores, from models without the documents."""
    calibrated, of_calibrated = calibrated_scores(left, gold)
    log_loss = float(-calibrated[np.arange(len(of_calibrated)), of_calibrated].sum()) / len(of_calibrated)
    width = len(labels)
    guess = left.joint.argmax(axis=1)
    confusion = np.bincount(gold * width + guess, minlength=width * width).reshape(width, width)
    evaluation = from_confusion(labels, confusion)
    # A class that was never predicted has an F1 of 0, though no precision; a class without documents has no F1.
    f1 = {label: table.f() for label, table in evaluation.per_class.items()}
    defined = [value for value in f1.values() if value is not None]
    macro, accuracy = sum(defined) / len(defined), evaluation.accuracy
    one = goal.of_class(labels)
    value = {AUTO: -log_loss, "log-loss": -log_loss, "accuracy": accuracy, "macro-f1": macro}.get(goal.tune_for)
    if value is None and one is not None:
        # A threshold will be chosen for this class, so its F1 is that of the best threshold.
        unseen = Unseen(calibrated, of_calibrated, np.ones(len(of_calibrated)), labels)
        value = float(unseen.of_class(one).f1.max())
    value = float(value or 0.0)
    return Judged(Trial(not_default(options), way, log_loss, accuracy, macro, value), guess == gold)


class Counted:
    """Counts of all documents with the terms of a sample, for trials by leave-one-out."""

    def __init__(self, counts: Counts, sample: Sample, threads: int) -> None:
        self.counts, self.sample, self.threads = counts, sample, threads
        self.kinds = Kinds(counts, rows=self._rows)
        self.gold = counts.live().places.of_all(sample.labels)
        self.cases = self.kinds.cases(self._rows)

    @cached_property
    def _rows(self) -> Rows:
        return rows_of(self.counts, self.sample.texts, self.threads)

    @cached_property
    def single(self) -> tuple[Kinds, Cases]:
        """The kinds and cases of the single words only."""
        words = single_words(self.counts)
        rows = self._rows.only(words)
        kinds = Kinds(self.counts, words, rows)
        return kinds, kinds.cases(rows)

    def left_out(self, values: Mapping[str, object]) -> LeftOut:
        """The leave-one-out scores of the documents of the sample with these options."""
        # The counts of single words are part of the counts of words and pairs of words.
        single = self.counts.analyzer.ngrams != values["ngrams"]
        kinds, cases = self.single if single else (self.kinds, self.cases)
        return left_out_by(kinds, Rules.of(values)).scores(cases, self.gold.astype(np.uint32), self.threads)

    def calibration(self, values: Mapping[str, object], documents: int) -> CalibrationRecord:
        """The calibration fitted on the first ``documents`` of the sample."""
        left, some = self.left_out(values), slice(documents)
        return calibrate(LeftOut(left.joint[some], left.length[some]), self.gold[some])


class Crossed:
    """Counts of all documents with the terms of a sample, for trials by cross-validation (nbsvm)."""

    def __init__(self, counts: Counts, sample: Sample, threads: int) -> None:
        self.counts, self.threads, self.labels = counts, threads, counts.live().labels
        self.gold = counts.live().places.of_all(sample.labels)
        self.rows, self.folds = rows_of(counts, sample.texts, threads), folds_of(sample.texts)

    def judge(self, values: Mapping[str, object], goal: Goal) -> Judged:
        """A trial of options for the variant nbsvm."""
        rules = Rules.of(values)
        value = "presence" if rules.presence else counted_as(values)[0]
        gold = self.gold.astype(np.uint32)
        joint = cross_scores(self.counts, self.rows, gold, self.folds, rules, self.threads, value)
        left = LeftOut(joint, np.ones(len(joint)))
        judged = judge(left, self.gold, self.labels, values, "cross-validation", goal)
        return replace(judged, left=left)

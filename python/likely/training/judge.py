"""Trials: how good options are on documents that the model has not seen."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, cast

import numpy as np

from likely.core.calibration import CalibrationRecord, calibrate, calibrated_log_loss, calibrated_scores
from likely.core.counts import Counts, rows_of, single_words
from likely.core.decisions import Unseen
from likely.core.leave_one_out import LearnedDocuments, LeftOut, weighed_as
from likely.core.rules import Rules
from likely.core.tuning_record import AUTO, TUNED_MEASURES, Trial, not_default
from likely.errors import OptionError
from likely.options.kinds import is_whole

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.reading.rows import Sample
    from likely.types import Array, Label, Mask, Places


WORSE = 1.1
"""If the log-loss is this many times as large, another alpha will not make up for it."""
MOST_CELLS = 1 << 21
"""The largest number of cells of documents with groups and with copies in others that are judged."""
SIGNIFICANT = 2.0
"""Two accuracies differ significantly if they are this many standard errors apart."""
BETWEEN_ALPHAS = 1.5
"""The same for one setting with two alphas: whichever is taken, the model has the same size and takes as long."""


@dataclass(frozen=True)
class Goal:
    """The measure by which options are chosen.

    Examples
    --------
    >>> Goal("f1:spam").of_class(["ham", "spam"])
    'spam'
    >>> Goal("recall")
    Traceback (most recent call last):
    likely.errors.OptionError: tune='recall' is not allowed: it must be auto, log-loss, accuracy, macro-f1 or f1:CLASS
    """

    tune_for: str = AUTO
    prefer: str = "balanced"
    """How much fewer terms are worth (`likely.training.search`)."""

    def better(self, one: Judged, other: Judged, significant: float = SIGNIFICANT) -> bool:
        """Whether one trial is better than another; False if they are equal."""
        if self.tune_for == AUTO:
            surplus = one.surplus(other)
            if abs(surplus) > significant:
                return surplus > 0
        return one.trial.value > other.trial.value

    def is_hopeless(self, one: Judged, best: Judged) -> bool:
        """Whether one trial is far worse than the best, so that another alpha would not make it better."""
        return best.surplus(one) > 2 * SIGNIFICANT or one.trial.log_loss > WORSE * best.trial.log_loss

    def exceeds(self, one: Judged, other: Judged) -> bool:
        """Whether one trial is better than another that was made with other documents.

        If no measure was asked for, it may be less accurate by one standard error: it is a trial by cross-validation,
        whose models have learned fewer documents than the final one.
        """
        if self.tune_for != AUTO:
            return one.trial.value > other.trial.value
        error = math.sqrt(
            sum(each.trial.accuracy * (1 - each.trial.accuracy) / len(each.right) for each in (one, other))
        )
        return one.trial.accuracy > other.trial.accuracy - error

    def best(self, judged: list[Judged]) -> Judged:
        """The best trial; of equal trials the first."""
        if self.tune_for == AUTO:
            right = max(judged, key=lambda each: each.trial.accuracy)
            judged = [each for each in judged if right.surplus(each) <= SIGNIFICANT]
        return max(judged, key=lambda each: each.trial.value)

    def __post_init__(self) -> None:
        if self.tune_for not in (AUTO, *TUNED_MEASURES) and not str(self.tune_for).startswith("f1:"):
            raise OptionError(
                f"tune={self.tune_for!r} is not allowed: it must be {', '.join((AUTO, *TUNED_MEASURES))} or f1:CLASS"
            )

    def of_class(self, labels: list[Label]) -> Label | None:
        """The class whose F1 is the measure, or None."""
        if self.tune_for in (AUTO, *TUNED_MEASURES):
            return None
        name = self.tune_for.removeprefix("f1:")
        found = [label for label in labels if str(label) == name]
        if not found:
            raise OptionError(f"tune={self.tune_for!r}: there is no class {name!r}")
        return found[0]


@dataclass(frozen=True)
class Judged:
    """A trial, and whether each document was predicted right."""

    trial: Trial
    right: Mask
    times: Array | None = None
    """The weight of each document; None if each weighs 1."""
    left: LeftOut | None = None
    """The scores, if a calibration will be fitted to them when the trial is chosen."""

    def surplus(self, other: Judged) -> float:
        """How many more documents are right than in another trial, in standard errors (McNemar 1947)."""
        return surplus(self.right, other.right, self.times)


def surplus(one: Mask, other: Mask, times: Array | None = None) -> float:
    """How many more elements are true in one mask than in another, in standard errors (McNemar 1947).

    ``times`` are the weights of the elements: the copies of a text are right or wrong together.

    Examples
    --------
    >>> surplus(np.array([True, True, True, False]), np.array([False, False, True, True]))
    0.5773502691896258
    """
    weights = np.ones(len(one)) if times is None else times
    differences = weights * (one.astype(np.float64) - other)
    return float(differences.sum() / math.sqrt((differences**2).sum())) if differences.any() else 0.0


def judge(
    left: LeftOut,
    gold: Places,
    labels: list[Label],
    options: Mapping[str, object],
    way: str,
    goal: Goal,
    threads: int = 1,
) -> Judged:
    """The trial of options that gave these scores, from models without the documents."""
    log_loss = calibrated_log_loss(left, gold, threads)
    guess = left.joint.argmax(axis=1)
    right = guess == gold
    f1 = f1_of_classes(gold, guess, len(labels), left.times)
    accuracy = float(np.average(right, weights=left.times))
    macro = float(np.nanmean(f1))
    one = goal.of_class(labels)
    value = {AUTO: -log_loss, "log-loss": -log_loss, "accuracy": accuracy, "macro-f1": macro}.get(goal.tune_for)
    if one is not None:
        # A threshold will be chosen for this class, so its F1 is that of the best threshold.
        unseen = Unseen(*calibrated_scores(left, gold, threads), labels)
        value = float(unseen.of_class(one).f1.max())
    trial = Trial(not_default(options), way, log_loss, accuracy, macro, float(value or 0.0))
    return Judged(trial, right, left.times)


def f1_of_classes(gold: Places, guess: Places, classes: int, times: Array | None = None) -> Array:
    """The (weighted) F1 of each class; NaN for a class that has no documents and was never predicted.

    There are too many pairs of classes for a confusion matrix if there are thousands of classes.

    Examples
    --------
    >>> f1_of_classes(np.array([0, 0, 1]), np.array([0, 1, 1]), 3).round(3)
    array([0.667, 0.667,   nan])
    """
    weights = np.ones(len(gold)) if times is None else times
    right = np.bincount(gold, weights=weights * (gold == guess), minlength=classes)
    golds, guesses = (np.bincount(each, weights=weights, minlength=classes) for each in (gold, guess))
    with np.errstate(invalid="ignore"):
        f1: Array = 2 * right / (golds + guesses)
    return f1


class CountedSample:
    """Counts of all documents with the terms of a sample, for trials by leave-one-out."""

    def __init__(self, counts: Counts, sample: Sample, threads: int) -> None:
        self.counts, self.sample, self.threads = counts, sample, threads
        self._rows = rows_of(counts, sample.texts, threads)
        self._gold = counts.live().places.of_all(sample.labels)
        self.gold = self._gold[: sample.judged]
        self.labels = counts.live().labels
        self._fewer: dict[tuple[bool, float], LearnedDocuments] = {}

    def _documents(self, only: Mask | None) -> LearnedDocuments:
        times, groups = np.array(self.sample.times), np.array(self.sample.groups, np.uint64)
        return LearnedDocuments(
            self.counts, self._rows, self._gold, times, groups, only, self.sample.judged, MOST_CELLS
        )

    @cached_property
    def documents(self) -> LearnedDocuments:
        """The documents with all terms."""
        return self._documents(None)

    @cached_property
    def single(self) -> LearnedDocuments:
        """The same documents with single words only."""
        return self._documents(single_words(self.counts))

    def left_out(self, values: Mapping[str, object]) -> LeftOut:
        """The leave-one-out scores of the documents of the sample with these options."""
        left = self._with(values).left_out(Rules.of(values), self.threads)
        return weighed_as(left, self.sample.worth[: self.sample.judged])

    def sized(self, trial: Trial, values: Mapping[str, object]) -> Trial:
        """The trial of these options with the size of its model."""
        documents = self._with(values)
        return replace(trial, terms=documents.terms(Rules.of(values)), lookups=documents.lookups)

    def _with(self, values: Mapping[str, object]) -> LearnedDocuments:
        """The documents with the terms that these options ask for."""
        # The counts of single words are part of the counts of words and pairs of words.
        is_single = self.counts.analyzer.ngrams != values["ngrams"]
        documents, least = self.single if is_single else self.documents, cast("float", values["min_documents"])
        if not (is_whole(least) and least > 1):
            return documents
        if (is_single, least) not in self._fewer:
            self._fewer = {(is_single, least): documents.keeping(least)}  # only the last one, which is used again
        return self._fewer[is_single, least]

    def calibration(self, values: Mapping[str, object], documents: int) -> CalibrationRecord:
        """The calibration fitted on the first ``documents`` of the sample."""
        left, some = self.left_out(values), slice(documents)
        return calibrate(left.of(some), self.gold[some], self.threads)

"""The variant nbsvm among the trials: which of its settings are tried, by cross-validation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from likely.core.analyzer import counted_as
from likely.core.rules import Rules
from likely.reading.sampling import folds_of
from likely.scoring.cross_validation import Folded
from likely.scoring.leave_one_out import LeftOut
from likely.scoring.tuning_record import AUTO
from likely.tuning.judge import judge
from likely.tuning.material import NGRAMS
from likely.tuning.rare import CLASS_WEIGHTS, has_rare
from likely.vectorize.rows import rows_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from likely.core.counts import Counts
    from likely.reading.sampling import Sample
    from likely.scoring.cross_validation import FoldedScores
    from likely.tuning.judge import Goal, Judged
    from likely.tuning.search import Options, Search
    from likely.types import Array, Places

_UNIT_LENGTH: Mapping[str, object] = {"variant": "nbsvm", "weighting": "tfidf", "idf": "smooth", "norm": "l2"}
LEARNED_SETTINGS: tuple[Mapping[str, object], ...] = (
    {**_UNIT_LENGTH, "tf": "raw", "min_documents": 2, "cost": 2.0},
    _UNIT_LENGTH,
    {"variant": "nbsvm", "cost": 0.1, "interpolation": 0.25},
)
"""The settings of the variant nbsvm to try. One of them is also tried with weights of classes."""
FOLLOW_UP: Mapping[str, object] = {**LEARNED_SETTINGS[0], "cost": 4.0}
"""This setting is tried only if the first one is ahead of the others."""
HARDLY = 1.0
"""If no measure was asked for, weights of classes may cost at most this many standard errors of accuracy."""
TOLERANCE = 0.003
"""How exactly the weights of trials are learned. On R8 no log-loss changes by more than 0.2 %; with 0.01 another is
chosen."""
FIRST_FOLDS = 2
"""If there are two classes, all settings are tried on this number of folds, so that two threads can work on them. If
there are more, one fold is enough."""
ENOUGH = 4_500
"""Once folds with this many documents are judged, no further fold is: a calibration is fitted to about as many, and
they are enough to tell settings apart by half a point of accuracy."""
FEWEST_RACED = 1_000
"""If these folds have fewer documents, all settings are tried on all folds."""
BEHIND = 1.005
"""A setting that is not more accurate, and whose log-loss is this many times as large, is not tried on more folds."""


class Crossed:
    """Counts of all documents with the terms of a sample, for trials by cross-validation (nbsvm)."""

    def __init__(self, counts: Counts, sample: Sample, threads: int) -> None:
        self.counts, self.threads, self.labels = counts, threads, counts.live().labels
        gold = counts.live().places.of_all(sample.labels)
        self.worth = np.array(sample.worth)
        rows = rows_of(counts, sample.texts, threads)
        self.folded = Folded(counts, rows, gold.astype(np.uint32), folds_of(sample.groups), np.array(sample.times))
        self.folds = enough_folds(self.folded.held)
        """The folds that are judged, by models of all other folds."""

    @property
    def gold(self) -> Places:
        """The gold classes of the documents that are judged."""
        return self._gold(len(self.folds))

    def _gold(self, folds: int) -> Places:
        return self.folded.gold[self.folded.held < folds].astype(np.intp)

    def judge(self, values: Options, goal: Goal) -> Judged:
        """A trial of options for the variant nbsvm."""
        return self.race([values], goal)[0]

    def race(self, settings: Sequence[Options], goal: Goal, follow_up: Options | None = None) -> list[Judged]:
        """The trials of the settings that are not behind after the first folds: only they are tried on the others.

        The setting ``follow_up`` joins them if the first setting is ahead.
        """
        first = FIRST_FOLDS if len(self.labels) == 2 else 1
        is_raced = (self.folded.held < first).sum() >= FEWEST_RACED
        racers = [self._racer(each, first) for each in settings]
        judged = [self._judged(each, first, goal) for each in racers] if is_raced else []
        if follow_up is not None and (not is_raced or goal.best(judged) is judged[0]):
            racers.append(self._racer(follow_up, first))
            judged += [self._judged(racers[-1], first, goal)] if is_raced else []
        if is_raced:
            best = goal.best(judged)
            racers = list(compress(racers, [each is best or not is_behind(each, best, goal) for each in judged]))
        for each in racers:
            each.joint += each.scored.scores(self.folds[first:], self.threads, TOLERANCE)
        return [self._judged(each, len(self.folds), goal) for each in racers]

    def _racer(self, values: Options, first: int) -> Racer:
        """A setting with its scores of the first folds."""
        scored = self._by(values)
        return Racer(values, scored, scored.scores(self.folds[:first], self.threads, TOLERANCE))

    def _by(self, values: Options) -> FoldedScores:
        rules = Rules.of(values)
        return self.folded.by(rules, "presence" if rules.presence else counted_as(values)[0])

    def _judged(self, racer: Racer, folds: int, goal: Goal) -> Judged:
        """The trial by the documents of the first folds."""
        some = self.folded.held < folds
        left = LeftOut(racer.joint[some], np.ones(int(some.sum())), self.worth[some])
        gold = self._gold(folds)
        judged = judge(left, gold, self.labels, racer.values, "cross-validation", goal, self.threads)
        return replace(judged, left=left)


def enough_folds(held: npt.NDArray[np.intp]) -> range:
    """The first folds that have `ENOUGH` documents together; ``held`` is the fold of each document.

    Examples
    --------
    >>> enough_folds(np.arange(10) % 5)
    range(0, 5)
    >>> enough_folds(np.arange(20_000) % 5)
    range(0, 2)
    """
    documents = np.cumsum(np.bincount(held))
    return range(min(int(np.searchsorted(documents, ENOUGH)) + 1, len(documents)))


@dataclass(eq=False)
class Racer:
    """A setting in a race: the values of all its options, and its scores of the folds so far."""

    values: Options
    scored: FoldedScores
    joint: Array


def is_behind(one: Judged, best: Judged, goal: Goal) -> bool:
    """Whether a trial is far enough behind the best that it would hardly win with more documents."""
    worse = best.surplus(one) >= 0 and one.trial.log_loss > BEHIND * best.trial.log_loss
    return goal.is_hopeless(one, best) or (goal.tune_for == AUTO and worse)


def consider_learned(search: Search, sample: Sample, best: Judged) -> tuple[Judged, Places]:
    """The best trial among the best one so far and those of `LEARNED_SETTINGS`, and the gold classes of the judged.

    Stemming is taken over from the best trial so far: leave-one-out tests it better than cross-validation.
    """
    stem = {name: value for name, value in best.trial.options.items() if name == "stem"}
    settings = [{"ngrams": NGRAMS, **setting, **stem} for setting in (*LEARNED_SETTINGS, FOLLOW_UP)]
    *tried, follow_up = map(search.values, settings)
    values = [found for found in tried if found is not None]
    if not values:
        return best, np.zeros(0, np.intp)
    counts = search.material.count({"ngrams": NGRAMS, **search.given, **stem})
    crossed = Crossed(counts, sample, search.threads)
    raced = crossed.race(values, search.goal, follow_up)
    judged = [search.remember(search.values(each.trial.options) or {}, each) for each in raced]
    found = consider_weights(search, crossed, judged)
    return found if search.goal.exceeds(found, best) else best, crossed.gold


def consider_weights(search: Search, crossed: Crossed, judged: list[Judged]) -> Judged:
    """The best of these trials and, if a class is rare, of one of their settings with weights of classes.

    Weights change which class is chosen more than how the classes are told apart, so they are tried for the setting
    with the lowest log-loss, whatever the goal.
    """
    goal, best = search.goal, search.goal.best(judged)
    if "class_weight" in search.given or not has_rare(crossed.gold):
        return best
    setting = min(judged, key=lambda each: each.trial.log_loss).trial.options
    for name in CLASS_WEIGHTS:
        values = search.values({**setting, "class_weight": name})
        found = best if values is None else search.remember(values, crossed.judge(values, goal))
        less_accurate = goal.tune_for == AUTO and best.surplus(found) > HARDLY
        if less_accurate or goal.best([best, found]) is best:
            return best
        best = found
    return best

"""The variant nbsvm among the trials: which of its settings are tried, by cross-validation."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import compress
from typing import TYPE_CHECKING

import numpy as np

from likely.analysis.analyzer import counted_as
from likely.evaluation.trials import AUTO
from likely.reading.sampling import folds_of
from likely.scoring.cross_validation import Folded
from likely.scoring.leave_one_out import LeftOut
from likely.tuning.judge import judge
from likely.tuning.material import NGRAMS
from likely.tuning.rare import CLASS_WEIGHTS, has_rare
from likely.vectorize.rows import rows_of
from likely.weighing.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from likely.counting.counts import Counts
    from likely.reading.sampling import Sample
    from likely.scoring.cross_validation import FoldedScores
    from likely.tuning.judge import Goal, Judged
    from likely.tuning.search import Options, Search
    from likely.types import Array, Mask, Places

_UNIT_LENGTH: Mapping[str, object] = {"variant": "nbsvm", "weighting": "tfidf", "idf": "smooth", "norm": "l2"}
LEARNED_SETTINGS: tuple[Mapping[str, object], ...] = (
    {**_UNIT_LENGTH, "tf": "raw", "min_documents": 2, "cost": 2.0},
    {**_UNIT_LENGTH, "tf": "raw", "min_documents": 2, "cost": 4.0},
    _UNIT_LENGTH,
    {"variant": "nbsvm", "cost": 0.1, "interpolation": 0.25},
)
"""The settings of the variant nbsvm to try. One of them is also tried with weights of classes."""
HARDLY = 1.0
"""If no measure was asked for, weights of classes may cost at most this many standard errors of accuracy."""
TOLERANCE = 0.003
"""How exactly the weights of trials are learned. On R8 no log-loss changes by more than 0.2 %; with 0.01 another is
chosen."""
FIRST_FOLDS = 2
"""If there are two classes, all settings are tried on this number of folds, so that two threads can work on them. If
there are more, one fold is enough."""
FEWEST_RACED = 1_000
"""If these folds have fewer documents, all settings are tried on all folds."""
BEHIND = 1.005
"""A setting that is not more accurate, and whose log-loss is this many times as large, is not tried on more folds."""


class Crossed:
    """Counts of all documents with the terms of a sample, for trials by cross-validation (nbsvm)."""

    def __init__(self, counts: Counts, sample: Sample, threads: int) -> None:
        self.counts, self.threads, self.labels = counts, threads, counts.live().labels
        self.gold = counts.live().places.of_all(sample.labels)
        self.worth = np.array(sample.worth)
        rows = rows_of(counts, sample.texts, threads)
        self.folded = Folded(
            counts, rows, self.gold.astype(np.uint32), folds_of(sample.groups), np.array(sample.times)
        )

    def judge(self, values: Options, goal: Goal) -> Judged:
        """A trial of options for the variant nbsvm."""
        return self.race([values], goal)[0]

    def race(self, settings: Sequence[Options], goal: Goal) -> list[Judged]:
        """The trials of the settings that are not behind after the first folds: only they are tried on the others."""
        folds, first = range(len(self.folded)), FIRST_FOLDS if len(self.labels) == 2 else 1
        seen = self.folded.held < first
        racers = [Racer(each, self._by(each), np.zeros((len(seen), len(self.labels)))) for each in settings]
        for each in racers:
            each.joint += each.scored.scores(folds[:first], self.threads, TOLERANCE)
        if len(racers) > 1 and seen.sum() >= FEWEST_RACED:
            judged = [self._judged(each, seen, goal) for each in racers]
            best = goal.best(judged)
            racers = list(compress(racers, [each is best or not is_behind(each, best, goal) for each in judged]))
        for each in racers:
            each.joint += each.scored.scores(folds[first:], self.threads, TOLERANCE)
        return [self._judged(each, np.ones(len(seen), np.bool_), goal) for each in racers]

    def _by(self, values: Options) -> FoldedScores:
        rules = Rules.of(values)
        return self.folded.by(rules, "presence" if rules.presence else counted_as(values)[0])

    def _judged(self, racer: Racer, some: Mask, goal: Goal) -> Judged:
        left = LeftOut(racer.joint[some], np.ones(int(some.sum())), self.worth[some])
        judged = judge(left, self.gold[some], self.labels, racer.values, "cross-validation", goal, self.threads)
        return replace(judged, left=left)


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
    """The best trial among the best one so far and those of `LEARNED_SETTINGS`, and the gold classes of the sample.

    Stemming is taken over from the best trial so far: leave-one-out tests it better than cross-validation.
    """
    stem = {name: value for name, value in best.trial.options.items() if name == "stem"}
    settings = [{"ngrams": NGRAMS, **setting, **stem} for setting in LEARNED_SETTINGS]
    values = [found for found in map(search.values, settings) if found is not None]
    if not values:
        return best, np.zeros(0, np.intp)
    counts = search.material.count({"ngrams": NGRAMS, **search.given, **stem})
    crossed = Crossed(counts, sample, search.threads)
    raced = crossed.race(values, search.goal)
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

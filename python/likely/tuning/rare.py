"""Weights of classes, which are tried where a class is rare and hardly ever predicted.

Smoothing adds the same number to the counts of every class, so it drowns a class with few documents. Weights make the
counts of the classes similar, and rare classes are then told apart better from the others. That costs accuracy, so
they are tried only if a class would hardly be found without them, or if its F1 is what the model is tuned for.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from likely.scoring.calibration_record import calibrated_scores
from likely.scoring.threshold_choice import Unseen
from likely.scoring.threshold_record import MOST_LOST, has_rare_class, rare_f1, rarely_found
from likely.tuning.judge import Counted, Goal, judge

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.scoring.leave_one_out import LeftOut
    from likely.tuning.judge import Judged
    from likely.types import Label, Places

CLASS_WEIGHTS = ("sqrt_balanced", "balanced")
"""The weights of classes to try."""
JUDGED = 10_000
"""The largest number of documents on which they are tried: no document is left out as fast as without weights."""
GAIN = 0.02
"""By how much the mean F1 of the rare classes must rise, if it is not what the model is tuned for."""


def has_rare(gold: Places) -> bool:
    """Whether one of the classes is rare, from the class of each document.

    Examples
    --------
    >>> has_rare(np.array([0, 0, 1])), has_rare(np.array([0, 0, 0, 0, 1]))
    (False, True)
    """
    return has_rare_class(np.unique(gold, return_counts=True)[1].astype(np.float64))


@dataclass(frozen=True)
class RareGoal:
    """What weights of classes are chosen by: the F1 of rare classes that is possible without losing much accuracy."""

    labels: list[Label]
    """The classes that are hardly ever predicted."""
    least_accuracy: float
    gain: float
    threads: int

    @classmethod
    def of(cls, left: LeftOut, counted: Counted, goal: Goal) -> RareGoal | None:
        """The goal for documents with these scores; None if weights of classes would not help it."""
        unseen = unseen_of(left, counted)
        one = goal.of_class(counted.labels)
        labels = rarely_found(unseen) if one is None else [one]
        accuracy = float(np.average(left.joint.argmax(axis=1) == counted.gold, weights=left.times))
        least, gain = (accuracy - MOST_LOST, GAIN) if one is None else (0.0, 0.0)
        return cls(labels, least, gain, counted.threads) if labels else None

    def judge(self, counted: Counted, values: Mapping[str, object]) -> Judged:
        """The trial of options; its value is the mean F1 of the rare classes."""
        left = counted.left_out(values)
        judged = judge(left, counted.gold, counted.labels, values, "leave-one-out", Goal(), self.threads)
        value = rare_f1(unseen_of(left, counted), self.labels, self.least_accuracy)
        return replace(judged, trial=replace(judged.trial, value=value))


def unseen_of(left: LeftOut, counted: Counted) -> Unseen:
    """The documents with their calibrated probabilities."""
    return Unseen(*calibrated_scores(left, counted.gold, counted.threads), counted.labels)

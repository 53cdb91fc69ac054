"""Decisions: which class is predicted, if some classes have a threshold of their own.

A class with a threshold is predicted if its probability reaches the threshold. If several classes do, the one with
the largest probability / threshold is predicted. If none does, it is the most probable of the classes without a
threshold; if every class has one, it is the class with the largest probability / threshold. So equal thresholds for
all classes change nothing, and a low threshold for one class makes it more frequent, at the expense of all others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from likely.class_places import ClassPlaces, label_like
from likely.errors import OptionError, UnknownClassError
from likely.labels import python_label
from likely.options.kinds import is_costs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from likely.types import Array, Label, Places, Thresholds

LEAST_POSITIVE = float(np.finfo(np.float64).tiny)
"""The log-odds of a document that just reaches the threshold of the second class, for which `predict` decides."""


@dataclass(frozen=True, eq=False)
class Decision:
    """The thresholds of the classes: one per class, NaN for a class without a threshold.

    Examples
    --------
    >>> decision = Decision(np.array([np.nan, 0.3]))
    >>> decision.places(np.log([[0.6, 0.4], [0.8, 0.2]]))
    array([1, 0])
    """

    thresholds: Array

    @cached_property
    def _own(self) -> Places:
        """The places of the classes with a threshold."""
        return np.flatnonzero(~np.isnan(self.thresholds))

    @cached_property
    def _others(self) -> Places:
        return np.flatnonzero(np.isnan(self.thresholds))

    @cached_property
    def _logs(self) -> Array:
        logs: Array = np.log(self.thresholds[self._own])
        return logs

    def places(self, log_probabilities: Array) -> Places:
        """The place of the class that is predicted, per row."""
        above = log_probabilities[:, self._own] - self._logs
        best: Places = self._own[above.argmax(axis=1)]
        if not len(self._others):
            return best
        others = self._others[log_probabilities[:, self._others].argmax(axis=1)]
        return np.where(above.max(axis=1) >= 0, best, others)

    def log_odds(self, log_probabilities: Array) -> Array:
        """With two classes, the log-odds of the second beyond its threshold: above 0 where it is predicted.

        Examples
        --------
        >>> Decision(np.array([np.nan, 0.3])).log_odds(np.log([[0.7, 0.3], [0.8, 0.2]])).round(2)
        array([ 0.  , -0.54])
        """
        first, second = self.thresholds.tolist()
        # Of one threshold t of the second class, or of 1 - t of the first one; of two, the ratio decides.
        first = 1 - second if np.isnan(first) else first
        second = 1 - first if np.isnan(second) else second
        odds = log_probabilities[:, 1] - log_probabilities[:, 0] - (np.log(second) - np.log(first))
        is_second = self.places(log_probabilities) == 1
        agreeing: Array = np.where(is_second, np.maximum(odds, LEAST_POSITIVE), np.minimum(odds, 0.0))
        return agreeing

    def by_class(self, labels: Sequence[Label]) -> dict[Label, float]:
        """The thresholds by class."""
        return {labels[place]: float(self.thresholds[place]) for place in self._own.tolist()}


def decided(log_probabilities: Array, decision: Decision | None) -> Places:
    """The place of the class that is predicted, per row; without a decision, that of the most probable class."""
    best: Places = log_probabilities.argmax(axis=1) if decision is None else decision.places(log_probabilities)
    return best


def decision_of(thresholds: Mapping[Label, float], labels: list[Label]) -> Decision | None:
    """The decision with these thresholds; None if there are none. ``OptionError`` if a class does not exist.

    Examples
    --------
    >>> decision_of({"spam": 0.3}, ["ham", "spam"]).by_class(["ham", "spam"])
    {'spam': 0.3}
    >>> decision_of({"spma": 0.3}, ["ham", "spam"])
    Traceback (most recent call last):
    likely.errors.OptionError: thresholds: the label 'spma' is not one of the classes 'ham', 'spam': did you mean
    'spam'?
    """
    found = np.full(len(labels), np.nan)
    for label, threshold in thresholds.items():
        found[labels.index(class_named(label, labels))] = threshold
    return Decision(found) if thresholds else None


def class_named(label: Label, labels: list[Label]) -> Label:
    """The class that a label of the option ``thresholds`` names; on the command line, numbers are texts too."""
    wanted = python_label(label)
    try:
        if isinstance(wanted, str):
            return label_like(wanted, labels)
        return labels[ClassPlaces(labels).of(wanted)]
    except UnknownClassError as error:
        raise OptionError(f"thresholds: {error}") from None


@dataclass(frozen=True)
class ChosenThresholds:
    """Thresholds that were chosen on documents, and the value of the option ``thresholds`` for which they were."""

    thresholds: dict[Label, float]
    wish: Thresholds | None


def are_given(thresholds: Thresholds | None) -> bool:
    """Whether a value of the option ``thresholds`` says the thresholds themselves, not what to choose them for."""
    return isinstance(thresholds, Mapping) and not is_costs(thresholds)

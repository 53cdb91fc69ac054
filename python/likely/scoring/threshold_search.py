"""Thresholds for all classes together, improved class by class until none can be improved.

If every class has a threshold, the class with the largest probability / threshold is predicted, so only the ratios of
the thresholds matter: they sum to 1, and equal ones predict the most probable class. With the thresholds of all
others fixed, the best threshold of a class is found exactly, by sorting the documents and cumulative sums.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

if TYPE_CHECKING:
    from likely.scoring.threshold_choice import Unseen
    from likely.types import Array, Label, Places

MOST_ROUNDS = 5
"""The thresholds of all classes are improved at most this often."""
FURTHEST = 700.0
"""The largest logarithm of a ratio of probabilities that is told from an infinite one."""
WIDEST = 27.0
"""The largest difference of the logarithms of two thresholds: a threshold is at least 1e-12."""
_BETTER = 1e-9


@dataclass(frozen=True, eq=False)
class Moves:
    """Documents in the order in which they move to a class as its threshold falls.

    Attributes
    ----------
    place : int
        The place of the class.
    gold, before : array
        The places of the gold class of each document, and of the class that it moves from.
    weights : array
        The weight of each document.
    classes : int
        The number of classes.
    """

    place: int
    gold: Places
    before: Places
    weights: Array
    classes: int

    def sums(self, of: Places, weights: Array) -> Array:
        """The sums of weights by class."""
        return np.bincount(of, weights=weights, minlength=self.classes).astype(np.float64)


class Measure(Protocol):
    """What thresholds are chosen for."""

    def values(self, moves: Moves) -> Array:
        """The measure after 0, 1, 2 ... documents have moved; higher is better."""


class MacroF1:
    """The mean F1 of the classes that have documents."""

    def values(self, moves: Moves) -> Array:
        """The macro F1 after 0, 1, 2 ... documents have moved."""
        weights, place = moves.weights, moves.place
        right = weights * (moves.gold == moves.before)
        size = moves.sums(moves.gold, weights)
        predicted, found = moves.sums(moves.before, weights), moves.sums(moves.before, right)
        # The documents by the class that they move from: what is left of this class after each of them.
        order = np.argsort(moves.before, kind="stable")
        of = moves.before[order]
        gone, lost = _sums_within(weights[order], of), _sums_within(right[order], of)
        after = _f1(found[of] - lost, predicted[of] - gone, size[of])
        before = _f1(found[of] - lost + right[order], predicted[of] - gone + weights[order], size[of])
        change = np.empty(len(of))
        change[order] = after - before
        own = _f1(_from_none(weights * (moves.gold == place)), _from_none(weights), size[place])
        values: Array = (own + _f1(found, predicted, size).sum() + _from_none(change)) / max((size > 0).sum(), 1)
        return values


@dataclass(frozen=True, eq=False)
class Costs:
    """The total cost, negative: one row of the matrix per gold class, one column per predicted class."""

    matrix: Array

    def values(self, moves: Moves) -> Array:
        """Minus the cost after 0, 1, 2 ... documents have moved."""
        before, after = self.matrix[moves.gold, moves.before], self.matrix[moves.gold, moves.place]
        values: Array = -(moves.weights * before).sum() - _from_none(moves.weights * (after - before))
        return values


def relative_thresholds(unseen: Unseen, measure: Measure, fewest: int) -> dict[Label, float]:
    """The thresholds of all classes, which sum to 1. Those of classes with fewer documents are not improved."""
    width = len(unseen.labels)
    logs = np.zeros(width)
    sizes = np.bincount(unseen.gold, minlength=width)
    for _ in range(MOST_ROUNDS):
        moved = [_improve(unseen, measure, logs, place) for place in np.flatnonzero(sizes >= fewest).tolist()]
        if not any(moved):
            break
    shares = np.exp(np.maximum(logs - logs.max(), -WIDEST))
    shares = np.clip(shares / shares.sum(), 1e-12, 1 - 1e-12)
    return dict(zip(unseen.labels, shares.tolist(), strict=True))


def _improve(unseen: Unseen, measure: Measure, logs: Array, place: int) -> bool:
    """Set the logarithm of the best threshold of one class. Return whether it was changed."""
    above = unseen.log_probabilities - logs
    own = above[:, place] + logs[place]
    above[:, place] = -np.inf
    before = above.argmax(axis=1)
    ratio = np.clip(own - above[np.arange(len(before)), before], -FURTHEST, FURTHEST)
    order = np.argsort(-ratio, kind="stable")
    falling = ratio[order]
    moves = Moves(place, unseen.gold[order], before[order], unseen.weights[order], len(logs))
    values = measure.values(moves)
    ends = np.flatnonzero(np.concatenate([[True], falling[1:] != falling[:-1], [True]]))
    now = int(np.searchsorted(-falling, -logs[place], side="right"))
    best = ends[values[ends].argmax()]
    if values[best] <= values[now] + _BETTER * max(1.0, abs(values[now])):
        return False
    # Beyond the last document, further away would change nothing but the precision of all other thresholds.
    bounds = np.concatenate([[falling[0] + 2], falling, [falling[-1] - 2]])
    logs[place] = (bounds[best] + bounds[best + 1]) / 2
    return True


def _f1(found: Array, predicted: Array, size: Array | float) -> Array:
    """F1 = 2 * found / (predicted + size); 0 for a class that neither occurs nor is predicted."""
    below = predicted + size
    values: Array = 2 * found / np.where(below > 0, below, 1.0)
    return values


def _from_none(values: Array) -> Array:
    """The sums of the first 0, 1, 2 ... values."""
    return np.concatenate([[0.0], np.cumsum(values)])


def _sums_within(values: Array, groups: Places) -> Array:
    """The running sums of values that start anew with each group; the groups are sorted."""
    sums = np.cumsum(values)
    first = np.searchsorted(groups, groups)
    running: Array = sums - (sums - values)[first]
    return running

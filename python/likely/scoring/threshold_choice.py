"""The choice of thresholds, on probabilities of documents from models that did not see them.

Each choice is an exact optimum over all thresholds of a class, found by sorting and cumulative sums. A threshold is
placed midway between the two neighbouring documents. For a class with fewer than `FEWEST` documents nothing is
chosen, because the optimum for a few documents says little about others.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np

from likely.errors import LengthError, OptionError
from likely.formulas import log_posterior
from likely.options.kinds import is_costs
from likely.scoring.decisions import class_named
from likely.scoring.threshold_search import Costs, MacroF1, relative_thresholds

if TYPE_CHECKING:
    from collections.abc import Mapping

    from likely.scoring.calibration import Calibration
    from likely.scoring.leave_one_out import LeftOut
    from likely.types import Array, Label, Mask, Places, Thresholds

FEWEST = 5
"""For a class with fewer documents, a threshold is not chosen."""
CLOSEST = 1e-12
"""A threshold is at least this far from 0 and from 1."""


@dataclass(frozen=True, eq=False)
class Unseen:
    """Documents that the models which judged them did not see.

    Attributes
    ----------
    log_probabilities : array
        One row per document, one column per class.
    gold : array
        The place of the gold class, per document.
    weights : array
        The weight of each document.
    labels : list
        The classes.
    """

    log_probabilities: Array
    gold: Places
    weights: Array
    labels: list[Label]

    @classmethod
    def of(cls, left: LeftOut, gold: Places, calibration: Calibration | None, labels: list[Label]) -> Unseen:
        """The documents of leave-one-out scores; calibrated if there is a calibration.

        A document that is the only one of its class is left out, as it is when a calibration is fitted.
        """
        known = np.isfinite(left.joint[np.arange(len(gold)), gold])
        if not known.any():
            raise LengthError("there is nothing to choose thresholds on: each document is the only one of its class")
        left, gold = left.of(known), gold[known]
        if calibration is None:
            logs = log_posterior(left.joint, np.zeros(len(labels)))
        else:
            logs = calibration.log_probabilities(left.joint, left.length)
        return cls(logs, gold, left.weights / left.weights.mean(), labels)  # as numbers of documents

    def of_class(self, label: Label) -> Cuts:
        """The cuts of one class."""
        place = self.labels.index(label)
        others = self.log_probabilities.copy()
        others[:, place] = -np.inf
        else_right = others.argmax(axis=1) == self.gold
        probabilities = np.exp(self.log_probabilities[:, place])
        return cuts(probabilities, self.gold == place, self.weights, else_right)


@dataclass(frozen=True, eq=False)
class Cuts:
    """What every threshold of a class leads to. The first cut predicts the class for no document, the last for all.

    Attributes
    ----------
    above, below : array
        The probabilities of the neighbouring documents above and below each threshold, decreasing.
    found : array
        The weight of the documents of the class that reach each threshold.
    predicted : array
        The weight of all documents that reach it.
    right : array
        The weight of the documents that are then predicted right, of all classes.
    of_class, documents : float
        The weight of the documents of the class, and their number.
    """

    above: Array
    below: Array
    found: Array
    predicted: Array
    right: Array
    of_class: float
    documents: int

    def threshold(self, at: int) -> float:
        """The threshold of a cut: about midway between the two documents, with as few digits as possible."""
        above, below = float(self.above[at]), float(self.below[at])
        middle = min(max((above + below) / 2, CLOSEST), 1 - CLOSEST)
        rounded = (float(f"{middle:.{digits}g}") for digits in range(2, 17))
        return next((value for value in rounded if below < value < above), middle)

    @property
    def f1(self) -> Array:
        """The F1 of the class for each threshold."""
        scores: Array = 2 * self.found / np.maximum(self.predicted + self.of_class, CLOSEST)
        return scores * self.is_reachable

    @property
    def is_reachable(self) -> Mask:
        """Whether each threshold is neither too close to 0 nor to 1."""
        reachable: Mask = (self.above > CLOSEST) & (self.below < 1 - CLOSEST)
        return reachable

    @property
    def precision(self) -> Array:
        """The precision of the class for each threshold; 0 if nothing is predicted."""
        shares: Array = self.found / np.where(self.predicted > 0, self.predicted, 1.0)
        return shares * self.is_reachable


def cuts(probabilities: Array, positive: Mask, weights: Array, else_right: Mask) -> Cuts:
    """The cuts of a class from the probabilities of documents that belong to it or not.

    ``else_right`` says which documents are predicted right if this class is not predicted for them.

    Examples
    --------
    >>> positive = np.array([True, False, True])
    >>> found = cuts(np.array([0.9, 0.1, 0.5]), positive, np.ones(3), ~positive)
    >>> found.threshold(2), found.f1.round(2).tolist(), found.right.tolist()
    (0.3, [0.0, 0.67, 1.0, 0.8], [1.0, 2.0, 3.0, 2.0])
    """
    order = np.argsort(-probabilities, kind="stable")
    falling, weights = probabilities[order], weights[order]
    positive, else_right = positive[order], else_right[order]
    bounds = np.concatenate([[1.0], falling, [0.0]])
    # Documents with equal probabilities are on the same side of every threshold.
    ends = np.flatnonzero(np.concatenate([[True], falling[1:] != falling[:-1], [True]]))
    gained = weights * (positive.astype(np.float64) - else_right)
    return Cuts(
        bounds[ends],
        bounds[ends + 1],
        _sums(weights * positive)[ends],
        _sums(weights)[ends],
        float((weights * else_right).sum()) + _sums(gained)[ends],
        float((weights * positive).sum()),
        int(positive.sum()),
    )


def _sums(values: Array) -> Array:
    """The sums of the first 0, 1, 2 ... values."""
    return np.concatenate([[0.0], np.cumsum(values)])


def choose_thresholds(wish: Thresholds, unseen: Unseen) -> dict[Label, float]:
    """The thresholds that suit a wish: a value of the option ``thresholds`` that does not give them itself.

    Examples
    --------
    >>> logs = np.log([[0.6, 0.4]] * 6 + [[0.8, 0.2]] * 6)
    >>> unseen = Unseen(logs, np.array([1] * 6 + [0] * 6), np.ones(12), ["ham", "spam"])
    >>> choose_thresholds("f1:spam", unseen)
    {'spam': 0.3}
    """
    if is_costs(wish):
        return relative_thresholds(unseen, Costs(_cost_matrix(wish, unseen.labels)), FEWEST)
    goal, _, name = cast("str", wish).partition(":")
    if goal == "macro-f1":
        return relative_thresholds(unseen, MacroF1(), FEWEST)
    name, _, least = name.rpartition("=") if goal == "precision" else (name, "", "")
    label = class_named(name, unseen.labels)
    found = unseen.of_class(label)
    if found.documents < FEWEST:
        raise OptionError(
            f"thresholds={wish!r}: there are only {found.documents} documents of the class {label!r} to choose a "
            f"threshold on, and {FEWEST} are needed: give it yourself, such as {{{label!r}: 0.3}}"
        )
    return {label: precise_threshold(found, float(least), label) if least else f1_threshold(found)}


def f1_threshold(found: Cuts) -> float:
    """The threshold with the best F1; of equally good ones the highest."""
    return found.threshold(int(found.f1.argmax()))


def precise_threshold(found: Cuts, least: float, label: Label) -> float:
    """The lowest threshold whose precision reaches a number, if at least `FEWEST` documents reach the threshold."""
    precision = np.where(found.predicted >= FEWEST, found.precision, 0.0)
    enough = np.flatnonzero(precision >= least)
    if not len(enough):
        best = int(precision.argmax())
        raise OptionError(
            f"a precision of {least:g} is out of reach for the class {label!r}: the best is {precision[best]:.4g}, "
            f"from a probability of {found.threshold(best):.4g} on"
        )
    return found.threshold(int(enough[-1]))


def _cost_matrix(costs: Mapping[tuple[object, object], float], labels: list[Label]) -> Array:
    """The costs: one row per gold class, one column per predicted class."""
    matrix = np.zeros((len(labels), len(labels)))
    for pair, cost in costs.items():
        gold, predicted = (labels.index(class_named(cast("Label", label), labels)) for label in pair)
        matrix[gold, predicted] = cost
    return matrix

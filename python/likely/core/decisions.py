"""Decisions: which class is predicted, if some classes have a threshold of their own.

A class with a threshold is predicted if its probability reaches the threshold. If several classes do, the one with
the largest probability / threshold is predicted. If none does, it is the most probable of the classes without a
threshold; if every class has one, it is the class with the largest probability / threshold. So equal thresholds for
all classes change nothing, and a low threshold for one class makes it more frequent, at the expense of all others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, cast

import numpy as np

from likely.core.calibration import RAW, Calibration, Coverage, fit_calibration
from likely.errors import ArgumentError, LabelError, OptionError
from likely.labels import ClassPlaces, coded, label_like, python_label
from likely.options.compound import criterion_of, reject_label_of
from likely.options.kinds import is_costs
from likely.terminal import UNSURE, cut, named, printable, table, wrapped

if TYPE_CHECKING:
    from likely.core.leave_one_out import LeftOut
    from likely.core.rules import Rules
    from likely.reading.rows import Sample
    from likely.types import Abstain, Array, Label, Mask, Places, Thresholds


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
        return np.log(self.thresholds[self._own])

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
    return log_probabilities.argmax(axis=1) if decision is None else decision.places(log_probabilities)


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
    except LabelError as error:
        raise OptionError(f"thresholds: {error}") from None


@dataclass(frozen=True)
class ChosenThresholds:
    """Thresholds that were chosen on documents, for probabilities with some rules.

    ``wish`` is the value of the option ``thresholds`` for which they were chosen.
    """

    thresholds: Mapping[Label, float]
    wish: Thresholds | None
    rules: Rules


def are_given(thresholds: Thresholds | None) -> bool:
    """Whether a value of the option ``thresholds`` says the thresholds themselves, not what to choose them for."""
    return isinstance(thresholds, Mapping) and not is_costs(thresholds)


@dataclass(frozen=True)
class Threshold:
    """The least probability and the least margin of a class that is returned.

    If the classes have thresholds of their own, these decide first: what is asked here is the probability of the
    predicted class, which need not be the most probable one.

    A text without known words never gets a class.

    Attributes
    ----------
    probability : float
        The least probability of the predicted class.
    margin : float
        The least difference between the probabilities of the predicted class and the best other class.
    """

    probability: float = 0.0
    margin: float = 0.0

    def unsure(self, log_probabilities: Array, length: Array, best: Places) -> Mask:
        """Whether the model abstains, for each text; ``best`` are the places of the predicted classes.

        Examples
        --------
        >>> import numpy as np
        >>> probabilities = np.log([[0.7, 0.3], [0.9, 0.1], [0.9, 0.1]])
        >>> Threshold(probability=0.8).unsure(probabilities, np.array([5.0, 5.0, 0.0]), np.zeros(3, np.intp))
        array([ True, False,  True])
        """
        rows = np.arange(len(best))
        top = np.exp(log_probabilities[rows, best])
        others = log_probabilities.copy()
        others[rows, best] = -np.inf
        next_best = np.exp(others.max(axis=1))
        unsure: Mask = (length == 0) | (top < self.probability)
        # A class that is predicted because of its threshold may have a negative margin.
        return unsure | (top - next_best < self.margin) if self.margin > 0 else unsure


def fitting_reject_label(labels: Sequence[Label], reject_label: Label) -> Label:
    """``reject_label`` as one of the labels. The command line has only text, which may stand for a number.

    Raise ``OptionError`` if it is one of the classes, or of another type than they are.

    Examples
    --------
    >>> fitting_reject_label(["good", "bad"], "unsure"), fitting_reject_label([1, 2], "-1")
    ('unsure', -1)
    >>> fitting_reject_label(["good", "unsure"], "unsure")
    Traceback (most recent call last):
    likely.errors.OptionError: abstain: the label 'unsure' is one of the classes; give a label that no class has
    """
    label = python_label(reject_label)  # it may be a number or a text of numpy
    if isinstance(label, str) and type(labels[0]) is int:
        with suppress(LabelError):
            label = coded([label]).as_kind(int).values[0]
    if label in labels:
        raise OptionError(
            f"abstain: the label {reject_label!r} is one of the classes; give a label that no class has"
        )
    kind, wanted = type(label).__name__, type(labels[0]).__name__
    if kind != wanted:
        instead = "give one of their type"
        if wanted == "bool":
            instead = "bool has no third value, so train on text or numbers"
        raise OptionError(
            f"abstain: the label {reject_label!r} is of type {kind}, but the labels are of type {wanted}: {instead}"
        )
    return label


def check_unsure(classes: Iterable[object], abstain: Abstain | None) -> None:
    """Raise ``OptionError`` if a table could not tell a class from an abstention.

    Examples
    --------
    >>> check_unsure(["sure", "unsure"], {"probability": 0.9, "label": "nobody knows"})
    >>> check_unsure(["sure", "unsure"], 0.9)
    Traceback (most recent call last):
    likely.errors.OptionError: a class is named 'unsure', as tables name an abstention: give abstain a label
    """
    if abstain and reject_label_of(abstain) is None and UNSURE in map(str, classes):
        raise OptionError(f"a class is named {UNSURE!r}, as tables name an abstention: give abstain a label")


def threshold_of(abstain: Abstain | None, learned: Sequence[Coverage] | None) -> Threshold | None:
    """The threshold for a value of the option ``abstain``; None if the model never abstains.

    ``learned`` is the coverage curve of the training data, which a calibrated model has.

    Examples
    --------
    >>> from likely.core.calibration import Coverage
    >>> threshold_of(0.9, None)
    Threshold(probability=0.9, margin=0.0)
    >>> threshold_of({"margin": 0.2}, None)
    Threshold(probability=0.0, margin=0.2)
    >>> threshold_of({"precision": 0.95}, [Coverage(0.7, 0.8, 0.96), Coverage(0.5, 1.0, 0.9)])
    Threshold(probability=0.7, margin=0.0)
    """
    criterion = criterion_of(abstain)
    if criterion is None:
        return None
    way, bound = criterion
    return Threshold(**{way: bound}) if way != "precision" else Threshold(probability=_precise(bound, learned))


def _precise(target: float, learned: Sequence[Coverage] | None) -> float:
    if not learned:
        raise OptionError(
            "abstaining by precision needs a calibrated model: train with calibrate=True (--calibrate), or give "
            "abstain a probability"
        )
    enough = [row for row in learned if row.accuracy is not None and row.accuracy >= target]
    if not enough:
        best = max(row.accuracy or 0.0 for row in learned)
        raise OptionError(f"a precision of {target:g} is out of reach: the best on the training data is {best:.4g}")
    return max(enough, key=lambda row: row.coverage).threshold


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


def macro_f1(moves: Moves) -> Array:
    """The mean F1 of the classes that have documents, after 0, 1, 2 ... documents have moved."""
    weights, place = moves.weights, moves.place
    right = weights * (moves.gold == moves.before)
    size = moves.sums(moves.gold, weights)
    predicted, found = moves.sums(moves.before, weights), moves.sums(moves.before, right)
    # The documents by the class that they move from: what is left of this class after each of them.
    order = np.argsort(moves.before, kind="stable")
    of = moves.before[order]
    gone, lost = _sums_within(weights[order], of), _sums_within(right[order], of)
    after = _share(2 * (found[of] - lost), predicted[of] - gone + size[of])
    before = _share(2 * (found[of] - lost + right[order]), predicted[of] - gone + weights[order] + size[of])
    change = np.empty(len(of))
    change[order] = after - before
    own = _share(2 * _from_none(weights * (moves.gold == place)), _from_none(weights) + size[place])
    values: Array = (own + _share(2 * found, predicted + size).sum() + _from_none(change)) / max((size > 0).sum(), 1)
    return values


def saved_costs(matrix: Array, moves: Moves) -> Array:
    """Minus the total cost after 0, 1, 2 ... documents have moved.

    The matrix has one row per gold class, one column per predicted class.
    """
    before, after = matrix[moves.gold, moves.before], matrix[moves.gold, moves.place]
    values: Array = -(moves.weights * before).sum() - _from_none(moves.weights * (after - before))
    return values


def relative_thresholds(unseen: Unseen, measure: Callable[[Moves], Array], fewest: int) -> dict[Label, float]:
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


def _improve(unseen: Unseen, measure: Callable[[Moves], Array], logs: Array, place: int) -> bool:
    """Set the logarithm of the best threshold of one class. Return whether it was changed."""
    above = unseen.log_probabilities - logs
    own = above[:, place] + logs[place]
    above[:, place] = -np.inf
    before = above.argmax(axis=1)
    ratio = np.clip(own - above[np.arange(len(before)), before], -FURTHEST, FURTHEST)
    order = np.argsort(-ratio, kind="stable")
    falling = ratio[order]
    moves = Moves(place, unseen.gold[order], before[order], unseen.weights[order], len(logs))
    values = measure(moves)
    ends = np.flatnonzero(np.concatenate([[True], falling[1:] != falling[:-1], [True]]))
    now = int(np.searchsorted(-falling, -logs[place], side="right"))
    best = ends[values[ends].argmax()]
    if values[best] <= values[now] + _BETTER * max(1.0, abs(values[now])):
        return False
    # Beyond the last document, further away would change nothing but the precision of all other thresholds.
    bounds = np.concatenate([[falling[0] + 2], falling, [falling[-1] - 2]])
    logs[place] = (bounds[best] + bounds[best + 1]) / 2
    return True


def _from_none(values: Array) -> Array:
    """The sums of the first 0, 1, 2 ... values."""
    return np.concatenate([[0.0], np.cumsum(values)])


def _sums_within(values: Array, groups: Places) -> Array:
    """The running sums of values that start anew with each group; the groups are sorted."""
    sums = np.cumsum(values)
    first = np.searchsorted(groups, groups)
    return sums - (sums - values)[first]


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
            raise ArgumentError("cannot choose thresholds: every class has only one distinct document")
        left, gold = left.of(known), gold[known]
        logs = (calibration or RAW).log_probabilities(left.joint, left.length)
        return cls(logs, gold, left.weights / left.weights.mean(), labels)  # as numbers of documents

    @classmethod
    def calibrated(cls, left: LeftOut, gold: Places, labels: list[Label], threads: int = 1) -> Unseen:
        """The documents with the probabilities of a calibration that is fitted to them."""
        return cls.of(left, gold, fit_calibration(left.joint, left.length, gold, threads, left.times), labels)

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
        return (self.above > CLOSEST) & (self.below < 1 - CLOSEST)

    @property
    def precision(self) -> Array:
        """The precision of the class for each threshold; 0 if nothing is predicted."""
        return _share(self.found, self.predicted) * self.is_reachable


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
        _from_none(weights * positive)[ends],
        _from_none(weights)[ends],
        float((weights * else_right).sum()) + _from_none(gained)[ends],
        float((weights * positive).sum()),
        int(positive.sum()),
    )


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
        return relative_thresholds(unseen, partial(saved_costs, _cost_matrix(wish, unseen.labels)), FEWEST)
    goal, _, name = cast("str", wish).partition(":")
    if goal == "macro-f1":
        return relative_thresholds(unseen, macro_f1, FEWEST)
    name, _, least = name.rpartition("=") if goal == "precision" else (name, "", "")
    label = class_named(name, unseen.labels)
    found = unseen.of_class(label)
    if found.documents < FEWEST:
        raise OptionError(
            f"thresholds={wish!r}: there are only {found.documents} documents of the class {label!r} to choose a "
            f"threshold on, and {FEWEST} are needed: give it yourself, such as {{{label!r}: 0.3}}"
        )
    if least:
        return {label: precise_threshold(found, float(least), label)}
    return {label: found.threshold(int(found.f1.argmax()))}  # of equally good ones the highest


def precise_threshold(found: Cuts, least: float, label: Label) -> float:
    """The lowest threshold whose precision reaches a number, if at least `FEWEST` documents reach the threshold."""
    precision = np.where(found.predicted >= FEWEST, found.precision, 0.0)
    enough = np.flatnonzero(precision >= least)
    if not len(enough):
        best = int(precision.argmax())
        raise OptionError(
            f"a precision of {least:g} is out of reach for the class {label!r}: the best is {precision[best]:.4g}, "
            f"at a threshold of {found.threshold(best):.4g}"
        )
    return found.threshold(int(enough[-1]))


def _cost_matrix(costs: Mapping[tuple[object, object], float], labels: list[Label]) -> Array:
    """The costs: one row per gold class, one column per predicted class."""
    matrix = 1 - np.eye(len(labels))
    for pair, cost in costs.items():
        gold, predicted = (labels.index(class_named(cast("Label", label), labels)) for label in pair)
        matrix[gold, predicted] = cost
    return matrix


DECIDED_ON = 20_000
"""The largest number of documents to choose thresholds on. Rare classes have few among them."""
RARE = 0.5
"""A class is rare if it has less than this many times the average number of documents per class."""
RARELY_FOUND = 0.2
"""A class is hardly ever predicted if less than this share of its documents is found."""
FEWEST_MISSED = 10
"""With fewer documents of a class, its recall is not known well enough to say so."""
MOST_LOST = 0.02
"""By default, thresholds may cost at most this much accuracy."""


MOST_PROBABILITIES = 4_000_000
"""The largest number of probabilities, documents times classes, to choose thresholds on."""


MOST_CHARACTERS = 8_000_000
"""The largest number of characters of all texts to choose thresholds on, if there are enough documents."""
ENOUGH = 2_000
"""At least this many documents are used, if there are as many, however long they are."""


def has_rare_class(documents: Array) -> bool:
    """Whether one of the classes is rare, from the number of documents of each.

    Examples
    --------
    >>> has_rare_class(np.array([90.0, 100.0])), has_rare_class(np.array([30.0, 100.0]))
    (False, True)
    """
    return bool(documents.min() < RARE * documents.mean())


def to_decide(sample: Sample, classes: int) -> Sample:
    """The first documents of a sample: as many as thresholds of this many classes are chosen on.

    Examples
    --------
    >>> from likely.reading.rows import Sample
    >>> size = 6_000
    >>> sample = Sample(["x" * 2_000] * size, ["+"] * size, [1.0] * size, list(range(size)), [1] * size, size, size)
    >>> len(to_decide(sample, 2)), len(to_decide(sample, 2_000))
    (4000, 2000)
    """
    sizes = np.cumsum([len(text) for text in sample.texts])
    short = max(int(np.searchsorted(sizes, MOST_CHARACTERS, side="right")), ENOUGH)
    return sample.first(min(DECIDED_ON, short, max(MOST_PROBABILITIES // max(classes, 1), 1)))


@dataclass(frozen=True)
class ClassDecision:
    """One class before and after the choice of thresholds.

    Attributes
    ----------
    label : str, int or bool
        The class.
    documents : int
        The number of its documents, of those that were judged.
    threshold : float or None
        Its decision threshold, if it has one.
    recall, precision, f1 : (float, float)
        The measures for the most probable class, and with the thresholds; 0 if they are not defined.
    """

    label: Label
    documents: int
    threshold: float | None
    recall: tuple[float, float]
    precision: tuple[float, float]
    f1: tuple[float, float]

    @property
    def is_rarely_found(self) -> bool:
        """Whether the class is hardly ever predicted, with the thresholds."""
        return self.documents >= FEWEST_MISSED and self.recall[1] < RARELY_FOUND


@dataclass(frozen=True)
class ThresholdChoice:
    """The thresholds that were chosen, and what they change for documents that the model had not seen.

    Attributes
    ----------
    thresholds : dict
        The thresholds by class.
    is_asked : bool
        Whether the caller asked for them.
    documents : int
        The number of documents that were judged.
    accuracy : (float, float)
        The accuracy of the most probable classes, and with the thresholds.
    classes : list of ClassDecision
        The classes with a threshold, and those that are hardly ever predicted.
    """

    thresholds: dict[Label, float]
    is_asked: bool
    documents: int
    accuracy: tuple[float, float]
    classes: list[ClassDecision]

    @property
    def rarely_found(self) -> list[ClassDecision]:
        """The classes that are hardly ever predicted, with the thresholds."""
        return [each for each in self.classes if each.is_rarely_found]

    def to_dict(self) -> dict[str, object]:
        """All fields as plain data."""
        return {
            "documents": self.documents,
            "accuracy": list(self.accuracy),
            "classes": [
                {"class" if name == "label" else name: value for name, value in asdict(each).items()}
                | {"rarely_found": each.is_rarely_found}
                for each in self.classes
            ],
        }


def threshold_choice(wish: Thresholds | None, unseen: Unseen, *, weighted: bool = False) -> ThresholdChoice:
    """The thresholds that suit a wish, or without one those for rare classes, and their measured effect.

    If classes are ``weighted``, a rare class has a threshold also if it is found often enough without one.

    Examples
    --------
    >>> from likely.core.decisions import Unseen
    >>> logs = np.log([[0.6, 0.4]] * 12 + [[0.8, 0.2]] * 90)
    >>> unseen = Unseen(logs, np.array([1] * 12 + [0] * 90), np.ones(102), ["ham", "spam"])
    >>> found = threshold_choice(None, unseen)
    >>> found.thresholds, found.classes[0].recall
    ({'spam': 0.3}, (0.0, 1.0))
    """
    chosen = rare_thresholds(unseen, weighted=weighted) if wish is None else choose_thresholds(wish, unseen)
    before = decided(unseen.log_probabilities, None)
    after = decided(unseen.log_probabilities, decision_of(chosen, unseen.labels))
    every = _classes(before, after, unseen, chosen)
    shown = [each for each in every if each.threshold is not None or each.is_rarely_found]
    accuracy = _accuracy(before, unseen), _accuracy(after, unseen)
    return ThresholdChoice(chosen, wish is not None, len(unseen.gold), accuracy, shown)


def rarely_found(unseen: Unseen) -> list[Label]:
    """The classes of which hardly any document is found, if the most probable class is predicted."""
    best = decided(unseen.log_probabilities, None)
    return [each.label for each in _classes(best, best, unseen, {}) if each.is_rarely_found]


def rare_f1(unseen: Unseen, labels: list[Label], least_accuracy: float) -> float:
    """The mean F1 of some classes, each at its best threshold with at least this accuracy; 0 if it has none."""
    found = []
    for label in labels:
        cut = unseen.of_class(label)
        at = _best_cut(cut, least_accuracy * unseen.weights.sum())
        found.append(0.0 if at is None else float(cut.f1[at]))
    return sum(found) / len(found)


def rare_thresholds(unseen: Unseen, *, weighted: bool = False) -> dict[Label, float]:
    """The thresholds of the classes that would hardly ever be predicted.

    Each is the one with the best F1 of its class among those that cost at most `MOST_LOST` of accuracy. If all of
    them together cost more, those that cost most are left out.
    """
    best = decided(unseen.log_probabilities, None)
    before = _accuracy(best, unseen)
    few = RARE * len(unseen.gold) / len(unseen.labels)
    rare = [
        each
        for each in _classes(best, best, unseen, {})
        if each.is_rarely_found or (weighted and FEWEST_MISSED <= each.documents < few)
    ]
    found: dict[Label, tuple[float, float]] = {}
    for each in rare:
        cut = unseen.of_class(each.label)
        at = _best_cut(cut, (before - MOST_LOST) * unseen.weights.sum())
        if at is not None and cut.f1[at] > each.f1[0] and cut.found[at] >= FEWEST:
            found[each.label] = float(cut.right[at]), cut.threshold(at)
    while found:
        chosen = {label: threshold for label, (_, threshold) in found.items()}
        after = _accuracy(decided(unseen.log_probabilities, decision_of(chosen, unseen.labels)), unseen)
        if after >= before - MOST_LOST:
            return chosen
        del found[min(found, key=lambda label: found[label][0])]
    return {}


def _best_cut(found: Cuts, least_right: float) -> int | None:
    """The cut with the best F1 among those that predict enough documents right."""
    allowed = found.right >= least_right
    return int(np.where(allowed, found.f1, -1.0).argmax()) if allowed.any() else None


def _accuracy(predicted: Places, unseen: Unseen) -> float:
    return float((unseen.weights * (predicted == unseen.gold)).sum() / unseen.weights.sum())


def _classes(before: Places, after: Places, unseen: Unseen, thresholds: Mapping[Label, float]) -> list[ClassDecision]:
    """All classes with two sets of predictions."""
    measures = [_measures(predicted, unseen) for predicted in (before, after)]
    pairs = list(zip(*measures, strict=True))
    sizes = np.bincount(unseen.gold, minlength=len(unseen.labels)).tolist()
    return [
        ClassDecision(
            label,
            sizes[place],
            thresholds.get(label),
            *((float(one[place]), float(other[place])) for one, other in pairs),
        )
        for place, label in enumerate(unseen.labels)
    ]


def _measures(predicted: Places, unseen: Unseen) -> tuple[Array, Array, Array]:
    """Recall, precision and F1 of each class; 0 if they are not defined."""
    width, weights = len(unseen.labels), unseen.weights
    right = weights * (predicted == unseen.gold)
    pairs = ((unseen.gold, right), (unseen.gold, weights), (predicted, weights))
    found, of_class, said = (np.bincount(of, weights=by, minlength=width).astype(np.float64) for of, by in pairs)
    return _share(found, of_class), _share(found, said), _share(2 * found, of_class + said)


def _share(part: Array, whole: Array) -> Array:
    """The shares; 0 of nothing, such as the F1 of a class that neither occurs nor is predicted."""
    return part / np.where(whole > 0, whole, 1.0)


MOST_CLASSES = 10
"""At most this many classes are shown."""
LONGEST_LABEL = 18
"""Longer labels are cut in the table, in columns of a terminal."""


def thresholds_text(choice: ThresholdChoice, *, details: bool = True) -> str:
    """What the thresholds change, and which classes are hardly ever predicted; '' if there is neither."""
    parts = [_chosen(choice) if details else _named(choice)] if choice.thresholds else []
    parts += [_warning(choice)] if choice.rarely_found else []
    return "\n\n".join(parts) if details else "\n".join(parts)


def _named(choice: ThresholdChoice) -> str:
    """The classes with a threshold, and how many more of their documents are found."""
    rows = [
        f"{printable(each.label)} {each.threshold:.2g} (recall {each.recall[0]:.0%} -> {each.recall[1]:.0%})"
        for each in choice.classes
        if each.threshold is not None
    ]
    return wrapped(f"Decision thresholds: {named(rows, MOST_CLASSES)}.")


def _chosen(choice: ThresholdChoice) -> str:
    shown = [each for each in choice.classes if each.threshold is not None]
    rows = [["", "documents", "threshold", "recall", "precision", "F1"]]
    rows += [_row(each) for each in shown[:MOST_CLASSES]]
    hidden = len(shown) - MOST_CLASSES
    more = [f"and {hidden:,} more"] if hidden > 0 else []
    before, after = choice.accuracy
    judged = f"Measured on {choice.documents:,} documents that the model had not seen, before and after"
    what = "as you asked" if choice.is_asked else "because they are rare"
    head = f"These classes have a threshold, {what}: from this probability on they are predicted, even if another"
    accuracy = f"The accuracy changes from {before:.4f} to {after:.4f}."
    off = "" if choice.is_asked else " --thresholds none predicts the most probable class instead."
    return "\n".join(
        [wrapped(f"{head} class is more probable. {judged}:"), table(rows), *more, wrapped(accuracy + off)]
    )


def _row(each: ClassDecision) -> list[str]:
    measures = [f"{before:.2f} -> {after:.2f}" for before, after in (each.recall, each.precision, each.f1)]
    return [cut(printable(each.label), LONGEST_LABEL), f"{each.documents:,}", f"{each.threshold:.4g}", *measures]


def _warning(choice: ThresholdChoice) -> str:
    rare = choice.rarely_found
    classes = named(
        rare,
        MOST_CLASSES,
        lambda each: f"{printable(each.label)} (recall {each.recall[1]:.2f} of {each.documents:,} documents)",
    )
    label = printable(rare[0].label)
    flags = f"--thresholds f1:{label}, --tune f1:{label} or --class-weight balanced"
    return wrapped(f"Warning: hardly ever predicted: {classes}. To find more of them: {flags}.")

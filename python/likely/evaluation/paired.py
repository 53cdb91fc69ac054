"""Two classifiers on the same documents: McNemar's test, and paired bootstrap intervals of their differences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from likely.evaluation.averages import mean_of_defined
from likely.evaluation.intervals import LEVEL, REPLICATES, SEED, Interval
from likely.evaluation.pairs import sums_by
from likely.evaluation.table import Tables

if TYPE_CHECKING:
    import numpy.typing as npt

    from likely.types import Array

    Integers = npt.NDArray[np.int64]

MOST_EXACT = 1_000
"""McNemar's test is exact up to this many documents that only one classifier gets right; then it is approximate."""
_AT_ONCE = 2_000_000
"""At most this many numbers are drawn at once, to bound the memory."""


class McNemar(NamedTuple):
    """McNemar's test of two classifiers on the same documents (McNemar 1947).

    If both were right equally often, each document that only one of them gets right would be that of the first or of
    the second with the same probability. ``p_value`` is the probability that the two numbers are then as unequal as
    they are, or more.

    Examples
    --------
    >>> round(mcnemar(2, 8).p_value, 6), mcnemar(2, 8).is_exact
    (0.109375, True)
    >>> mcnemar(0, 0).p_value
    1.0
    """

    only_first: int
    """The number of documents that only the first gets right."""
    only_second: int
    """The number of documents that only the second gets right."""
    p_value: float
    is_exact: bool
    """Whether the p-value is that of the binomial distribution. Otherwise it is that of chi-squared, with Edwards'
    correction for continuity (1948)."""


def mcnemar(only_first: int, only_second: int) -> McNemar:
    """McNemar's test for the numbers of documents that only the first, and only the second, gets right."""
    number = only_first + only_second
    if number <= MOST_EXACT:
        return McNemar(only_first, only_second, _binomial(min(only_first, only_second), number), True)
    statistic = (abs(only_first - only_second) - 1) ** 2 / number
    return McNemar(only_first, only_second, math.erfc(math.sqrt(statistic / 2)), False)


def _binomial(less: int, number: int) -> float:
    """The two-sided probability of at most ``less`` heads, or as few tails, in ``number`` tosses of a fair coin.

    Whole numbers of Python neither overflow nor round: only the last division does.
    """
    ways, term = 0, 1
    for heads in range(less + 1):
        ways += term
        term = term * (number - heads) // (heads + 1)
    return float(min(1.0, 2 * ways / (1 << number)))


class Outcomes(NamedTuple):
    """Documents by their gold class and the two predictions: one element per combination that occurs.

    Classes are places among ``classes`` classes; a prediction is -1 where a classifier abstained.
    """

    gold: Integers
    first: Integers
    second: Integers
    counts: Integers
    classes: int

    @property
    def documents(self) -> int:
        """The number of documents."""
        return int(self.counts.sum())


class Differences(NamedTuple):
    """By how much the second classifier is better than the first, by two measures."""

    accuracy: float
    macro_f1: float


def differences(outcomes: Outcomes) -> Differences:
    """The accuracy and the macro-F1 of the second classifier minus those of the first.

    Examples
    --------
    >>> gold, first, second = np.array([0, 1, 1]), np.array([0, 0, 1]), np.array([0, 1, 0])
    >>> differences(Outcomes(gold, first, second, np.array([5, 2, 1]), 2)).accuracy
    0.125
    """
    return Differences(*(float(value) for value in _differences(outcomes, outcomes.counts.astype(np.float64))))


def _differences(outcomes: Outcomes, counts: Array) -> tuple[Array, Array]:
    """Both differences, if these are the numbers of documents per combination; the last axis is the combinations."""
    first, second = (_measures(outcomes, predicted, counts) for predicted in (outcomes.first, outcomes.second))
    return second[0] - first[0], second[1] - first[1]


def _measures(outcomes: Outcomes, predicted: Integers, counts: Array) -> tuple[Array, Array]:
    """The accuracy and the macro-F1: the mean over the classes that have a gold label or a prediction."""
    gold, size = outcomes.gold, outcomes.classes
    right = np.flatnonzero(gold == predicted)
    tables = Tables(
        sums_by(gold[right], counts[..., right], size),
        sums_by(predicted, counts, size),
        sums_by(gold, counts, size),
        outcomes.documents,
    )
    return tables.tp.sum(axis=-1) / tables.documents, mean_of_defined(tables.f(1.0))


def difference_intervals(
    outcomes: Outcomes, replicates: int = REPLICATES, seed: int = SEED
) -> tuple[Interval, Interval]:
    """The paired bootstrap intervals of both differences: documents are drawn with both predictions.

    Documents of the same combination are exchangeable, so the numbers of each combination are drawn at once.

    Examples
    --------
    >>> same = Outcomes(np.array([0, 1]), np.array([0, 0]), np.array([0, 0]), np.array([5, 5]), 2)
    >>> difference_intervals(same)[0]
    Interval(low=0.0, high=0.0)
    """
    generator = np.random.default_rng(seed)
    shares = outcomes.counts / outcomes.counts.sum()
    step = max(1, _AT_ONCE // max(len(shares), outcomes.classes))
    parts = [
        _differences(outcomes, generator.multinomial(outcomes.documents, shares, size).astype(np.float64))
        for size in [step] * (replicates // step) + [replicates % step]
        if size
    ]
    accuracy, macro_f1 = (percentiles(np.concatenate(values)) for values in zip(*parts, strict=True))
    return accuracy, macro_f1


def percentiles(values: Array) -> Interval:
    """The interval in which the middle of the replicates lies, by its level."""
    beyond = 50 * (1 - LEVEL)
    low, high = np.percentile(values, [beyond, 100 - beyond]).tolist()
    return Interval(low, high)

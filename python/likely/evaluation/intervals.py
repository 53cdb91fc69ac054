"""95% intervals of the measures of an evaluation, by the bootstrap over documents."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from likely.core.calibration import share_interval
from likely.evaluation.measures import Numbers, Tables, measures_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from likely.evaluation.evaluation import Evaluation
    from likely.types import Array


SEED = 15
"""The seed of all bootstrap samples, so that the same data has the same intervals."""
REPLICATES = 1_000
"""The number of bootstrap samples."""
FEWEST_REPLICATES = 100
"""The number of bootstrap samples, if there are very many pairs of classes."""
LEVEL = 0.95
"""The share of the bootstrap samples whose measure lies within the interval."""
_MOST_DRAWS = 20_000_000
"""At most this many numbers are drawn for the pairs of classes; with more pairs there are fewer samples."""
_SHARES = ("accuracy", "accuracy_of_answered")
"""Measures that are shares of documents."""
_AT_ONCE = 2_000_000
"""At most this many numbers are drawn at once, to bound the memory."""


@dataclass(frozen=True)
class Interval:
    """Where a measure would probably be, if other documents of the same kind were evaluated.

    Attributes
    ----------
    low, high : float
        The ends of the interval of 95%.
    """

    low: float
    high: float

    def around(self, value: float) -> Interval:
        """The interval, widened where needed to contain the value."""
        return Interval(min(self.low, value), max(self.high, value))


def intervals(evaluation: Evaluation) -> dict[str, Interval]:
    """The 95% interval of each measure that is defined, by its name.

    They are percentile intervals of the bootstrap (Efron, *Bootstrap Methods: Another Look at the Jackknife*, 1979):
    what the measures are in `REPLICATES` samples of as many documents, drawn with replacement with a stated seed.
    The measures depend only on the number of documents per pair of a gold label and a prediction. These numbers are
    drawn from their multinomial distribution, which is the same as drawing a million documents one by one, and fast.
    A class that a sample lacks keeps the measures that it has in the data.

    If all documents are right, or none is, those of all samples are: the interval of the accuracy is then Wilson's
    (`likely.core.calibration.share_interval`). An interval always contains the value itself.

    In 200 simulated test sets of 600 documents, the intervals contained the true value 94 to 97 times in 100.
    """
    generator, counts = np.random.default_rng([SEED, 0]), evaluation.counts
    parts, size = [], len(evaluation.labels)
    for drawn in samples_of(counts, generator, replicates_for(len(counts)), size):
        samples = Tables.of(evaluation.gold, evaluation.predicted, drawn, size, evaluation.documents)
        parts.append(measures_of(samples, evaluation.beta, evaluation.tables))
    found = {}
    for name, whole in measures_of(evaluation.tables, evaluation.beta).items():
        value = float(whole)
        if name in _SHARES and value in (0, 1):
            of = evaluation.documents - (evaluation.abstained if name == "accuracy_of_answered" else 0)
            found[name] = Interval(*share_interval(value * of, of)).around(value)
        elif math.isfinite(value):
            values = np.concatenate([part[name] for part in parts])
            found[name] = percentiles(values[~np.isnan(values)]).around(value)
    return found


def replicates_for(pairs: int) -> int:
    """The number of bootstrap samples for this number of pairs of classes."""
    return min(max(_MOST_DRAWS // max(pairs, 1), FEWEST_REPLICATES), REPLICATES)


def samples_of(counts: Numbers, generator: np.random.Generator, replicates: int, classes: int) -> Iterator[Array]:
    """Bootstrap samples of documents of which there are kinds, some at a time.

    ``counts`` has the number of documents of each kind, and each row of a sample too. Documents of one kind are
    exchangeable, so all of them are drawn at once.
    """
    step, shares = max(_AT_ONCE // max(len(counts), classes), 1), counts / counts.sum()
    for begin in range(0, replicates, step):
        yield generator.multinomial(counts.sum(), shares, min(step, replicates - begin)).astype(np.float64)


def percentiles(values: Array) -> Interval:
    """The interval in which the middle of the replicates lies, by its level."""
    beyond = 50 * (1 - LEVEL)
    low, high = np.percentile(values, [beyond, 100 - beyond]).tolist()
    return Interval(low, high)

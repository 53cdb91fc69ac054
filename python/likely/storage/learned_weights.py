"""Learned weights (variant nbsvm) as a column of the table of counts, written and read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt

from likely.counting.arrow import AMOUNTS, Exact, Part, cuts_of, exact_table
from likely.counting.ragged import Ragged, starts_of
from likely.errors import ModelFileError
from likely.weighing.learned import Learned

if TYPE_CHECKING:
    import pyarrow as pa

    from likely.counting.counts import Counts, LiveClasses
    from likely.types import Array, Ids
    from likely.weighing.rules import Rules

T = TypeVar("T", bound=np.generic)


def weighed_table(counts: Counts, learned: Learned) -> pa.Table:
    """The table of counts with a column of weights.

    It also has rows for a term in a class in which it has a weight but does not occur.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> snapshot = NaiveBayes(variant="nbsvm").fit(["good", "bad"], ["+", "-"]).snapshot()
    >>> weighed_table(snapshot.counts, snapshot.learned).select(["term", "class", "count"]).to_pylist()[:2]
    [{'term': 'bad', 'class': '+', 'count': 0}, {'term': 'bad', 'class': '-', 'count': 1}]
    """
    live = counts.live()
    return exact_table(_parts(counts, live, learned), live.labels, weighed=True)


def _parts(counts: Counts, live: LiveClasses, learned: Learned) -> list[Part]:
    native, ids, width = counts.native, learned.ids, len(live.labels)
    parts = []
    for first, last in cuts_of(native.row_lengths(ids) + learned.lengths):
        terms, classes, *amounts = native.columns(ids[first:last], live.ranks)
        counted = Ragged.of_lengths(native.row_lengths(ids[first:last]))
        cells = slice(learned.starts[first], learned.starts[last])
        weighed = Ragged.of_lengths(learned.lengths[first:last])
        count_keys = counted.rows * width + classes
        weight_keys = weighed.rows * width + learned.classes[cells]
        keys = _united(count_keys, weight_keys)
        spread = [(_spread(a, keys, count_keys), _spread(b, keys, count_keys)) for a, b in amounts]
        parts.append(
            Part(
                terms.take(counted.starts[keys // width]),
                (keys % width).astype(np.uint32),
                dict(zip(AMOUNTS, spread, strict=True)),
                _spread(learned.weights[cells], keys, weight_keys),
            )
        )
    return parts


def _united(some: npt.NDArray[np.int64], others: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The distinct numbers of two sorted arrays, sorted."""
    both = np.concatenate([some, others])
    both.sort(kind="stable")
    return both[np.concatenate([[True], both[1:] != both[:-1]])] if len(both) else both


def _spread(values: npt.NDArray[T], keys: npt.NDArray[np.int64], given: npt.NDArray[np.int64]) -> npt.NDArray[T]:
    """One value per key: ``values`` for the ``given`` keys, 0 for all others."""
    spread = np.zeros(len(keys), values.dtype)
    spread[np.searchsorted(keys, given)] = values
    return spread


@dataclass
class WeighedRows:
    """The columns of a file with weights, collected batch by batch."""

    weights: list[npt.NDArray[np.float32]] = field(default_factory=list)
    classes: list[npt.NDArray[np.uint32]] = field(default_factory=list)
    counts: list[Exact] = field(default_factory=list)

    def learned(self, ids: Ids, lengths: npt.NDArray[np.int64], bias: Array, rules: Rules) -> Learned:
        """The learned weights of a file; ``lengths`` has the number of rows of each term."""
        every = np.concatenate([*self.weights, np.zeros(0, np.float32)])
        ranks = np.concatenate([*self.classes, np.zeros(0, np.uint32)])
        none = np.concatenate([*((whole | fraction) == 0 for whole, fraction in self.counts), np.zeros(0, np.bool_)])
        if not np.isfinite(every).all():
            raise ModelFileError("a weight is not a finite number")
        if (none & (every == 0)).any():
            raise ModelFileError("a count is 0")
        some = every != 0
        rows = Ragged.of_lengths(lengths).sum(some).astype(np.int64)
        return Learned(starts_of(rows), ids, ranks[some], every[some], bias, rules)

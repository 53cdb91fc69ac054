"""Weights that were learned beside the counts, as a column of their table and back."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, TypeVar

import numpy as np
import numpy.typing as npt

from likely.counting.arrow import AMOUNTS, PART, Exact, Part, exact_table
from likely.errors import ModelFileError
from likely.weighing.learned import Linear, starts_of

if TYPE_CHECKING:
    import pyarrow as pa

    from likely.counting.counts import Counts
    from likely.types import Array

T = TypeVar("T", bound=np.generic)


def weighed_table(counts: Counts, linear: Linear) -> pa.Table:
    """The table of counts with a further column, and further rows for terms that weigh where they do not occur.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> counts = NaiveBayes(variant="nbsvm").fit(["good", "bad"], ["+", "-"])._counts
    >>> weighed_table(counts, counts.linear).select(["term", "class", "count"]).to_pylist()[:2]
    [{'term': 'bad', 'class': '+', 'count': 0}, {'term': 'bad', 'class': '-', 'count': 1}]
    """
    live = counts.live()
    labels = [counts.index.labels[number] for number in live]
    return exact_table(_parts(counts, live, linear), labels, weighed=True)


def _parts(counts: Counts, live: list[int], linear: Linear) -> list[Part]:
    native = counts.native
    ids = linear.ids
    ranks = np.zeros(max(live, default=-1) + 1, np.uint32)
    ranks[live] = np.arange(len(live))
    ends = np.cumsum(native.row_lengths(ids) + np.diff(linear.starts))
    rows = int(ends[-1]) if len(ends) else 0
    cuts = np.unique([0, *np.searchsorted(ends, range(PART, rows, PART)), len(ids)])
    parts = []
    for first, last in itertools.pairwise(cuts):
        terms, classes, *amounts = native.columns(ids[first:last], ranks)
        counted = _Cells(native.row_lengths(ids[first:last]), classes, len(live))
        cells = slice(linear.starts[first], linear.starts[last])
        weighed = _Cells(np.diff(linear.starts[first : last + 1]), linear.classes[cells], len(live))
        keys = _united(counted.keys, weighed.keys)
        of_terms = starts_of(counted.lengths)[keys // len(live)]
        spread = [(_spread(a, keys, counted.keys), _spread(b, keys, counted.keys)) for a, b in amounts]
        parts.append(
            Part(
                terms.take(of_terms),
                (keys % len(live)).astype(np.uint32),
                dict(zip(AMOUNTS, spread, strict=True)),
                _spread(linear.weights[cells], keys, weighed.keys),
            )
        )
    return parts


class _Cells:
    """Cells of a table by number: row after row."""

    def __init__(self, lengths: npt.NDArray[np.int64], classes: npt.NDArray[np.uint32], width: int) -> None:
        self.lengths = lengths
        self.keys = np.repeat(np.arange(len(lengths)), lengths) * width + classes


def _united(some: npt.NDArray[np.int64], others: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """All numbers of two sorted arrays, sorted, each once."""
    both = np.concatenate([some, others])
    both.sort(kind="stable")
    return both[np.concatenate([[True], both[1:] != both[:-1]])] if len(both) else both


def _spread(values: npt.NDArray[T], keys: npt.NDArray[np.int64], own: npt.NDArray[np.int64]) -> npt.NDArray[T]:
    """The values of some cells among more, which have 0."""
    spread = np.zeros(len(keys), values.dtype)
    spread[np.searchsorted(keys, own)] = values
    return spread


def read_weights(
    weights: list[npt.NDArray[np.float32]],
    classes: list[npt.NDArray[np.uint32]],
    counts: list[Exact],
    ids: npt.NDArray[np.uint32],
    lengths: npt.NDArray[np.int64],
    bias: Array,
) -> Linear:
    """What a file says that was learned: weights, classes and counts of its rows; the terms, and the rows of each."""
    every = np.concatenate([*weights, np.zeros(0, np.float32)])
    ranks = np.concatenate([*classes, np.zeros(0, np.uint32)])
    none = np.concatenate([*((whole | fraction) == 0 for whole, fraction in counts), np.zeros(0, np.bool_)])
    if not np.isfinite(every).all():
        raise ModelFileError("a weight is no number")
    if (none & (every == 0)).any():
        raise ModelFileError("a count is 0")
    some = every != 0
    of_terms = np.repeat(np.arange(len(lengths)), lengths)[some]
    starts = starts_of(np.bincount(of_terms, minlength=len(lengths)))
    return Linear(ids, starts, ranks[some], every[some], bias, rules=None)

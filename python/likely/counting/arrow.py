"""Counts as columns: one row per term and class, sorted; as an Arrow table for those who want one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

from likely.extras import extra

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from likely import _native
    from likely.types import Array, Ids, Label

Exact: TypeAlias = tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]
"""Exact numbers: the whole part of each, and its fraction in units of 2^-64."""


@dataclass(frozen=True)
class CountColumns:
    """The columns of all counts.

    Attributes
    ----------
    terms
        The terms, sorted.
    lengths
        The number of rows of each term, which is the number of classes in which it occurs.
    ranks
        The rank of the class of each row among the sorted classes.
    count, documents
        The occurrences of the term in the class, and the documents that have it, per row. Numbers that are not whole
        are rounded to doubles.
    """

    terms: list[str]
    lengths: npt.NDArray[np.int64]
    ranks: Ids
    count: Array | npt.NDArray[np.int64]
    documents: Array | npt.NDArray[np.int64]


def read_columns(native: _native.Counts, ids: Ids, ranks: Ids) -> CountColumns:
    """The columns of the terms with these ids; ``ranks`` has the rank of each class, by its number.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> counts = NaiveBayes().fit(["a b", "a"], ["+", "-"]).snapshot().counts
    >>> columns = read_columns(counts.native, counts.sorted_ids(), counts.live().ranks)
    >>> columns.terms, columns.lengths, columns.ranks, columns.count
    (['a', 'b'], array([2, 1]), array([0, 1, 0], dtype=uint32), array([1, 1, 1]))
    """
    classes, *exact = native.columns(ids, ranks)
    count, documents = (whole_if_exact(whole + fraction * 2.0**-64) for whole, fraction in exact)
    return CountColumns(native.spell(ids), native.row_lengths(ids), classes, count, documents)


def arrow_table(columns: CountColumns, labels: Sequence[Label]) -> pa.Table:
    """The Arrow table with the columns term, class, count, documents."""
    pa = extra("pyarrow", "A table of counts")
    of_row = np.repeat(np.arange(len(columns.terms)), columns.lengths)
    return pa.table(
        {
            "term": pa.array(columns.terms, pa.string()).take(pa.array(of_row)),
            "class": label_array(labels).take(pa.array(columns.ranks)),
            "count": pa.array(columns.count),
            "documents": pa.array(columns.documents),
        }
    )


def label_array(labels: Sequence[Label]) -> pa.Array:
    """Labels of one type as an Arrow array.

    Examples
    --------
    >>> str(label_array([True, False]).type), str(label_array([]).type)
    ('bool', 'string')
    """
    pa = extra("pyarrow", "An Arrow array of labels")
    kinds = {str: pa.string(), int: pa.int64(), bool: pa.bool_()}
    return pa.array(labels, kinds[type(labels[0])] if labels else pa.string())


def whole_if_exact(values: Array) -> Array | npt.NDArray[np.int64]:
    """Counts as integers if all of them are whole numbers, else unchanged."""
    if not (np.abs(values) < 2.0**63).all():
        return values
    whole = values.astype(np.int64)
    return whole if (whole == values).all() else values

"""The rows in which counts travel between machines: one per term and class, of whole numbers that any engine adds.

| column | contents |
| --- | --- |
| ``term`` | the term; null in rows of totals |
| ``class`` | the label (string, int64 or bool); null in the row of bad rows |
| ``count``, ``documents`` | how often the term occurs in the class, and in how many of its documents (int64) |
| ``count_high``, ``count_low``, ``documents_high``, ``documents_low`` | the fractions: 32 bits each, as int64 |

The sum of 2^31 such rows still fits into 64 bits, whatever the order, so sums are exact. The columns of fractions are
left out if the options and the weights cannot make fractions (`makes_fractions`). A row without a term has the
documents of a class; a row without term and class has the number of bad rows as its count and that of all rows as its
documents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from likely.errors import LabelError
from likely.extras import extra

if TYPE_CHECKING:
    import numpy.typing as npt
    import pyarrow as pa

    from likely.core.analyzer import Analyzer
    from likely.core.counts import Exact

Parts: TypeAlias = "tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int64]]"
"""Exact numbers: the whole part of each, and the upper and the lower 32 bits of its fraction."""

AMOUNTS = ("count", "documents")
FRACTIONS = ("count_high", "count_low", "documents_high", "documents_low")
SLICE = 50_000
"""About the number of rows of a record batch of counts."""

_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


def makes_fractions(analyzer: Analyzer, *, weighted: bool) -> bool:
    """Whether counts may have fractions: documents have weights, or terms values that are not whole numbers.

    Examples
    --------
    >>> from likely.core.analyzer import Analyzer
    >>> from likely.options.table import with_defaults
    >>> [makes_fractions(Analyzer.of(with_defaults(o)), weighted=False) for o in ({}, {"weighting": "tfidf"})]
    [False, True]
    """
    return weighted or analyzer.value == "damped" or analyzer.is_scaled


def schema_of(label_type: pa.DataType, *, fractions: bool) -> pa.Schema:
    """The schema of rows of counts, for labels of this type.

    Examples
    --------
    >>> import pyarrow as pa
    >>> schema_of(pa.int32(), fractions=False).names, str(schema_of(pa.int32(), fractions=False).field("class").type)
    (['term', 'class', 'count', 'documents'], 'int64')
    """
    pa = extra("pyarrow", "Distributed counting")
    whole = [(name, pa.int64()) for name in (*AMOUNTS, *(FRACTIONS if fractions else ()))]
    return pa.schema([("term", pa.string()), ("class", class_type(label_type)), *whole])


def class_type(label_type: pa.DataType) -> pa.DataType:
    """The type of the column of classes, for a column of labels of this type; ``LabelError`` if it is not allowed."""
    pa = extra("pyarrow", "Distributed counting")
    types = pa.types
    if types.is_dictionary(label_type):
        label_type = label_type.value_type
    if types.is_string(label_type) or types.is_large_string(label_type) or types.is_string_view(label_type):
        return pa.string()
    if types.is_boolean(label_type):
        return pa.bool_()
    if types.is_integer(label_type) or types.is_floating(label_type):
        return pa.int64()
    raise LabelError(f"the labels are of type {label_type}: labels are text, whole numbers or bool")


def split(amounts: Exact) -> Parts:
    """Exact numbers as whole parts, and the upper and lower 32 bits of the fractions.

    Examples
    --------
    >>> split((np.array([7], np.uint64), np.array([2**63 + 1], np.uint64)))
    (array([7]), array([2147483648]), array([1]))
    """
    whole, fraction = amounts
    return whole.astype(np.int64), (fraction >> _HALF).astype(np.int64), (fraction & _LOW).astype(np.int64)


def joined(
    whole: npt.NDArray[np.int64], high: npt.NDArray[np.int64] | None, low: npt.NDArray[np.int64] | None
) -> Exact:
    """The exact numbers of sums of such parts, in which the parts may have outgrown 32 bits.

    Examples
    --------
    >>> joined(np.array([1]), np.array([2**33 + 5]), np.array([2**32 + 1]))
    (array([3], dtype=uint64), array([25769803777], dtype=uint64))
    """
    if high is None or low is None:
        return whole.astype(np.uint64), np.zeros(len(whole), np.uint64)
    lower = low.astype(np.uint64)
    upper = high.astype(np.uint64) + (lower >> _HALF)
    return whole.astype(np.uint64) + (upper >> _HALF), ((upper & _LOW) << _HALF) | (lower & _LOW)

"""Counts as an Arrow table: one row per term and class, sorted, with the columns term, class, count, documents."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pyarrow as pa

    from likely import _native
    from likely.types import Array, Ids, Label

AMOUNTS = ("count", "documents")
"""The columns with the numbers of a term in a class: its occurrences, and the documents that have it."""

WEIGHT = "weight"
"""The column with the learned weight of a term in a class (variant nbsvm)."""

PART = 1 << 20
"""The number of rows in a part of a table. A part ends with the last row of a term, so it may have a few more."""

Exact: TypeAlias = tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]
"""Exact numbers: the whole part of each, and its fraction in units of 2^-64."""


@dataclass(frozen=True)
class Part:
    """Some rows of the table, column by column.

    Attributes
    ----------
    terms
        The term of each row.
    ranks
        The rank of its class among the sorted classes.
    amounts
        The columns `AMOUNTS`, by name.
    weights
        The column `WEIGHT`, if weights were learned.
    """

    terms: pa.Array
    ranks: npt.NDArray[np.uint32]
    amounts: dict[str, Exact]
    weights: npt.NDArray[np.float32] | None = None


def read_parts(native: _native.Counts, ranks: Ids) -> list[Part]:
    """All rows of the table, in parts of about `PART` rows; ``ranks`` has the rank of each class, by its number."""
    ids = native.sorted_ids()
    parts = []
    for start, end in cuts_of(native.row_lengths(ids)):
        terms, classes, *amounts = native.columns(ids[start:end], ranks)
        parts.append(Part(terms, classes, dict(zip(AMOUNTS, amounts, strict=True))))
    return parts


def cuts_of(lengths: npt.NDArray[np.int64]) -> Iterator[tuple[int, int]]:
    """The first term and the end of each part, for terms with these numbers of rows.

    Examples
    --------
    >>> list(cuts_of(np.array([PART, 1, PART, 1])))
    [(0, 2), (2, 4)]
    """
    ends = np.cumsum(lengths)
    rows = int(ends[-1]) if len(ends) else 0
    cuts = np.unique([0, *np.searchsorted(ends, range(PART, rows, PART)), len(lengths)])
    return itertools.pairwise(cuts.tolist())


def exact_table(parts: Sequence[Part], labels: Sequence[Label], *, weighed: bool = False) -> pa.Table:
    """The table with exact numbers, as a model file holds it.

    If a column of `AMOUNTS` has numbers that are not whole, a second column holds their fractions in units of 2^-64.
    With ``weighed``, the last column holds the weights.
    """
    import pyarrow as pa

    # No function here may import pyarrow.compute, which alone takes longer than writing a model.
    columns: dict[str, pa.ChunkedArray] = {"term": _terms(parts), "class": _repeated(parts, labels)}
    for name in AMOUNTS:
        wholes, fractions = zip(*(part.amounts[name] for part in parts), strict=True) if parts else ((), ())
        # Spark has no unsigned integers.
        kind = np.int64 if all((whole < 2**63).all() for whole in wholes) else np.uint64
        columns[name] = pa.chunked_array([whole.view(kind) for whole in wholes], pa.from_numpy_dtype(kind))
        if any(fraction.any() for fraction in fractions):
            columns[f"{name}_fraction"] = pa.chunked_array(fractions, pa.uint64())
    if weighed:
        columns[WEIGHT] = pa.chunked_array([part.weights for part in parts], pa.float32())
    fields = [pa.field(name, column.type, nullable=False) for name, column in columns.items()]
    return pa.table(columns, pa.schema(fields))


def plain_table(parts: Sequence[Part], labels: Sequence[Label]) -> pa.Table:
    """The table for people and other programs: numbers that are not whole are rounded to doubles."""
    import pyarrow as pa

    kinds = label_array(labels)
    classes = pa.chunked_array([kinds.take(pa.array(part.ranks)) for part in parts], kinds.type)
    columns = {"term": _terms(parts), "class": classes}
    for name in AMOUNTS:
        values = [whole + fraction * 2.0**-64 for whole, fraction in (part.amounts[name] for part in parts)]
        columns[name] = pa.array(whole_if_exact(np.concatenate(values) if values else np.zeros(0)))
    return pa.table(columns)


def _terms(parts: Sequence[Part]) -> pa.ChunkedArray:
    import pyarrow as pa

    return pa.chunked_array([_with_short_offsets(part.terms) for part in parts], pa.string())


def _with_short_offsets(strings: pa.Array) -> pa.Array:
    """The same strings with 32-bit offsets, which all readers support; a part has less than 2 GB of text."""
    import pyarrow as pa

    _, offsets, values = strings.buffers()
    short = np.frombuffer(offsets, np.int64)[: len(strings) + 1].astype(np.int32, casting="same_kind")
    return pa.StringArray.from_buffers(len(strings), pa.py_buffer(short), values)


def _repeated(parts: Sequence[Part], labels: Sequence[Label]) -> pa.ChunkedArray:
    """The label of each row. Text is dictionary-encoded, as it is in a Parquet file."""
    import pyarrow as pa

    values = label_array(labels)
    if pa.types.is_string(values.type):
        ranks = [pa.array(part.ranks.astype(np.int32)) for part in parts]
        kind = pa.dictionary(pa.int32(), pa.string())
        return pa.chunked_array([pa.DictionaryArray.from_arrays(each, values) for each in ranks], kind)
    plain = np.array(labels)
    return pa.chunked_array([pa.array(plain[part.ranks]) for part in parts], values.type)


def label_array(labels: Sequence[Label]) -> pa.Array:
    """Labels of one type as an Arrow array.

    Examples
    --------
    >>> str(label_array([True, False]).type), str(label_array([]).type)
    ('bool', 'string')
    """
    import pyarrow as pa

    kinds = {str: pa.string(), int: pa.int64(), bool: pa.bool_()}
    return pa.array(labels, kinds[type(labels[0])] if labels else pa.string())


def whole_if_exact(values: Array) -> Array | npt.NDArray[np.int64]:
    """Counts as integers if all of them are whole numbers, else unchanged."""
    if not (np.abs(values) < 2.0**63).all():
        return values
    whole = values.astype(np.int64)
    return whole if (whole == values).all() else values

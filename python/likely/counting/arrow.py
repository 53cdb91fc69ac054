"""Counts as a table: one row a term and class, sorted, with the columns term, class, count, documents."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pyarrow as pa

    from likely import _native
    from likely.types import Array, Label

AMOUNTS = ("count", "documents")
"""What is known of a term in a class."""

WEIGHT = "weight"
"""What it weighs there, where that was learned."""

PART = 1 << 20
"""So many rows a part of a table has, or a few more."""

Exact: TypeAlias = tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]
"""Amounts as whole parts and fractions in units of 2^-64."""


@dataclass(frozen=True)
class Part:
    """Some rows: their terms, the ranks of their classes, their counts and documents."""

    terms: pa.Array
    ranks: npt.NDArray[np.uint32]
    amounts: dict[str, Exact]
    weights: npt.NDArray[np.float32] | None = None


def read_parts(native: _native.Counts, live: Sequence[int]) -> list[Part]:
    """All rows; ``live`` has the classes in the order that they are to have."""
    ids = native.sorted_ids()
    ranks = np.zeros(max(live, default=-1) + 1, np.uint32)
    ranks[list(live)] = np.arange(len(live))
    ends = np.cumsum(native.row_lengths(ids))
    rows = int(ends[-1]) if len(ends) else 0
    cuts = np.unique([0, *np.searchsorted(ends, range(PART, rows, PART)), len(ids)])
    parts = []
    for start, end in itertools.pairwise(cuts):
        terms, classes, *amounts = native.columns(ids[start:end], ranks)
        parts.append(Part(terms, classes, dict(zip(AMOUNTS, amounts, strict=True))))
    return parts


def exact_table(parts: Sequence[Part], labels: Sequence[Label], *, weighed: bool = False) -> pa.Table:
    """All rows, exactly: amounts that are not whole have a second column, in units of 2^-64; weights come last."""
    import pyarrow as pa

    # Without what would import pyarrow.compute: that alone takes longer than writing a model.
    columns: dict[str, Any] = {"term": _terms(parts), "class": _repeated(parts, labels)}
    for name in AMOUNTS:
        wholes, fractions = zip(*(part.amounts[name] for part in parts), strict=True) if parts else ((), ())
        # Spark reads signed numbers better.
        kind = np.int64 if all((whole < 2**63).all() for whole in wholes) else np.uint64
        columns[name] = pa.chunked_array([whole.view(kind) for whole in wholes], pa.from_numpy_dtype(kind))
        if any(fraction.any() for fraction in fractions):
            columns[f"{name}_fraction"] = pa.chunked_array(fractions, pa.uint64())
    if weighed:
        columns[WEIGHT] = pa.chunked_array([part.weights for part in parts], pa.float32())
    fields = [pa.field(name, column.type, nullable=False) for name, column in columns.items()]
    return pa.table(columns, pa.schema(fields))


def plain_table(parts: Sequence[Part], labels: Sequence[Label]) -> pa.Table:
    """All rows; amounts that are not whole are the nearest doubles."""
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
    """The same strings, as all readers know them; a part of a table has less than 2 GB of them."""
    import pyarrow as pa

    _, offsets, values = strings.buffers()
    short = np.frombuffer(offsets, np.int64)[: len(strings) + 1].astype(np.int32, casting="same_kind")
    return pa.StringArray.from_buffers(len(strings), pa.py_buffer(short), values)


def _repeated(parts: Sequence[Part], labels: Sequence[Label]) -> pa.ChunkedArray:
    """The label of each row; of text, only which one it is, as a Parquet file has it anyway."""
    import pyarrow as pa

    values = label_array(labels)
    if pa.types.is_string(values.type):
        ranks = [pa.array(part.ranks.astype(np.int32)) for part in parts]
        kind = pa.dictionary(pa.int32(), pa.string())
        return pa.chunked_array([pa.DictionaryArray.from_arrays(each, values) for each in ranks], kind)
    plain = np.array(labels)
    return pa.chunked_array([pa.array(plain[part.ranks]) for part in parts], values.type)


def label_array(labels: Sequence[Label]) -> pa.Array:
    """Labels, all of one kind, as Arrow data.

    Examples
    --------
    >>> str(label_array([True, False]).type), str(label_array([]).type)
    ('bool', 'string')
    """
    import pyarrow as pa

    kinds = {str: pa.string(), int: pa.int64(), bool: pa.bool_()}
    return pa.array(labels, kinds[type(labels[0])] if labels else pa.string())


def whole_if_exact(values: Array) -> npt.NDArray[Any]:
    """Counts as whole numbers if they all are."""
    if not (np.abs(values) < 2.0**63).all():
        return values
    whole = values.astype(np.int64)
    return whole if (whole == values).all() else values

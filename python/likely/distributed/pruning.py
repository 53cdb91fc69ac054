"""Rows of counts without rare terms, so that only what a model keeps is sent to where it is built."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from likely.distributed.rows import FRACTIONS, joined
from likely.extras import extra

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa

    from likely.types import Mask

DROPPED = ""
"""The term of the row whose count is the number of terms that were dropped. No real term is empty."""
ROUNDED = np.uint64(2**64 - 2**12)
"""A fraction from here on may be 1 for the model, which compares numbers of documents as doubles."""


def prune_rows(
    batches: Iterable[pa.RecordBatch], least: int, wanted: pa.Array | None = None
) -> Iterator[pa.RecordBatch]:
    """The rows of terms that occur in at least this many documents, and one row with the number of the others.

    The rows must be sorted by term, and added by term and class. Rows without a term stay, and so do those of the
    ``wanted`` terms: documents of a sample can only be left out of counts that have all their terms.

    Examples
    --------
    >>> import pyarrow as pa
    >>> columns = {"term": ["a", "a", "b"], "class": ["x", "y", "x"], "count": [1, 9, 5], "documents": [1, 1, 1]}
    >>> pa.Table.from_batches(prune_rows([pa.record_batch(columns)], 2)).drop(["class"]).to_pydict()
    {'term': ['a', 'a', ''], 'count': [1, 9, 1], 'documents': [1, 1, 0]}
    """
    pa = extra("pyarrow", "Distributed counting")
    held, dropped, schema = None, 0, None
    for batch in batches:
        schema = batch.schema
        table = pa.Table.from_batches([batch] if held is None else [*held.to_batches(), batch]).combine_chunks()
        starts = _starts(table)
        # The rows of the last term may go on in the next batch.
        held = table.slice(starts[-1]) if len(starts) else None
        done, gone = _kept(table.slice(0, starts[-1]) if len(starts) else table, starts[:-1], least, wanted)
        dropped += gone
        yield from done.to_batches()
    if held is not None and schema is not None:
        done, gone = _kept(held, np.array([0]), least, wanted)
        yield from done.to_batches()
        numbers = {"term": [DROPPED], "count": [dropped + gone]}
        empty = {"class": None}
        yield pa.record_batch(
            [pa.array(numbers.get(f.name, [empty.get(f.name, 0)]), f.type) for f in schema], schema=schema
        )


def _starts(table: pa.Table) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """Where the rows of each term start."""
    pc = extra("pyarrow.compute", "Distributed counting")
    if not table.num_rows:
        return np.zeros(0, np.intp)
    runs = pc.run_end_encode(table["term"].combine_chunks())
    ends = runs.run_ends.to_numpy()
    return np.append(0, ends[:-1]).astype(np.intp)


def _kept(
    table: pa.Table, starts: np.ndarray[tuple[int], np.dtype[np.intp]], least: int, wanted: pa.Array | None
) -> tuple[pa.Table, int]:
    """The rows of the terms that are not too rare, and the number of those that are."""
    if not table.num_rows:
        return table, 0
    whole, fraction = joined(*(_sums(table, name, starts) for name in ("documents", *FRACTIONS[2:])))
    stay: Mask = (whole >= np.uint64(least)) | ((whole == np.uint64(least - 1)) & (fraction >= ROUNDED))
    terms = table["term"].take(starts)
    stay |= terms.is_null().to_numpy()
    if wanted is not None:
        stay |= extra("pyarrow.compute", "Distributed counting").is_in(terms, wanted).to_numpy()
    rows = np.repeat(stay, np.diff(np.append(starts, table.num_rows)))
    return table.filter(rows), len(stay) - int(stay.sum())


def _sums(
    table: pa.Table, name: str, starts: np.ndarray[tuple[int], np.dtype[np.intp]]
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """The sums of a column over the rows of each term; 0 if there is no such column."""
    if name not in table.schema.names:
        return np.zeros(len(starts), np.int64)
    sums: np.ndarray[tuple[int], np.dtype[np.int64]] = np.add.reduceat(table[name].to_numpy(), starts)
    return sums

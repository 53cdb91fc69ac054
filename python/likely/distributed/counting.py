"""`count`: record batches of labelled texts become rows of counts, which can be added in any order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

import numpy as np

from likely.core.counts import Counts, arrow_labels
from likely.core.settled import Settled
from likely.distributed.documents import Columns, Documents
from likely.distributed.rows import FRACTIONS, SLICE, makes_fractions, schema_of, split
from likely.distributed.texts import record_batches
from likely.errors import OptionError, TooLargeError
from likely.extras import extra
from likely.options.configured import effective
from likely.options.conflicts import check_together
from likely.options.presets import with_preset
from likely.options.table import check_options
from likely.training.sample import bytes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import numpy.typing as npt
    import pyarrow as pa

    from likely.core.counts import Exact
    from likely.distributed.rows import Parts
    from likely.options.typed import ModelOptions
    from likely.reading.rows import Labelled
    from likely.types import Ids, Label

CHUNK = 32 << 20
"""About the number of bytes of texts that are counted at once, before they are added to the counts so far."""
MOST_TERMS = 2_000_000
"""If the counts have more terms than this, they are yielded, and counting starts with none: about 250 MB."""


def count(
    batches: Iterable[pa.RecordBatch | pa.Table],
    *,
    text: str = "text",
    label: str = "label",
    weight: str | None = None,
    **options: Unpack[ModelOptions],
) -> Iterator[pa.RecordBatch]:
    """The counts of record batches, as record batches of rows with the columns term, class, count and documents.

    This is what one worker does with its part of the data. The rows of all workers, added by term and class in any
    order or not at all, are what `build` makes a model from: the model that one process would have made of all data.
    A row without a term has the documents of a class, and a row without term and class has the number of bad rows,
    which are left out: their text or label is missing, or is not a text or a label.

    Memory is bounded whatever the number of batches: if the counts have two million terms, they are yielded, and
    counting starts again. A term and class may therefore be in several rows.

    Parameters
    ----------
    batches : iterable of pyarrow.RecordBatch or pyarrow.Table
        One part of the data.
    text, label, weight : str
        The names of the columns. Without ``weight`` each document weighs 1.
    **options
        Options of the model, as for `NaiveBayes`. Only those that decide the terms of a text and their values matter
        here, so that rows of counts serve many models. Options that read the texts twice are refused.

    Examples
    --------
    >>> import pyarrow as pa
    >>> batch = pa.record_batch({"text": ["so good", "bad", None], "label": ["+", "-", "-"]})
    >>> rows = pa.Table.from_batches(count([batch]))
    >>> for row in sorted(map(tuple, rows.to_pandas().fillna("").values.tolist())):
    ...     print(row)
    ('', '', 1, 3)
    ('', '+', 0, 1)
    ('', '-', 0, 1)
    ('bad', '-', 1, 1)
    ('good', '+', 1, 1)
    ('so', '+', 1, 1)
    """
    settled = settled_once(options)
    return count_rows(batches, Columns(text, label, weight), settled)


def settled_once(options: Mapping[str, object]) -> Settled:
    """The settled options of a model that is made of counts alone; ``OptionError`` if it needs the texts again."""
    settled = settled_of(options)
    if settled.reads_twice is not None:
        raise OptionError(
            f"{settled.reads_twice} reads the texts twice, so rows of counts are not enough: use "
            "`likely.spark.train`, or leave it out"
        )
    return settled


def settled_of(options: Mapping[str, object]) -> Settled:
    """What follows from options of a model, which are checked."""
    check_options(dict(options))
    values = effective(with_preset(options), {})
    check_together(values)
    return Settled.of(values)


def count_rows(
    batches: Iterable[pa.RecordBatch | pa.Table],
    columns: Columns,
    settled: Settled,
    counting: Callable[[Iterable[Labelled]], Counts] | None = None,
) -> Iterator[pa.RecordBatch]:
    """As `count`, for settled options; ``counting`` counts some documents, if not in the usual way."""
    counting = counting or (lambda some: Counts.count_batches(settled.analyzer, some, settled.threads))
    types: list[pa.DataType] = []
    documents, held = Documents(columns, settled.analyzer.equal), None
    fractions = makes_fractions(settled.analyzer, weighted=columns.weight is not None)
    for chunk in _chunks(documents.of(_watched(batches, columns.label, types))):
        held = counting(chunk) if held is None else _added(held, counting(chunk))
        if held.terms > MOST_TERMS:
            yield from rows_of(held, schema_of(types[0], fractions=fractions))
            held = None
    if types:
        schema = schema_of(types[0], fractions=fractions)
        if held is not None:
            yield from rows_of(held, schema)
        yield _totals(schema, [None], np.array([documents.bad]), split(_whole(documents.rows)))


def _watched(
    batches: Iterable[pa.RecordBatch | pa.Table], label: str, types: list[pa.DataType]
) -> Iterator[pa.RecordBatch]:
    """The same batches; the type of their labels is noted when the first one passes."""
    for each in batches:
        for batch in record_batches(each):
            if not types and label in batch.schema.names:
                types.append(batch.schema.field(label).type)
            yield batch


def _chunks(documents: Iterator[Labelled]) -> Iterator[Iterator[Labelled]]:
    """Iterators over documents of about `CHUNK` bytes each."""
    for first in documents:

        def chunk(first: Labelled = first) -> Iterator[Labelled]:
            yield first
            size = bytes_of(first.texts)
            while size < CHUNK and (more := next(documents, None)) is not None:
                yield more
                size += bytes_of(more.texts)

        yield chunk()


def _added(counts: Counts, more: Counts) -> Counts:
    """The counts with others added. Those of the passes for norm='l2' may be added while one pass lasts."""
    counts.native.merge(more.native, [counts.index.number(label) for label in more.index.labels])
    return counts


def rows_of(counts: Counts, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows of some counts, in slices of about `SLICE` rows, and those of the documents of their classes."""
    ids = counts.native.ids()
    ends = np.append(0, np.cumsum(counts.native.row_lengths(ids)))
    cuts = np.searchsorted(ends, np.arange(SLICE, ends[-1] + SLICE, SLICE))
    start = 0
    for end in np.unique(np.minimum(cuts, len(ids))).tolist():
        yield _slice(counts, ids[start:end], schema)
        start = end
    documents, _ = counts.native.exact_totals()
    yield _totals(schema, counts.index.labels, np.zeros(len(documents[0]), np.int64), _checked(documents))


def _slice(counts: Counts, ids: Ids, schema: pa.Schema) -> pa.RecordBatch:
    """The rows of the terms with these ids."""
    pa = extra("pyarrow", "Distributed counting")
    classes, count, documents = counts.native.columns(ids, np.arange(len(counts.index.labels), dtype=np.uint32))
    terms = pa.array(counts.native.spelled_rows(ids)).cast(pa.string())
    labels = arrow_labels(counts.index.labels).take(pa.array(classes))
    return _batch(schema, terms, labels, _checked(count), _checked(documents))


def _checked(amounts: Exact) -> Parts:
    """The parts of exact numbers; ``TooLargeError`` if they do not fit into columns of int64."""
    if len(amounts[0]) and int(amounts[0].max()) >= 2**62:
        raise TooLargeError("a count is 2^62 or more, which is too large to be added: give smaller weights")
    return split(amounts)


def _whole(number: int) -> Exact:
    return np.array([number], np.uint64), np.zeros(1, np.uint64)


def _totals(
    schema: pa.Schema, labels: Sequence[Label | None], count: npt.NDArray[np.int64], documents: Parts
) -> pa.RecordBatch:
    """Rows without terms."""
    pa = extra("pyarrow", "Distributed counting")
    zeros = np.zeros(len(count), np.int64)
    none, classes = pa.nulls(len(count), pa.string()), pa.array(labels, schema.field("class").type)
    return _batch(schema, none, classes[: len(count)], (count, zeros, zeros), documents)


def _batch(schema: pa.Schema, terms: pa.Array, labels: pa.Array, count: Parts, documents: Parts) -> pa.RecordBatch:
    pa = extra("pyarrow", "Distributed counting")
    fractions = [*count[1:], *documents[1:]] if FRACTIONS[0] in schema.names else []
    columns = [terms, labels, *(pa.array(each) for each in (count[0], documents[0], *fractions))]
    return pa.record_batch(columns, schema=schema)

"""`count`: record batches of labelled texts become rows of counts, which any engine adds; `build`: the model of them.

There is one row per term and class.

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

import json
import warnings
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias, cast

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from likely import _native
from likely.core.counts import Counts, Exact, are_allowed, arrow_labels
from likely.core.weights import ModelSettings
from likely.errors import (
    ArgumentError,
    DataWarning,
    LabelError,
    MismatchError,
    OptionError,
    SourceError,
    TooLargeError,
    frames_of_ours,
)
from likely.labels import LabelIndex
from likely.model.naive_bayes import NaiveBayes
from likely.options.model import check_options, check_together, effective, with_preset
from likely.reading.batch import Chosen, Skipped, in_parts
from likely.reading.rows import Labelled, Sample
from likely.reading.tables import TableReader
from likely.terminal import named, printable
from likely.training.sample import OVERHEAD, KeptRows, Sampler, bytes_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    import numpy.typing as npt

    from likely.core.analyzer import Analyzer
    from likely.types import Label, Mask


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
    >>> from likely.options.model import with_defaults
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
    whole = [(name, pa.int64()) for name in (*AMOUNTS, *(FRACTIONS if fractions else ()))]
    return pa.schema([("term", pa.string()), ("class", class_type(label_type)), *whole])


def class_type(label_type: pa.DataType) -> pa.DataType:
    """The type of the column of classes, for a column of labels of this type; ``LabelError`` if it is not allowed."""
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


def joined(whole: npt.NDArray[np.int64], high: npt.NDArray[np.int64], low: npt.NDArray[np.int64]) -> Exact:
    """The exact numbers of sums of such parts, in which the parts may have outgrown 32 bits.

    Examples
    --------
    >>> joined(np.array([1]), np.array([2**33 + 5]), np.array([2**32 + 1]))
    (array([3], dtype=uint64), array([25769803777], dtype=uint64))
    """
    lower = low.astype(np.uint64)
    upper = high.astype(np.uint64) + (lower >> _HALF)
    return whole.astype(np.uint64) + (upper >> _HALF), ((upper & _LOW) << _HALF) | (lower & _LOW)


MOST_NAMED = 20
"""At most this many columns are named in a message."""


def record_batches(rows: pa.RecordBatch | pa.Table) -> list[pa.RecordBatch]:
    """The record batches of a table; one without rows if the table has none. ``SourceError`` if it is neither.

    Examples
    --------
    >>> import pyarrow as pa
    >>> [batch.num_rows for batch in record_batches(pa.table({"text": pa.array([], pa.string())}))]
    [0]
    """
    if isinstance(rows, pa.RecordBatch):
        return [rows]
    if not isinstance(rows, pa.Table):
        raise SourceError(
            f"expected record batches, but found a {type(rows).__name__}: give a list of them, as table.to_batches()"
        )
    return rows.to_batches() or [pa.RecordBatch.from_pylist([], schema=rows.schema)]


def check_column(columns: Sequence[str], name: str | None) -> None:
    """Raise ``SourceError`` unless there is exactly one column of this name.

    Examples
    --------
    >>> check_column(["id", "body"], "text")
    Traceback (most recent call last):
    likely.errors.SourceError: there is no column 'text', but 'id', 'body': name another one
    """
    if not isinstance(name, str):
        raise SourceError(f"a column is named by a value of type {type(name).__name__}: give its name as a str")
    found = sum(each == name for each in columns)
    if found > 1:
        raise SourceError(f"there are {found} columns named {printable(name)!r}: rename all but one of them")
    if not found:
        shown = named(list(columns), MOST_NAMED, lambda each: repr(printable(each)))
        raise SourceError(f"there is no column {printable(name)!r}, but {shown}: name another one")


@dataclass
class DocumentRows:
    """The documents of record batches. A row is bad if its text or label is missing, or is not a text or a label.

    Attributes
    ----------
    columns : Chosen
        The names of the columns.
    divided : bool
        Whether the weight of a document is divided between its terms, so that it must not be too small.
    bad, rows : int
        The number of bad rows, and of all rows, so far.
    label_type : pyarrow.DataType or None
        The type of the column of labels, once a batch has been read.

    Examples
    --------
    >>> import pyarrow as pa
    >>> documents = DocumentRows(Chosen("text", "label"))
    >>> batch = pa.record_batch({"text": ["good", None, "bad"], "label": [1.0, 0.0, 0.5]})
    >>> [each.texts.to_pylist() for each in documents.of([batch])], documents.bad, documents.rows
    ([['good']], 2, 3)
    """

    columns: Chosen
    divided: bool = False
    bad: int = field(default=0, init=False)
    rows: int = field(default=0, init=False)
    label_type: pa.DataType | None = field(default=None, init=False)

    def of(self, batches: Iterable[pa.RecordBatch | pa.Table]) -> Iterator[Labelled]:
        """The documents of each batch that has some."""
        names, skipped = self.columns.names, Skipped()
        for rows in chain.from_iterable(map(record_batches, batches)):
            for name in names:
                check_column(rows.schema.names, name)
            self.label_type = self.label_type or rows.schema.field(str(self.columns.label)).type
            self.rows += rows.num_rows
            reader = TableReader([rows.select(names)], names, "frame", "the record batch", skipped)
            for batch in reader.batches(self.columns, whole=False):
                found, weights = batch, batch.weights
                if weights is not None:
                    self.bad += int((~are_allowed(weights, divided=self.divided)).sum())
                    # A document without weight is not a bad row, but nothing is learned from it.
                    found = batch.chosen(are_allowed(weights, divided=self.divided) & (weights > 0))
                if len(found.texts):
                    yield Labelled(found.texts, found.labels_as(None), found.weights, found.groups)
            self.bad, skipped.count = self.bad + skipped.count, 0


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
    **options: object,
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
    return count_rows(batches, Chosen(text, label, weight), settled)


def settled_once(options: Mapping[str, object]) -> ModelSettings:
    """The settled options of a model that is made of counts alone; ``OptionError`` if it needs the texts again."""
    check_options(dict(options))
    values = effective(with_preset(options), {})
    check_together(values)
    settled = ModelSettings.of(values)
    if settled.reads_twice is not None:
        raise OptionError(
            f"{settled.reads_twice} reads the texts twice, so rows of counts are not enough: use "
            "`likely.spark.train`, or leave it out"
        )
    return settled


def count_rows(
    batches: Iterable[pa.RecordBatch | pa.Table],
    columns: Chosen,
    settled: ModelSettings,
    counting: Callable[[Iterable[Labelled]], Counts] | None = None,
) -> Iterator[pa.RecordBatch]:
    """As `count`, for settled options; ``counting`` counts some documents, if not in the usual way."""
    counting = counting or (lambda some: Counts.count_batches(settled.analyzer, some, settled.threads))
    documents, held = DocumentRows(columns, settled.analyzer.equal), None
    fractions = makes_fractions(settled.analyzer, weighted=columns.weight is not None)
    for chunk in in_parts(documents.of(batches), lambda each: bytes_of(each.texts), CHUNK):
        held = counting(chunk) if held is None else _added(held, counting(chunk))
        if held.terms > MOST_TERMS:
            yield from _rows_of(held, schema_of(documents.label_type, fractions=fractions))
            held = None
    if documents.label_type is not None:
        schema = schema_of(documents.label_type, fractions=fractions)
        if held is not None:
            yield from _rows_of(held, schema)
        yield _totals(
            schema,
            [None],
            np.array([documents.bad]),
            split((np.array([documents.rows], np.uint64), np.zeros(1, np.uint64))),
        )


def _added(counts: Counts, more: Counts) -> Counts:
    """The counts with others added. Those of the passes for norm='l2' may be added while one pass lasts."""
    counts.native.merge(more.native, [counts.index.number(label) for label in more.index.labels])
    return counts


def _rows_of(counts: Counts, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
    """The rows of some counts, in slices of about `SLICE` rows, and those of the documents of their classes."""
    ids, labels = counts.native.ids(), counts.index.labels
    ends = np.append(0, np.cumsum(counts.native.row_lengths(ids)))
    cuts = np.searchsorted(ends, np.arange(SLICE, ends[-1] + SLICE, SLICE))
    start = 0
    for end in np.unique(np.minimum(cuts, len(ids))).tolist():
        classes, count, rows = counts.native.columns(ids[start:end], np.arange(len(labels), dtype=np.uint32))
        terms = pa.array(counts.native.spelled_rows(ids[start:end])).cast(pa.string())
        yield _batch(schema, terms, arrow_labels(labels).take(pa.array(classes)), _checked(count), _checked(rows))
        start = end
    documents, _ = counts.native.exact_totals()
    yield _totals(schema, labels, np.zeros(len(documents[0]), np.int64), _checked(documents))


def _checked(amounts: Exact) -> Parts:
    """The parts of exact numbers; ``TooLargeError`` if they do not fit into columns of int64."""
    if len(amounts[0]) and int(amounts[0].max()) >= 2**62:
        raise TooLargeError("a count is 2^62 or more, which is too large to be added: give smaller weights")
    return split(amounts)


def _totals(
    schema: pa.Schema, labels: Sequence[Label | None], count: npt.NDArray[np.int64], documents: Parts
) -> pa.RecordBatch:
    """Rows without terms."""
    zeros = np.zeros(len(count), np.int64)
    none, classes = pa.nulls(len(count), pa.string()), pa.array(labels, schema.field("class").type)
    return _batch(schema, none, classes[: len(count)], (count, zeros, zeros), documents)


def _batch(schema: pa.Schema, terms: pa.Array, labels: pa.Array, count: Parts, documents: Parts) -> pa.RecordBatch:
    fractions = [*count[1:], *documents[1:]] if FRACTIONS[0] in schema.names else []
    columns = [terms, labels, *(pa.array(each) for each in (count[0], documents[0], *fractions))]
    return pa.record_batch(columns, schema=schema)


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
    held, dropped = None, 0
    for batch in filter(len, batches):
        table = pa.Table.from_batches([batch] if held is None else [*held.to_batches(), batch]).combine_chunks()
        ends = pc.run_end_encode(table["term"].combine_chunks()).run_ends.to_numpy()  # of the rows of each term
        starts = np.append(0, ends[:-1]).astype(np.intp)
        done, gone = _kept(table.slice(0, starts[-1]), starts[:-1], least, wanted)
        held = table.slice(starts[-1])  # the rows of the last term may go on in the next batch
        dropped += gone
        yield from done.to_batches()
    if held is not None:
        done, gone = _kept(held, np.array([0]), least, wanted)
        yield from done.to_batches()
        row = dict.fromkeys(held.schema.names, 0) | {"term": DROPPED, "class": None, "count": dropped + gone}
        yield pa.RecordBatch.from_pylist([row], schema=held.schema)


def _kept(
    table: pa.Table, starts: np.ndarray[tuple[int], np.dtype[np.intp]], least: int, wanted: pa.Array | None
) -> tuple[pa.Table, int]:
    """The rows of the terms that are not too rare, and the number of those that are."""
    if not table.num_rows:
        return table, 0
    columns = (_whole_numbers(table, name) for name in ("documents", *FRACTIONS[2:]))
    whole, fraction = joined(*(np.add.reduceat(column, starts) for column in columns))
    stay: Mask = (whole >= np.uint64(least)) | ((whole == np.uint64(least - 1)) & (fraction >= ROUNDED))
    terms = table["term"].take(starts)
    stay |= terms.is_null().to_numpy()
    if wanted is not None:
        stay |= pc.is_in(terms, wanted).to_numpy()
    rows = np.repeat(stay, np.diff(np.append(starts, table.num_rows)))
    return table.filter(rows), len(stay) - int(stay.sum())


# Rows of counts become a model ----------------------------------------------------------------------------------


def build(tables: Iterable[pa.RecordBatch | pa.Table], **options: object) -> NaiveBayes:
    """The model of rows of counts that `count` made, with the same bytes as a model of one process.

    The rows may come from any number of workers, in any order, and may have been added by term and class or not.

    Parameters
    ----------
    tables : iterable of pyarrow.RecordBatch or pyarrow.Table
        Rows of counts.
    **options
        Options of the model, as for `NaiveBayes`: those of `count`, and others such as ``alpha``. Options are not
        chosen and probabilities are not calibrated, because that needs documents: see `likely.spark.train`, or
        `NaiveBayes.fit_calibration`.

    Examples
    --------
    >>> import pyarrow as pa
    >>> texts, labels = ["so good", "bad", "good plot", "so bad"], ["+", "-", "+", "-"]
    >>> parts = [pa.record_batch({"text": texts[at::2], "label": labels[at::2]}) for at in range(2)]
    >>> model = build((row for part in parts for row in count([part], ngrams=(1, 2))), ngrams=(1, 2), alpha=0.5)
    >>> model.predict(["a good plot"])
    array(['+'], dtype='<U1')
    """
    settled = settled_once(options)
    if settled.values["tune"] is not None or settled.values["calibrate"]:
        raise OptionError("counts are not enough to choose options or to calibrate: leave out tune and calibrate")
    summing = Summing(settled.analyzer)
    for table in tables:
        summing.add(table)
    tell_bad(summing.bad, summing.rows)
    return NaiveBayes(**cast("dict[str, Any]", options))._fit_counts(summing.counts())


class Summing:
    """Rows of counts that are added up.

    Attributes
    ----------
    bad, rows : int
        The number of bad rows of the data, and of all its rows.
    dropped : int
        The number of terms that were dropped (`likely.batch.counting`).
    """

    def __init__(self, analyzer: Analyzer) -> None:
        self.analyzer, self.bad, self.rows, self.dropped = analyzer, 0, 0, 0
        rules = _native.RowRules(
            most_words=analyzer.ngrams[1] if analyzer.has_words else 0, shares=analyzer.is_scaled, weighed=False
        )
        self._sums = _native.SummedRows(analyzer.native, rules)
        self._index = LabelIndex()
        self._documents: list[int] = []
        """The documents of each class, in units of 2^-64."""

    def add(self, table: pa.RecordBatch | pa.Table) -> None:
        """Add rows of counts."""
        table = pa.Table.from_batches(record_batches(table))
        if missing := {"term", "class", *AMOUNTS} - set(table.schema.names):
            raise SourceError(f"these are not rows of counts: there is no column {min(missing)!r}")
        self._add_totals(table.filter(pc.is_null(table["term"])))
        self.dropped += pc.sum(table.filter(pc.equal(table["term"], DROPPED))["count"]).as_py() or 0
        table = table.filter(pc.not_equal(table["term"], DROPPED))  # which leaves out the totals, too
        if table.num_rows:
            codes = self._index.encode(table["class"].combine_chunks())
            count, documents = (_exact(table, name) for name in AMOUNTS)
            self._sums.put(table["term"].combine_chunks(), codes, count, documents)

    def _add_totals(self, table: pa.Table) -> None:
        count, documents = (_exact(table, name) for name in AMOUNTS)
        for at, label in enumerate(table["class"].to_pylist()):
            whole = (int(documents[0][at]) << 64) + int(documents[1][at])
            if label is None:
                self.bad, self.rows = self.bad + int(count[0][at]), self.rows + (whole >> 64)
                continue
            number = self._index.number(label)
            self._documents += [0] * (number + 1 - len(self._documents))
            self._documents[number] += whole

    def counts(self) -> Counts:
        """The counts of all rows."""
        documents = self._documents + [0] * (len(self._index.labels) - len(self._documents))
        if not any(documents):
            raise ArgumentError("there are no documents: give at least one text and its label")
        whole = np.array([each >> 64 for each in documents], np.uint64)
        fraction = np.array([each & (2**64 - 1) for each in documents], np.uint64)
        return Counts(self.analyzer, self._index, self._sums.finish((whole, fraction)))


def tell_bad(bad: int, rows: int) -> None:
    """Warn that rows of the data were left out; ``SourceError`` if none is left."""
    what = "their text, label or weight is missing or of the wrong type"
    if bad and bad == rows:
        raise SourceError(f"none of the {rows:,} rows can be learned: {what}")
    if bad:
        message = f"{bad:,} of {rows:,} rows were left out: {what}"
        warnings.warn(message, DataWarning, stacklevel=frames_of_ours())


def _exact(table: pa.Table, name: str) -> Exact:
    """The exact numbers of a column and, if there are some, its columns of fractions."""
    parts = [_whole_numbers(table, column) for column in (name, f"{name}_high", f"{name}_low")]
    if any((part < 0).any() for part in parts):
        raise MismatchError(f"the column {name!r} has negative numbers: these are not rows of counts")
    return joined(*parts)


def _whole_numbers(table: pa.Table, name: str) -> npt.NDArray[np.int64]:
    """The numbers of a column; 0 if there is no such column."""
    if name not in table.schema.names:
        return np.zeros(table.num_rows, np.int64)
    numbers: npt.NDArray[np.int64] = table[name].to_numpy().astype(np.int64)
    return numbers


# The sample of likely, drawn in parts -----------------------------------------------------------------------------
#
# Which documents are in a sample is decided by numbers that follow from their texts (`likely.training.sample`), so
# the sample of all documents is the same whatever the parts and their order.

SAMPLE_ROWS = 2_000
"""The number of texts of a part."""
SAMPLE_COLUMNS = "group", "number", "code", "size", "copies", "text", "weight"
EVERY = 2**64 - 1
"""The largest number of a group."""


@dataclass(frozen=True)
class SamplePart:
    """Some documents of a sample. The first part is also about all documents that the sample was drawn from.

    Attributes
    ----------
    kept, labels
        What a sampler has kept.
    rows, bad, of : int
        The number of all rows, of bad rows, and of documents.
    reached : int
        The number up to which groups are in the sample.
    """

    kept: KeptRows
    labels: list[Label]
    rows: int = 0
    bad: int = 0
    of: int = 0
    reached: int = EVERY

    def to_table(self) -> pa.Table:
        """Return a table of the columns, whose metadata has the rest as JSON."""
        kept = self.kept
        weights = [None] * len(kept) if kept.weights is None else map(str, kept.weights)  # whole numbers of any size
        arrays = [kept.groups, kept.numbers, kept.codes, kept.sizes, kept.copies]
        texts = [pa.array(each).cast(pa.string()) for each in (kept.texts, weights)]
        rest = {"part": json.dumps([self.labels, self.rows, self.bad, self.of, self.reached])}
        return pa.table([*map(pa.array, arrays), *texts], [*SAMPLE_COLUMNS]).replace_schema_metadata(rest)

    @classmethod
    def of_table(cls, table: pa.Table) -> SamplePart:
        """The part that a table was made of."""
        groups, numbers, codes, sizes, copies, texts, weights = (each.to_numpy() for each in table.columns)
        has_weights = table["weight"].null_count == 0
        exact = np.array([int(each) for each in weights], np.object_) if has_weights else None
        kept = KeptRows(groups, numbers, codes, texts, sizes, copies, exact)
        return cls(kept, *json.loads(table.schema.metadata[b"part"]))


def sample_parts(
    batches: Iterable[pa.RecordBatch | pa.Table],
    columns: Chosen,
    size: int,
    most_bytes: int,
    most_number: int = EVERY,
) -> Iterator[SamplePart]:
    """What a sampler of this size keeps of some documents.

    With ``most_number``, it keeps only what the sample of all documents may need (`bounds`).

    Examples
    --------
    >>> import pyarrow as pa
    >>> batch = pa.record_batch({"text": ["good", "bad", "good"], "label": [1, 0, 1]})
    >>> (part,) = sample_parts([batch], Chosen("text", "label"), 10, 1000)
    >>> sorted(zip(part.kept.texts.tolist(), part.kept.copies.tolist())), part.rows
    ([('bad', 1), ('good', 2)], 3)
    """
    documents, sampler = DocumentRows(columns), Sampler(size, most_bytes, most_number)
    for found in documents.of(batches):
        sampler.add(found)
    kept, labels = sampler.kept()
    yield SamplePart(
        kept.at(slice(SAMPLE_ROWS)), labels, documents.rows, documents.bad, sampler.of, sampler.reached()
    )
    for start in range(SAMPLE_ROWS, len(kept), SAMPLE_ROWS):
        yield SamplePart(kept.at(slice(start, start + SAMPLE_ROWS)), labels)


def bounds(size: int, most_bytes: int, rows: int, characters: int) -> Iterator[int]:
    """Numbers up to which groups may be in a sample of this many documents: the first that is enough is the best.

    Numbers are spread evenly, so with the first one each part sends about twice its share of the sample, not a
    sample of its own. Should many documents be copies, it is too small, and a larger one follows.

    Examples
    --------
    >>> [round(bound / EVERY, 6) for bound in bounds(20_000, 1 << 28, 1_000_000_000, 10**12)]
    [4e-05, 0.00064, 0.01024, 0.16384, 1.0]
    """
    share = 2 * min(size / max(rows, 1), most_bytes / max(characters + OVERHEAD * rows, 1))
    while share < 1:
        yield int(share * EVERY)
        share *= 16
    yield EVERY


class JoinedSample:
    """The parts of a sample, joined.

    Attributes
    ----------
    bad, rows : int
        The number of bad rows of the data, and of all its rows.
    """

    def __init__(self, size: int, most_bytes: int, most_number: int = EVERY, *, grouped: bool = False) -> None:
        self._sampler, self._grouped, self._most = Sampler(size, most_bytes, most_number), grouped, most_number
        self._reached = EVERY
        self.bad = self.rows = 0

    def add(self, part: SamplePart) -> None:
        """Add a part."""
        self.rows, self.bad = self.rows + part.rows, self.bad + part.bad
        self._sampler.of += part.of
        self._reached = min(self._reached, part.reached)
        if len(part.kept):
            self._sampler.take(part.kept, part.labels, grouped=self._grouped)

    def is_whole(self) -> bool:
        """Whether the sample is the same without a bound to the numbers of groups."""
        return self._most == EVERY or min(self._reached, self._sampler.reached()) < self._most

    def sample(self) -> Sample:
        """The sample of all documents."""
        return self._sampler.sample()

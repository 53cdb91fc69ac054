"""The one place where ``mapInArrow`` is called, and `Frame`: what workers make of a DataFrame."""

from __future__ import annotations

import os
import sys
import warnings
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np
import pyarrow as pa
from pyspark.sql import functions as sql

from likely import _native
from likely.batch.counting import (
    AMOUNTS,
    FRACTIONS,
    DocumentRows,
    JoinedSample,
    SamplePart,
    Summing,
    bounds,
    check_column,
    count_rows,
    makes_fractions,
    prune_rows,
    sample_parts,
)
from likely.core.counts import Counts
from likely.core.file import Snapshot, from_bytes, to_bytes
from likely.core.weights import ModelSettings
from likely.errors import LabelError, SourceError, TextError
from likely.reading.batch import Chosen, in_parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.types import StructType

    from likely.reading.rows import Labelled
    from likely.types import Array

    BatchFunction = Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]

WORKER_PYTHON = "PYSPARK_PYTHON"
"""The environment variable that tells Spark which Python its workers run."""

_FILTERS = Lock()


def session_of(df: DataFrame) -> SparkSession:
    """The session of a DataFrame, ready for `likely`: workers of a local master run the Python of this process.

    Without this they run the first ``python3`` of the path, which may lack what this one has.
    """
    check_frame(df)
    spark = df.sparkSession
    context = getattr(spark, "sparkContext", None)  # a Spark Connect session has none: its workers are elsewhere
    if context is not None and context.master.startswith("local") and WORKER_PYTHON not in os.environ:
        context.pythonExec = sys.executable
    return spark


def check_frame(df: object) -> None:
    """Raise ``SourceError`` unless this is a Spark DataFrame."""
    if not hasattr(df, "sparkSession"):
        raise SourceError(f"expected a Spark DataFrame, but found {type(df).__name__}: call `spark.createDataFrame`")


def mapped(df: DataFrame, function: BatchFunction, schema: StructType | str) -> DataFrame:
    """The DataFrame that a function of the record batches of a partition makes; ``schema`` says what it yields."""
    session_of(df)
    names = df.columns

    def renamed(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return function(batch.rename_columns(names) for batch in batches)

    # Spark looks up each column by its name without quoting it, so that names with dots or quotes would fail.
    plain = df.toDF(*(f"column_{at}" for at in range(len(names))))
    # The filters of warnings belong to all threads, and a Spark ML cross-validation fits in several.
    with _FILTERS, warnings.catch_warnings():
        # Spark asks for the version of pandas even if only Arrow is used, and doubts version 3.
        warnings.filterwarnings("ignore", "PySpark does not yet fully support pandas", FutureWarning)
        return plain.mapInArrow(renamed, schema)


def quoted(name: str) -> str:
    """The name of a column as Spark wants it, whatever dots, spaces and quotes it has.

    Examples
    --------
    >>> quoted("a.b"), quoted("a`b")
    ('`a.b`', '`a``b`')
    """
    return f"`{name.replace('`', '``')}`"


T = TypeVar("T")

_CLASSES = {
    "string": "string",
    "boolean": "boolean",
    **dict.fromkeys(("tinyint", "smallint", "int", "bigint", "float", "double"), "bigint"),
}
"""The type of the column of classes, for the type of the column of labels, as Spark names them."""

_WEIGHTS = ("string", "tinyint", "smallint", "int", "bigint", "float", "double", "decimal")
"""The types of a column of weights. Those of CSV are strings, of which each should be a number."""


@dataclass(frozen=True)
class Frame:
    """A DataFrame with the columns that are learned from.

    Attributes
    ----------
    df : DataFrame
        The columns of `columns`, and no others.
    columns : Chosen
        Their names.
    classes : str
        The type of the classes in rows of counts, as Spark names it.
    """

    df: DataFrame
    columns: Chosen
    classes: str

    @classmethod
    def of(cls, df: DataFrame, columns: Chosen) -> Frame:
        """The frame of a DataFrame; an error says which column is missing or of another type."""
        check_frame(df)
        for name in columns.names:
            check_column(df.columns, name)
        types, label = dict(df.dtypes), cast("str", columns.label)
        if types[columns.text] != "string":
            raise TextError(f"the column {columns.text!r} is of type {types[columns.text]}: texts are strings")
        if types[label] not in _CLASSES:
            raise LabelError(
                f"the column {label!r} is of type {types[label]}: labels are text, whole numbers or "
                "bool; cast it first"
            )
        kind = "double" if columns.weight is None else types[columns.weight]
        if kind.partition("(")[0] not in _WEIGHTS:
            raise SourceError(f"the column {columns.weight!r} is of type {kind}: weights are numbers; cast it first")
        selected = df.select(*(quoted(name) for name in dict.fromkeys(columns.names)))
        return cls(selected, columns, _CLASSES[types[label]])

    def count(self, settled: ModelSettings, least: int | None = None, wanted: Sequence[str] = ()) -> Summing:
        """The counts of all documents, added on the cluster.

        Terms in fewer than ``least`` documents are dropped there, unless they are terms of the ``wanted`` texts.
        """
        counting = partial(_count, self.columns, _portable(settled))
        if least is None:
            return self._summed(settled, counting)
        terms = _shipped(self.df, _terms_of(settled, wanted))
        return self._summed(settled, counting, partial(_prune, least, terms))

    def at_unit_length(self, settled: ModelSettings, first: Counts, scales: Array) -> Summing:
        """The counts of the same documents, each scaled to unit length; ``first`` are their counts before that."""
        data = to_bytes(Snapshot(settled.values, first))
        shipped = _shipped(self.df, (data, scales[first.sorted_ids()]))
        return self._summed(settled, partial(_count_again, self.columns, _portable(settled), shipped))

    def _summed(
        self, settled: ModelSettings, counting: BatchFunction, pruning: BatchFunction | None = None
    ) -> Summing:
        """The sums of the rows that ``counting`` makes; ``pruning`` drops some of them where they were added."""
        fractions = makes_fractions(settled.analyzer, weighted=self.columns.weight is not None)
        amounts = [*AMOUNTS, *(FRACTIONS if fractions else ())]
        schema = ", ".join(["term string", f"class {self.classes}", *(f"{name} bigint" for name in amounts)])
        rows = mapped(self.df, counting, schema)
        if pruning is not None:
            rows = rows.repartition("term")  # so that all rows of a term meet, and are added where they are
        rows = rows.groupBy("term", "class").agg(*(sql.sum(name).alias(name) for name in amounts))
        if pruning is not None:
            rows = rows.sortWithinPartitions("term")
        summing = Summing(settled.analyzer)
        for data in collected(mapped(rows, pruning or packed, SCHEMA)):
            summing.add(unpacked(data))
        return summing

    def sample(self, size: int, most_bytes: int) -> JoinedSample:
        """The sample of all documents."""
        for bound in bounds(size, most_bytes, *self._size()):
            joined = JoinedSample(size, most_bytes, bound, grouped=self.columns.group is not None)
            for data in collected(mapped(self.df, partial(_sample, self.columns, size, most_bytes, bound), SCHEMA)):
                joined.add(SamplePart.of_table(unpacked(data)))
            if joined.is_whole():
                break
        return joined

    def _size(self) -> tuple[int, int]:
        """The number of rows, and of characters of all texts."""
        row = self.df.agg(sql.count(sql.lit(1)), sql.sum(sql.length(quoted(self.columns.text)))).first()
        return (0, 0) if row is None else (row[0], row[1] or 0)

    def documents(self) -> Iterator[Labelled]:
        """All documents, which are sent to the driver one partition after the other: it holds only those of two."""
        slices = mapped(self.df, packed, SCHEMA).toLocalIterator(prefetchPartitions=True)
        return DocumentRows(self.columns).of(unpacked(row[0]) for row in slices)


def _portable(settled: ModelSettings) -> Mapping[str, object]:
    """Options from which a worker makes the same analyzer: it may lack the files that options name."""
    values = dict(settled.values)
    values["stop_words"] = settled.analyzer.stop_words
    values["negation"] = settled.analyzer.negation or "off"
    values["threads"] = values["threads"] or 1  # a task has one processor
    return values


def _terms_of(settled: ModelSettings, texts: Sequence[str]) -> pa.Array:
    """The terms of some texts, each once."""
    analyzer = settled.analyzer
    counts = _native.Counts.count(analyzer.native, [(analyzer.texts(list(texts)), None, None)], settled.threads)
    return pa.array(counts.spelled_rows(counts.ids())).cast(pa.string())


def _shipped(df: DataFrame, value: T) -> Callable[[], T]:
    """A function that returns the value on a worker, to which it is sent once."""
    context = getattr(df.sparkSession, "sparkContext", None)
    if context is None:
        return lambda: value
    broadcast = context.broadcast(value)
    return lambda: broadcast.value


# What runs on workers:


def _count(
    columns: Chosen, values: Mapping[str, object], batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    return count_rows(batches, columns, ModelSettings.of(values))


def _count_again(
    columns: Chosen,
    values: Mapping[str, object],
    shipped: Callable[[], tuple[bytes, Array]],
    batches: Iterable[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    settled, (data, scales) = ModelSettings.of(values), shipped()
    first = from_bytes(data, values["tokenizer"]).whole().counts  # type: ignore[arg-type]
    by_id = np.zeros(first.native.vocabulary_size)
    by_id[first.sorted_ids()] = scales

    def counting(documents: Iterable[Labelled]) -> Counts:
        again = Counts(first.analyzer, first.index, first.native, first.dropped)
        return again.at_unit_length(documents, by_id, settled.threads)

    return count_rows(batches, columns, settled, counting)


def _prune(least: int, wanted: Callable[[], pa.Array], batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    return packed(prune_rows(batches, least, wanted()))


def _sample(
    columns: Chosen, size: int, most_bytes: int, bound: int, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    for part in sample_parts(batches, columns, size, most_bytes, bound):
        yield pa.record_batch({"slice": [_bytes(part.to_table())]})


# Record batches travel to the driver as bytes, compressed, each in one row of a DataFrame:

SCHEMA = "slice binary"
SLICE_ROWS, SLICE_BYTES = 50_000, 16 << 20
"""A slice has about this many rows or bytes at most: a row counts as its bytes and its share of the rows."""


def packed(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The same rows in slices, each of them one row of bytes.

    Examples
    --------
    >>> import pyarrow as pa
    >>> slices = list(packed([pa.record_batch({"n": [1, 2]}), pa.record_batch({"n": [3]})]))
    >>> len(slices), unpacked(slices[0]["slice"][0].as_py()).to_pydict()
    (1, {'n': [1, 2, 3]})
    """
    for some in in_parts(batches, lambda each: each.nbytes + each.num_rows * SLICE_BYTES // SLICE_ROWS, SLICE_BYTES):
        yield pa.record_batch({"slice": [_bytes(pa.Table.from_batches(some).combine_chunks())]})


def _bytes(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def unpacked(data: bytes) -> pa.Table:
    """The rows of a slice."""
    return pa.ipc.open_stream(data).read_all()


def collected(slices: DataFrame) -> Iterator[bytes]:
    """The bytes of all slices. Workers make them at the same time; the driver holds the bytes of all of them."""
    rows = slices.collect()
    rows.reverse()
    while rows:
        yield rows.pop()[0]

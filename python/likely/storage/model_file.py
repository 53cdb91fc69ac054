"""Snapshots as model files: a Parquet table with one JSON document. A file holds data only, never code."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.counting.arrow import AMOUNTS, PART, WEIGHT, Exact, label_array
from likely.counting.counts import Counts
from likely.errors import LikelyError, ModelFileError
from likely.labels import LabelIndex
from likely.storage.atomic import read_whole, write_whole
from likely.storage.learned_weights import WeighedRows, weighed_table
from likely.storage.manifest import Manifest, parse_manifest, sign, write_manifest
from likely.storage.parquet_pages import KEY, MAGIC, SLACK, Skeleton, check_pages, read_footer
from likely.storage.snapshot import Snapshot
from likely.terminal import size_text
from likely.weighing.rules import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from likely.storage.prune import Pruning
    from likely.types import Label, Path, Tokenizer

_ROWS = 1 << 16
"""The number of rows that are read at a time."""


@dataclass(frozen=True)
class Saved:
    """The size of a model file, and what was dropped from the model before it was saved.

    Attributes
    ----------
    path : str
        The path of the file.
    size : int
        Its size in bytes.
    terms : int
        The number of terms in it.
    dropped_terms, kept_occurrences, kept_information
        What was dropped (`likely.storage.prune.Pruning`).
    """

    path: str
    size: int
    terms: int
    dropped_terms: int
    kept_occurrences: float
    kept_information: float

    def __str__(self) -> str:
        whole = f"{self.path}: {self.terms:,} terms, {size_text(self.size)}"
        if not self.dropped_terms:
            return whole
        return (
            f"{whole}; {self.dropped_terms:,} terms dropped, which leaves {self.kept_occurrences:.1%} of occurrences "
            f"and {self.kept_information:.1%} of the information"
        )


def save(snapshot: Snapshot, path: Path, pruning: Pruning) -> Saved:
    """Write a model to a file, completely or not at all; ``pruning`` describes what was dropped from it before."""
    data, name = to_bytes(snapshot), os.fspath(path)
    try:
        write_whole(name, data)
    except ModelFileError as error:
        raise ModelFileError(f"cannot save {name!r}: {error}") from error.__cause__
    return Saved(name, len(data), snapshot.counts.native.terms, *vars(pruning).values())


def load(path: Path, tokenizer: Tokenizer | None = None) -> Snapshot:
    """The snapshot of a model file; ``ModelFileError`` if it cannot be read."""
    try:
        return from_bytes(read_whole(path, MAGIC, KEY), tokenizer)
    except ModelFileError as error:
        raise ModelFileError(f"cannot load {os.fspath(path)!r}: {error}") from error.__cause__


def to_bytes(snapshot: Snapshot) -> bytes:
    """The bytes of a model file. The same counts and options give the same bytes.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> one, other = NaiveBayes().fit(["a b", "c"], [1, 2]), NaiveBayes().fit(["c", "a b"], [2, 1])
    >>> to_bytes(one.snapshot()) == to_bytes(other.snapshot())
    True
    """
    counts, learned = snapshot.counts, snapshot.learned
    document = write_manifest(snapshot)
    table = counts.table(exact=True) if learned is None else weighed_table(counts, learned)
    data = _written(table, document, packed=True)
    if 2 * table.nbytes > SLACK and not _is_moderate(data, len(counts.index.labels)):
        data = _written(table, document, packed=False)
    return sign(data)


def _written(table: pa.Table, document: bytes, *, packed: bool) -> bytes:
    import pyarrow.parquet as pq

    sink = io.BytesIO()
    names = table.column_names
    writer = pq.ParquetWriter(
        sink,
        table.schema,
        compression="zstd" if packed else "none",
        # A higher level makes terms smaller, but not columns of small numbers.
        compression_level={name: 9 if name == "term" else 1 for name in names} if packed else None,
        use_dictionary=["class"] if packed else False,
        column_encoding={"term": "DELTA_BYTE_ARRAY"} if packed else None,
        dictionary_pagesize_limit=1 << 30,
        write_statistics=False,
        store_schema=False,
    )
    with writer:
        if table.num_rows:
            writer.write_table(table, row_group_size=PART)
        writer.add_key_value_metadata({KEY: document})
    return sink.getvalue()


def _is_moderate(data: bytes, classes: int) -> bool:
    """Whether the file passes the check of its decompressed size: some tables compress too well."""
    try:
        check_pages(data, read_footer(data), classes)
    except ModelFileError:
        return False
    return True


def from_bytes(data: bytes, tokenizer: Tokenizer | None = None) -> Snapshot:
    """The snapshot that `to_bytes` wrote; ``ModelFileError`` if the bytes are anything else.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> from_bytes(to_bytes(NaiveBayes(alpha=0.5).fit(["a b", "c"], [1, 2]).snapshot())).options["alpha"]
    0.5
    """
    try:
        skeleton = read_footer(data)
        manifest = parse_manifest(data, skeleton.document, tokenizer)
        check_pages(data, skeleton, len(manifest.labels))
        return _snapshot(data, skeleton, manifest)
    except ModelFileError:
        raise
    except LikelyError as error:
        raise ModelFileError(f"it is not a valid model: {error}") from error
    # The parsers may raise any error for bytes that `likely` did not write.
    except Exception as error:
        raise ModelFileError(f"the file is damaged, or was not written by `likely` ({error!r})") from error


def _snapshot(data: bytes, skeleton: Skeleton, manifest: Manifest) -> Snapshot:
    analyzer, weighed = manifest.analyzer, None if manifest.bias is None else WeighedRows()
    native, lengths = _native.Counts.from_columns(
        analyzer.native,
        analyzer.ngrams[1] if analyzer.has_words else 0,
        analyzer.is_scaled,
        weighed is not None,
        (manifest.documents, manifest.tokens),
        _batches(data, list(skeleton.columns), manifest.labels, weighed),
    )
    counts, learned = Counts(analyzer, LabelIndex(manifest.labels), native, manifest.dropped), None
    if weighed is not None and manifest.bias is not None:
        learned = weighed.learned(counts.sorted_ids(), lengths, manifest.bias, Rules.of(manifest.options))
    return Snapshot(manifest.options, counts, learned, manifest.calibration, manifest.tuning, manifest.columns)


def _batches(
    data: bytes, columns: list[str], labels: list[Label], weighed: WeighedRows | None
) -> Iterator[tuple[pa.Array, npt.NDArray[np.uint32], Exact, Exact]]:
    """The rows of the table in batches: terms as bytes, ranks of classes, counts, document frequencies."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    optional = [f"{name}_fraction" for name in AMOUNTS]
    wanted = ["term", "class", *AMOUNTS, *([] if weighed is None else [WEIGHT])]
    if [name for name in columns if name not in optional] != wanted:
        raise ModelFileError("its columns are not those of a model")
    file = pq.ParquetFile(
        pa.BufferReader(data),
        read_dictionary=["class"],
        thrift_string_size_limit=len(data),
        thrift_container_size_limit=len(data),
    )
    values = label_array(labels)
    _check_types(file.schema_arrow, values.type)
    places = {label: place for place, label in enumerate(labels)}
    for batch in file.iter_batches(batch_size=_ROWS):
        counts, documents = (_exact(batch, name) for name in AMOUNTS)
        ranks = _ranks(batch.column("class"), places)
        if weighed is not None:
            weighed.weights.append(batch.column(WEIGHT).to_numpy())
            weighed.classes.append(ranks)
            weighed.counts.append(counts)
        yield batch.column("term").view(pa.binary()), ranks, counts, documents


def _check_types(schema: pa.Schema, label: pa.DataType) -> None:
    import pyarrow as pa

    label = pa.dictionary(pa.int32(), label) if pa.types.is_string(label) else label
    allowed = {"term": [pa.string()], "class": [label], WEIGHT: [pa.float32()]}
    allowed |= {name: [pa.int64(), pa.uint64()] for name in AMOUNTS}
    for each in schema:
        if each.type not in allowed.get(each.name, [pa.uint64()]):
            raise ModelFileError(f"its column {each.name!r} is of type {each.type}")


def _ranks(column: pa.Array, places: dict[Label, int]) -> npt.NDArray[np.uint32]:
    """The place of each value of the column among the labels."""
    import pyarrow as pa

    # No function here may import pyarrow.compute, which alone takes longer than reading a model.
    by_dictionary = isinstance(column, pa.DictionaryArray)
    distinct = (column.dictionary if by_dictionary else column).to_pylist()
    ranks = np.array([places.get(label, -1) for label in distinct], np.int64)
    if by_dictionary and len(column):
        ranks = ranks[column.indices.to_numpy()]
    if (ranks < 0).any():
        raise ModelFileError("a row has a class that is not one of its classes")
    return ranks.astype(np.uint32)


def _exact(batch: pa.RecordBatch, name: str) -> Exact:
    whole = batch.column(name).to_numpy()
    if whole.dtype == np.int64 and (whole < 0).any():
        raise ModelFileError("a count is negative")
    has_fraction = f"{name}_fraction" in batch.schema.names
    fraction = batch.column(f"{name}_fraction").to_numpy() if has_fraction else np.zeros(len(whole), np.uint64)
    return whole.astype(np.uint64, copy=False), fraction.astype(np.uint64, casting="equiv", copy=False)

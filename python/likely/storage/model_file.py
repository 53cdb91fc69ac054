"""Counts and options to bytes and back: a Parquet table with one JSON document, data only."""

from __future__ import annotations

import io
import os
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.counting.arrow import AMOUNTS, PART, WEIGHT, Exact, label_array
from likely.counting.counts import Counts
from likely.errors import LikelyError, ModelFileError
from likely.labels import LabelIndex
from likely.storage.atomic import read_whole, write_whole
from likely.storage.learned_weights import read_weights, weighed_table
from likely.storage.manifest import Manifest, parse_manifest, sign, write_manifest
from likely.storage.parquet_pages import KEY, MAGIC, SLACK, Skeleton, check_pages, read_footer
from likely.storage.prune import Kept, keep_some, parse_min_documents, parse_size
from likely.terminal import size_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

    from likely.model.learner import Learner
    from likely.types import Label

_ROWS = 1 << 16
"""So many rows are read at a time."""


@dataclass(frozen=True)
class Saved:
    """What was saved, and what was left out of it."""

    path: str
    size: int
    """In bytes."""
    terms: int
    dropped_terms: int
    kept_occurrences: float
    """The share of all occurrences of terms that is of the terms that were kept."""
    kept_information: float
    """The share of what all terms say about the classes (the sum of G2) that the terms say that were kept."""

    def __str__(self) -> str:
        whole = f"{self.path}: {self.terms:,} terms, {size_text(self.size)}"
        if not self.dropped_terms:
            return whole
        return (
            f"{whole}; {self.dropped_terms:,} terms dropped, which leaves {self.kept_occurrences:.1%} of occurrences "
            f"and {self.kept_information:.1%} of the information"
        )


def to_bytes(model: Learner, counts: Counts | None = None) -> bytes:
    """A model as bytes, or a model of these counts: the same counts and options give the same bytes.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["a b", "c"], [1, 2])
    >>> to_bytes(model) == to_bytes(NaiveBayes().fit(["c", "a b"], [2, 1]))
    True
    """
    from likely import __version__

    counts = model._counts if counts is None else counts
    # Weights that do not belong to the options as they are now could not be used.
    linear = counts.linear if counts.linear is not None and counts.linear.rules == model._rules(None) else None
    remembered = {"calibration": model._calibrated_for(model._rules(None)), "tuning": model._tuning}
    document = write_manifest(model.options() | {"task": None}, counts, linear, __version__, remembered)
    table = counts.table(exact=True) if linear is None else weighed_table(counts, linear)
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
        # Terms pack better the longer one tries; small numbers do not.
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


def save(model: Learner, path: str | os.PathLike[str], min_documents: int, max_size: int | str | None) -> Saved:
    """Write a model to a file; see `likely.NaiveBayes.save`."""
    with model._lock:
        return write(keep(model, min_documents, max_size), path, model._counts.native.terms)


def keep(model: Learner, min_documents: int, max_size: int | str | None) -> Kept:
    """What of a model is to be saved."""
    least, most = parse_min_documents(min_documents), None if max_size is None else parse_size(max_size)
    with model._lock:
        model._check_fitted()
        return keep_some(model._counts, least, most, lambda counts: to_bytes(model, counts))


def write(kept: Kept, path: str | os.PathLike[str], terms: int) -> Saved:
    """Write what of a model with so many terms is to be saved."""
    path = os.fspath(path)
    try:
        write_whole(path, kept.data)
    except ModelFileError as error:
        raise ModelFileError(f"cannot save {path!r}: {error}") from error.__cause__
    stay = kept.counts.native.terms
    return Saved(path, len(kept.data), stay, terms - stay, kept.occurrences, kept.information)


def load(model: Learner, path: str | os.PathLike[str], tokenizer: Any) -> None:
    """Make a fresh object the model of a file; ``ModelFileError`` says what is wrong with it."""
    try:
        restore(model, read_whole(path, MAGIC, KEY), tokenizer)
    except ModelFileError as error:
        raise ModelFileError(f"cannot load {os.fspath(path)!r}: {error}") from error.__cause__


def _is_moderate(data: bytes, classes: int) -> bool:
    """Whether the file may be read again: some tables pack so well that they look like an attack."""
    try:
        check_pages(data, read_footer(data), classes)
    except ModelFileError:
        return False
    return True


def restore(model: Learner, data: bytes, tokenizer: Any = None) -> None:
    """Make a fresh object the model that `to_bytes` wrote; ``ModelFileError`` for anything else.

    Examples
    --------
    >>> import pickle
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes(alpha=0.5).fit(["a b", "c"], [1, 2])
    >>> pickle.loads(pickle.dumps(model)).predict(["c"])
    array([2])
    """
    try:
        skeleton = read_footer(data)
        manifest = parse_manifest(data, skeleton.document, tokenizer)
        check_pages(data, skeleton, len(manifest.labels))
        counts = _counts(data, skeleton, manifest)
    except ModelFileError:
        raise
    except LikelyError as error:
        raise ModelFileError(f"it is no sound model: {error}") from error
    # Whatever a parser may raise on bytes that somebody else wrote, it means the same here.
    except Exception as error:
        raise ModelFileError(f"it is damaged, or likely has not written it ({error!r})") from error
    model.__init__(**manifest.options)  # type: ignore[misc]
    if counts.linear is not None:
        counts.linear = replace(counts.linear, rules=model._rules(None))
    model._start_from(counts)
    model._set_calibrated(manifest.calibration)
    model._tuning = manifest.tuning


def _counts(data: bytes, skeleton: Skeleton, manifest: Manifest) -> Counts:
    analyzer, rows = manifest.analyzer, _Rows(manifest.bias is not None)
    native, lengths = _native.Counts.from_columns(
        analyzer.native,
        analyzer.ngrams[1] if analyzer.has_words else 0,
        analyzer.is_scaled,
        rows.weighed,
        manifest.documents,
        _batches(data, list(skeleton.columns), manifest.labels, rows),
    )
    _, tokens = native.exact_totals()
    if not all(map(np.array_equal, tokens, manifest.tokens)):
        raise ModelFileError("the tokens of its classes are not those of its rows")
    linear = None
    if manifest.bias is not None:
        linear = read_weights(rows.weights, rows.classes, rows.counts, native.sorted_ids(), lengths, manifest.bias)
    return Counts(analyzer, LabelIndex(manifest.labels), native, manifest.dropped, linear)


@dataclass
class _Rows:
    """What is kept of the rows of a file, if they are weighed, until all have been read."""

    weighed: bool
    weights: list[npt.NDArray[np.float32]] = field(default_factory=list)
    classes: list[npt.NDArray[np.uint32]] = field(default_factory=list)
    counts: list[Exact] = field(default_factory=list)


def _batches(data: bytes, columns: list[str], labels: list[Label], rows: _Rows) -> Iterator[Any]:
    """The rows, some at a time: terms as bytes, ranks of classes, counts, documents."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    optional = [f"{name}_fraction" for name in AMOUNTS]
    wanted = ["term", "class", *AMOUNTS, *([WEIGHT] if rows.weighed else [])]
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
        terms = batch.column("term")
        counts, documents = (_exact(batch, name) for name in AMOUNTS)
        ranks = _ranks(batch.column("class"), places)
        if rows.weighed:
            rows.weights.append(batch.column(WEIGHT).to_numpy())
            rows.classes.append(ranks)
            rows.counts.append(counts)
        yield terms.view(pa.binary()), ranks, counts, documents


def _check_types(schema: pa.Schema, label: pa.DataType) -> None:
    import pyarrow as pa

    label = pa.dictionary(pa.int32(), label) if pa.types.is_string(label) else label
    allowed = {"term": [pa.string()], "class": [label], WEIGHT: [pa.float32()]}
    allowed |= {name: [pa.int64(), pa.uint64()] for name in AMOUNTS}
    for each in schema:
        if each.type not in allowed.get(each.name, [pa.uint64()]):
            raise ModelFileError(f"its column {each.name!r} is of type {each.type}")


def _ranks(column: pa.Array, places: dict[Label, int]) -> npt.NDArray[np.uint32]:
    """The place of each value among the labels."""
    import pyarrow as pa

    # Without what would import pyarrow.compute: that alone takes longer than reading a model.
    by_dictionary = isinstance(column, pa.DictionaryArray)
    distinct = (column.dictionary if by_dictionary else column).to_pylist()
    ranks = np.array([places.get(label, -1) for label in distinct], np.int64)
    if by_dictionary and len(column):
        ranks = ranks[column.indices.to_numpy()]
    if (ranks < 0).any():
        raise ModelFileError("a class is not among its classes")
    return ranks.astype(np.uint32)


def _exact(batch: pa.RecordBatch, name: str) -> Exact:
    whole = batch.column(name).to_numpy()
    if whole.dtype == np.int64 and (whole < 0).any():
        raise ModelFileError("a count is negative")
    has_fraction = f"{name}_fraction" in batch.schema.names
    fraction = batch.column(f"{name}_fraction").to_numpy() if has_fraction else np.zeros(len(whole), np.uint64)
    return whole.astype(np.uint64, copy=False), fraction.astype(np.uint64, casting="equiv", copy=False)

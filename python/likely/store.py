"""Counts and options to bytes and back: a Parquet table with one JSON document of metadata, data only."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.analyze import Analyzer
from likely.counts import Counts
from likely.errors import LikelyError, ModelDataError
from likely.labels import LabelIndex
from likely.options import with_defaults

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa

    from likely.learner import Learner

FORMAT = 1
_KEY = b"likely"
_AMOUNTS = ("count", "documents")


def to_bytes(model: Learner) -> bytes:
    """A model as bytes: the same counts and options give the same bytes.

    Examples
    --------
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes().fit(["a b", "c"], [1, 2])
    >>> to_bytes(model) == to_bytes(NaiveBayes().fit(["c", "a b"], [2, 1]))
    True
    """
    import pyarrow.parquet as pq

    counts = model._counts
    sink = io.BytesIO()
    table = _table(counts).replace_schema_metadata({_KEY: _metadata(model, counts)})
    pq.write_table(table, sink, compression="zstd", write_statistics=False, store_schema=True)
    return sink.getvalue()


def _metadata(model: Learner, counts: Counts) -> str:
    documents, fractions = counts.native.class_documents()
    options = model.get_params()
    if not isinstance(options["prior"], str):
        options["prior"] = sorted(options["prior"].items())
    options["ngrams"] = list(map(int, options["ngrams"]))
    classes = [
        {"label": counts.index.labels[c], "documents": int(documents[c]), "fraction": int(fractions[c])}
        for c in counts.live()
    ]
    return json.dumps(
        {
            "format": FORMAT,
            "options": options,
            "analyzer": vars(counts.analyzer) | {"native": None},
            "classes": classes,
        },
        sort_keys=True,
        default=float,
    )


def _table(counts: Counts) -> pa.Table:
    import pyarrow as pa

    ids = counts.native.sorted_ids()
    live = counts.live()
    ranks = np.zeros(len(counts.index.labels), np.int64)
    ranks[live] = np.arange(len(live))
    rank = ranks[counts.native.cell_classes(ids)]
    at = np.repeat(np.arange(len(ids)), counts.native.row_lengths(ids))
    order = np.lexsort((rank, at)) if len(at) else np.zeros(0, np.int64)
    labels = pa.array([counts.index.labels[c] for c in live])
    columns = {
        "term": pa.array(counts.native.spell(ids), pa.string()).take(pa.array(at[order])),
        "class": labels.take(pa.array(rank[order])),
    }
    for name in _AMOUNTS:
        whole, fraction = counts.native.exact_cells(ids, name == "documents")
        columns[name] = pa.array(whole[order])
        if fraction.any():
            columns[f"{name}_fraction"] = pa.array(fraction[order])
    return pa.table(columns)


def restore(model: Learner, data: bytes) -> None:
    """Make a fresh object the model that `to_bytes` wrote.

    Examples
    --------
    >>> import pickle
    >>> from likely import NaiveBayes
    >>> model = NaiveBayes(alpha=0.5).fit(["a b", "c"], [1, 2])
    >>> pickle.loads(pickle.dumps(model)).predict(["c"])
    array([2])
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(pa.BufferReader(data))
        metadata = json.loads((table.schema.metadata or {})[_KEY])
        if metadata["format"] != FORMAT:
            raise ModelDataError(f"the model has format {metadata['format']}; this version reads {FORMAT}")
        options = _options(metadata["options"])
        counts = _counts(table, metadata)
    except LikelyError:
        raise
    except (pa.ArrowException, KeyError, TypeError, ValueError, OverflowError) as error:
        raise ModelDataError(f"these bytes are no model, or a damaged one: {error}") from error
    model.__init__(**options)  # type: ignore[misc]
    model._start_from(counts)


def _options(stored: Mapping[str, Any]) -> dict[str, Any]:
    prior, ngrams = stored["prior"], tuple(stored["ngrams"])
    prior = prior if isinstance(prior, str) else dict(prior)
    return with_defaults({**stored, "prior": prior, "ngrams": ngrams})


def _counts(table: pa.Table, metadata: Mapping[str, Any]) -> Counts:
    stored = metadata["analyzer"]
    analyzer = Analyzer(stored["unit"], stored["shortest"], stored["longest"], stored["lowercase"])
    classes = metadata["classes"]
    index = LabelIndex(entry["label"] for entry in classes)
    terms, lengths = _terms(table)
    count, documents = (_exact(table, name) for name in _AMOUNTS)
    class_documents = (_u64(entry["documents"] for entry in classes), _u64(entry["fraction"] for entry in classes))
    labels = np.array([index.find(label) for label in table["class"].to_pylist()], np.uint32)
    native = _native.Counts.from_cells(analyzer.native, terms, lengths, labels, count, documents, class_documents)
    return Counts(analyzer, index, native)


def _terms(table: pa.Table) -> tuple[list[str], npt.NDArray[np.int64]]:
    """The distinct terms, which stand together, and how many rows each has."""
    column = table["term"].combine_chunks().dictionary_encode()
    terms, indices = column.dictionary.to_pylist(), column.indices.to_numpy()
    if (np.diff(indices) < 0).any():
        raise ModelDataError("the terms are not sorted, so this is no model or a damaged one")
    return terms, np.bincount(indices, minlength=len(terms)).astype(np.int64)


def _exact(table: pa.Table, name: str) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    whole = table[name].to_numpy().astype(np.uint64)
    has_fraction = f"{name}_fraction" in table.column_names
    fraction = table[f"{name}_fraction"].to_numpy() if has_fraction else np.zeros(len(whole), np.uint64)
    return np.ascontiguousarray(whole), np.ascontiguousarray(fraction)


def _u64(values: Any) -> npt.NDArray[np.uint64]:
    return np.array(list(values), np.uint64)

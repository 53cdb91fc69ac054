"""Counts and options to bytes and back: a Parquet table with one JSON document of metadata, data only."""

from __future__ import annotations

import hashlib
import io
import json
import numbers
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likely import _native
from likely.analyze import Analyzer
from likely.counts import AMOUNTS, Counts
from likely.errors import ModelFileError
from likely.labels import LabelIndex, python_labels
from likely.options import with_defaults

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa

    from likely.learner import Learner

FORMAT = 1
_KEY = b"likely"


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

    table = model._counts.table(exact=True)
    metadata = _metadata(model)
    metadata["digest"] = _digest(table, metadata)
    sink = io.BytesIO()
    table = table.replace_schema_metadata({_KEY: json.dumps(metadata, sort_keys=True)})
    pq.write_table(table, sink, compression="zstd", write_statistics=False, store_schema=True)
    return sink.getvalue()


def _metadata(model: Learner) -> dict[str, Any]:
    counts = model._counts
    options = model.get_params()
    if not isinstance(options["prior"], str):
        shares = [[_plain(label), float(share)] for label, share in options["prior"].items()]
        options["prior"] = sorted(shares, key=json.dumps)
    options = {name: _plain(value) for name, value in options.items()}
    documents, fractions = counts.native.class_documents()
    classes = [
        {"label": counts.index.labels[c], "documents": int(documents[c]), "fraction": int(fractions[c])}
        for c in counts.live()
    ]
    analyzer = counts.analyzer
    cut = {
        "analyzer": analyzer.unit,
        "ngrams": [analyzer.shortest, analyzer.longest],
        "lowercase": analyzer.lowercase,
    }
    return {"format": FORMAT, "options": options, "counted_with": cut, "classes": classes}


def _plain(value: Any) -> Any:
    """A value that JSON writes and reads unchanged: numpy's numbers become Python's."""
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    if value is None or isinstance(value, str | bool):
        return value
    if isinstance(value, np.bool_):
        return bool(value)
    return int(value) if isinstance(value, numbers.Integral) else float(value)


def _digest(table: pa.Table, metadata: Mapping[str, Any]) -> str:
    """SHA-256 of all that a model is, whatever the file around it looks like."""
    content = {name: value for name, value in metadata.items() if name != "digest"}
    digest = hashlib.sha256(json.dumps([table.column_names, content], sort_keys=True).encode())
    terms, lengths = _terms(table)
    digest.update("\0".join(terms).encode())
    for numbers_ in (lengths, _ranks(table, metadata), *(table[name].to_numpy() for name in table.column_names[2:])):
        digest.update(numbers_.astype("<u8").tobytes())
    return digest.hexdigest()


def _ranks(table: pa.Table, metadata: Mapping[str, Any]) -> npt.NDArray[np.int64]:
    """For each row the place of its class in the metadata."""
    import pyarrow as pa
    import pyarrow.compute as pc

    labels = pa.array([entry["label"] for entry in metadata["classes"]], table.schema.field("class").type)
    ranks = pc.index_in(table["class"], value_set=labels).combine_chunks()
    if ranks.null_count:
        raise ModelFileError("a class is not among the classes, so this is no model or a damaged one")
    found: npt.NDArray[np.int64] = ranks.to_numpy(zero_copy_only=False).astype(np.int64)
    return found


def restore(model: Learner, data: bytes) -> None:
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
        options, counts = _read(data)
    except ModelFileError:
        raise
    # Whatever a parser may raise on bytes that somebody else wrote, it means the same here.
    except Exception as error:
        raise ModelFileError(f"these bytes are no model, or a damaged one: {error}") from error
    model.__init__(**options)  # type: ignore[misc]
    model._start_from(counts)


def _read(data: bytes) -> tuple[dict[str, Any], Counts]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pq.read_table(pa.BufferReader(data))
    metadata = json.loads((table.schema.metadata or {})[_KEY])
    if metadata["format"] != FORMAT:
        raise ModelFileError(f"the model has format {metadata['format']}; this version reads {FORMAT}")
    if metadata["digest"] != _digest(table, metadata):
        raise ModelFileError("the model is damaged: its content does not match its digest")
    return _options(metadata["options"]), _counts(table, metadata)


def _options(stored: Mapping[str, Any]) -> dict[str, Any]:
    prior, ngrams = stored["prior"], tuple(stored["ngrams"])
    prior = prior if isinstance(prior, str) else dict(prior)
    return with_defaults({**stored, "prior": prior, "ngrams": ngrams})


def _counts(table: pa.Table, metadata: Mapping[str, Any]) -> Counts:
    cut = metadata["counted_with"]
    analyzer = Analyzer.of(with_defaults(cut | {"ngrams": tuple(cut["ngrams"])}))
    classes = metadata["classes"]
    index = LabelIndex(python_labels([entry["label"] for entry in classes]))
    if len(index.labels) != len(classes) or index.labels != sorted(index.labels):
        raise ModelFileError("the classes are not sorted, so this is no model or a damaged one")
    terms, lengths = _terms(table)
    ranks = _ranks(table, metadata)
    count, documents = (_exact(table, name) for name in AMOUNTS)
    of_classes = (_u64(entry["documents"] for entry in classes), _u64(entry["fraction"] for entry in classes))
    if not all((whole | fraction).all() for whole, fraction in (count, documents, of_classes)):
        raise ModelFileError("a count is 0, so this is no model or a damaged one")
    same_term = np.repeat(np.arange(len(terms)), lengths)
    if (np.diff(ranks)[np.diff(same_term) == 0] <= 0).any():
        raise ModelFileError("the classes of a term are not sorted, so this is no model or a damaged one")
    if analyzer.unit == "word" and max((term.count(" ") for term in terms), default=0) >= analyzer.longest:
        raise ModelFileError("a term has too many words, so this is no model or a damaged one")
    native = _native.Counts.from_cells(
        analyzer.native, terms, lengths, ranks.astype(np.uint32), count, documents, of_classes
    )
    return Counts(analyzer, index, native)


def _terms(table: pa.Table) -> tuple[list[str], npt.NDArray[np.int64]]:
    """The distinct terms, which stand together, and how many rows each has."""
    column = table["term"].combine_chunks().dictionary_encode()
    terms, indices = column.dictionary.to_pylist(), column.indices.to_numpy()
    if (np.diff(indices) < 0).any() or terms != sorted(terms):
        raise ModelFileError("the terms are not sorted, so this is no model or a damaged one")
    return terms, np.bincount(indices, minlength=len(terms)).astype(np.int64)


def _exact(table: pa.Table, name: str) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64]]:
    whole = table[name].to_numpy().astype(np.uint64, casting="safe")
    has_fraction = f"{name}_fraction" in table.column_names
    fraction = table[f"{name}_fraction"].to_numpy() if has_fraction else np.zeros(len(whole), np.uint64)
    return np.ascontiguousarray(whole), np.ascontiguousarray(fraction)


def _u64(values: Any) -> npt.NDArray[np.uint64]:
    return np.array(list(values), np.uint64)

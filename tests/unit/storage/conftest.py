"""Model files as a forger would write them, who knows all about them."""

from __future__ import annotations

import io
import itertools
import json
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from likely import NaiveBayes
from likely.core import manifest
from likely.core.file import from_bytes, to_bytes

Reviews = tuple[list[str], list[str]]


@pytest.fixture
def data(reviews: Reviews) -> bytes:
    return to_bytes(NaiveBayes(ngrams=(1, 2)).fit(*reviews)._snapshot())


def restored(data: bytes) -> NaiveBayes:
    return NaiveBayes._from_snapshot(from_bytes(data))


def read(data: bytes, **how: Any) -> tuple[pa.Table, dict[str, Any]]:
    file = pq.ParquetFile(pa.BufferReader(data), **how)
    return file.read(), json.loads(file.metadata.metadata[b"likely"])


def forged(table: pa.Table, document: Any, parts: Any = (), **how: Any) -> bytes:
    """A file as somebody would write it who knows all about it; further row groups begin at the rows ``parts``."""
    sink = io.BytesIO()
    columns = [name for name in table.column_names if name != "class"]
    settings = {
        "compression": "zstd",
        "use_dictionary": ["class"] if "class" in table.column_names else False,
        "column_encoding": {name: "DELTA_BYTE_ARRAY" if name == "term" else "PLAIN" for name in columns},
        "write_statistics": False,
        "store_schema": False,
    }
    schema = pa.schema([field.with_nullable(False) for field in table.schema])
    with pq.ParquetWriter(sink, schema, **(settings | how)) as writer:
        for start, end in itertools.pairwise([0, *parts, len(table)]):
            writer.write_table(table.slice(start, end - start).cast(schema))
        if isinstance(document, dict):
            document = json.dumps(document | {"digest": "0" * 64}, separators=(",", ":"))
        writer.add_key_value_metadata({"likely": document})
    content = sink.getvalue()
    return manifest.sign(content) if b'"digest":"000' in content else content


Change = Callable[[dict[str, Any]], Any]


def with_class(document: dict[str, Any], **changes: Any) -> dict[str, Any]:
    *others, last = document["classes"]
    return document | {"classes": [*others, last | changes]}


def plus(table: pa.Table, name: str, values: Any) -> pa.Table:
    at = table.column_names.index(name)
    return table.set_column(at, name, values if isinstance(values, pa.Array | pa.ChunkedArray) else pa.array(values))


@pytest.fixture
def learned(reviews: Reviews) -> bytes:
    return to_bytes(NaiveBayes(variant="nbsvm", ngrams=(1, 2)).fit(*reviews)._snapshot())


def without(values: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in values.items() if key != name}

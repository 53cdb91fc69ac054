"""Pages of a Parquet file: what they claim is checked before anything is unpacked."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from likely import NaiveBayes
from likely.errors import ModelFileError
from likely.storage import manifest
from likely.storage.model_file import to_bytes

from .conftest import Reviews, forged, read, restored


@pytest.mark.parametrize(
    "how",
    [
        {"compression": "gzip"},
        {"compression": "snappy"},
        {"data_page_version": "2.0"},
        {"store_schema": True},
        {"use_dictionary": True, "column_encoding": None},
        {"use_byte_stream_split": ["count"], "column_encoding": {"term": "PLAIN", "documents": "PLAIN"}},
        {"column_encoding": {"count": "DELTA_BINARY_PACKED", "term": "PLAIN"}},
        {"column_encoding": {"term": "DELTA_LENGTH_BYTE_ARRAY"}},
        {"write_page_index": True, "write_statistics": True},
    ],
)
def test_what_we_do_not_write_is_not_read(data: bytes, how: dict[str, Any]) -> None:
    with pytest.raises(ModelFileError):
        restored(forged(*read(data), **how))


@pytest.fixture
def little_memory() -> Iterator[None]:
    """Whatever needs more than a gigabyte beyond what there is fails."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 30), before[1]))
    yield
    resource.setrlimit(resource.RLIMIT_AS, before)


def many_rows(rows: int, terms: Any = None) -> pa.Table:
    ones = pa.array(np.ones(rows, np.int64))
    terms = pa.array(["a"]).take(pa.array(np.zeros(rows, np.int64))) if terms is None else terms
    return pa.table({"term": terms, "class": pa.array(["+"]).take(pa.array(np.zeros(rows, int))), "count": ones})


@pytest.mark.usefixtures("little_memory")
def test_a_few_bytes_do_not_become_many_rows(data: bytes) -> None:
    table = many_rows(5_000_000)
    bomb = forged(table.append_column("documents", table["count"]), read(data)[1], compression_level=9)
    assert len(bomb) < 200_000
    with pytest.raises(ModelFileError, match="decompress to more than"):
        restored(bomb)


@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("name", ["count", "term", "documents"])
def test_runs_in_dictionaries_do_not_become_many_rows(data: bytes, name: str) -> None:
    table = many_rows(1_000_000)
    table = table.append_column("documents", table["count"])
    with pytest.raises(ModelFileError, match=r"dictionary|does not write"):
        restored(forged(table, read(data)[1], use_dictionary=[name, "class"], column_encoding=None))


@pytest.mark.usefixtures("little_memory")
def test_terms_that_share_their_beginnings_do_not_fill_the_memory(data: bytes) -> None:
    prefix = "x" * 200_000
    table = many_rows(1000, pa.array([f"{prefix}{at:04}" for at in range(1000)]))
    bomb = forged(table.append_column("documents", table["count"]), read(data)[1])
    assert len(bomb) < 10_000
    with pytest.raises(ModelFileError, match="decompress to more than"):
        restored(bomb)


@pytest.mark.usefixtures("little_memory")
@pytest.mark.parametrize("field", ["size", "packed", "values"])
def test_a_page_that_says_it_is_huge_is_refused(data: bytes, field: str) -> None:
    """The header of the first page: type, size, packed size, and the number of values of a data page."""
    document = read(data)[1]
    unsigned = bytearray(data.replace(document["digest"].encode(), b"0" * 64))
    fields = varints(data, 4)
    start, end = fields[{"size": 1, "packed": 2, "values": 3}[field]]
    huge = (2**31 - 1) * 2 if end - start == 5 else (1 << 7 * (end - start)) - 2
    unsigned[start:end] = bytes(
        (huge >> 7 * k & 127) | (128 if k < end - start - 1 else 0) for k in range(end - start)
    )
    with pytest.raises(ModelFileError):
        restored(manifest.sign(bytes(unsigned)))


def varints(data: bytes, at: int) -> list[tuple[int, int]]:
    """Where the numbers of a page header are: each after the byte that names its field."""
    found = []
    for _ in range(4):
        at += 1 if data[at] != 0x2C else 2  # 0x2c opens the struct of a data page
        start = at
        while data[at] & 128:
            at += 1
        at += 1
        found.append((start, at))
    return found


def test_a_model_that_packs_too_well_is_written_so_that_it_is_read() -> None:
    """Hundreds of classes of the same text look like an attack; such a model is written plain."""
    text = " ".join(f"{'word' * 50}{at}" for at in range(1000))
    model = NaiveBayes().fit([text] * 300, list(range(300)))
    data = to_bytes(model.snapshot())
    assert to_bytes(restored(data).snapshot()) == data
    assert pq.ParquetFile(pa.BufferReader(data)).metadata.row_group(0).column(0).compression == "UNCOMPRESSED"


@pytest.mark.parametrize(
    "footer",
    [b"", b"\x19" * 100_000, b"\x1c" * 100_000, b"\x19\xfc\xff\xff\xff\xff\x07", b"\x18\xff\xff\xff\x7f"],
)
def test_footers_that_are_made_up_are_refused(footer: bytes) -> None:
    with pytest.raises(ModelFileError):
        restored(b"PAR1" + footer + len(footer).to_bytes(4, "little") + b"PAR1")


@pytest.fixture
def model(reviews: Reviews) -> NaiveBayes:
    return NaiveBayes().fit(*reviews)

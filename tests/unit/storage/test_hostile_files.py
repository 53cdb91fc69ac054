"""Files that ask for more than they hold: what they claim is checked before anything is reserved or unpacked."""

from __future__ import annotations

import copy
import itertools
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from likely import NaiveBayes
from likely.core import manifest
from likely.core.file import to_bytes
from likely.errors import ModelFileError

from .conftest import Reviews, forged, read, restored
from .parquet_tree import (
    BINARY,
    I32,
    I64,
    Elements,
    Field,
    Struct,
    chunks,
    joined,
    pages,
    split,
    varint,
    with_pages,
    written,
    zigzag,
)


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


LOADING = """
import resource, sys
from pathlib import Path
import likely
used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + (256 << 20), used + (256 << 20)))
for path in sys.argv[1:]:
    try:
        likely.load(path)
    except likely.errors.ModelFileError as error:
        print(error)
"""


@pytest.fixture
def refusal(tmp_path: Path) -> Callable[..., str]:
    """Why files are refused, line by line, in a process that may take 256 MiB and dies if it wants more."""

    def refusal(*files: bytes) -> str:
        paths = [tmp_path / f"{number}.likely" for number in range(len(files))]
        for path, data in zip(paths, files, strict=True):
            path.write_bytes(data)
        command = [sys.executable, "-c", LOADING, *map(str, paths)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), done.stderr[-1000:]
        return done.stdout

    return refusal


def many_rows(rows: int, terms: Any = None) -> pa.Table:
    ones = pa.array(np.ones(rows, np.int64))
    terms = pa.array(["a"]).take(pa.array(np.zeros(rows, np.int64))) if terms is None else terms
    return pa.table({"term": terms, "class": pa.array(["+"]).take(pa.array(np.zeros(rows, int))), "count": ones})


def test_a_few_bytes_do_not_become_many_rows(data: bytes, refusal: Callable[..., str]) -> None:
    table = many_rows(5_000_000)
    bomb = forged(table.append_column("documents", table["count"]), read(data)[1], compression_level=9)
    assert len(bomb) < 200_000
    assert "would decompress to more than 100 times its size" in refusal(bomb)


@pytest.mark.parametrize("name", ["count", "term", "documents"])
def test_runs_in_dictionaries_do_not_become_many_rows(data: bytes, name: str, refusal: Callable[..., str]) -> None:
    table = many_rows(1_000_000)
    table = table.append_column("documents", table["count"])
    bomb = forged(table, read(data)[1], use_dictionary=[name, "class"], column_encoding=None)
    assert f"its column '{name}' has a page that `likely` does not write" in refusal(bomb)


def test_terms_that_share_their_beginnings_do_not_fill_the_memory(data: bytes, refusal: Callable[..., str]) -> None:
    prefix = "x" * 200_000
    table = many_rows(1000, pa.array([f"{prefix}{at:04}" for at in range(1000)]))
    bomb = forged(table.append_column("documents", table["count"]), read(data)[1])
    assert len(bomb) < 10_000
    assert "would decompress to more than 100 times its size" in refusal(bomb)


# Stories ---------------------------------------------------------------------------------------------------------
# Two readers of one file can be told two different stories. Now there is one reader.


def packed_lengths(lengths: list[int]) -> bytes:
    """Numbers in the encoding DELTA_BINARY_PACKED, in blocks of 128 in 4 parts."""
    found = varint(128) + varint(4) + varint(len(lengths)) + zigzag(lengths[0])
    differences = [after - before for before, after in itertools.pairwise(lengths)]
    for start in range(0, len(differences), 128):
        block = differences[start : start + 128]
        least = min(block)
        parts = [[each - least for each in block[at : at + 32]] for at in range(0, 128, 32)]
        widths = [max(part, default=0).bit_length() for part in parts]
        found += zigzag(least) + bytes(widths)
        for part, width in zip(parts, widths, strict=True):
            bits = sum(each << width * at for at, each in enumerate(part))
            found += bits.to_bytes(4 * width if part else 0, "little")
    return found


def same_terms(rows: int, length: int) -> bytes:
    """A page with the same long term in each row, which is written once."""
    shared, own = [0, *[length] * (rows - 1)], [length, *[0] * (rows - 1)]
    return packed_lengths(shared) + packed_lengths(own) + b"x" * length


def with_term_page(data: bytes, change: Callable[[Struct, bytes], bytes]) -> bytes:
    """The file with another page of terms, of which ``change`` changes the header."""
    body, footer = split(data)
    found = pages(body)
    header, _ = found[0]
    page = change(header, bytes(pa.compress(same_terms(ROWS, LENGTH), codec="zstd")))
    header.set(3, len(page))
    unsigned = with_pages(footer, [(header, page), *found[1:]])
    return manifest.sign(unsigned.replace(digest_of(data), b"0" * 64))


def digest_of(data: bytes) -> bytes:
    return str(read(data)[1]["digest"]).encode()


ROWS, LENGTH = 10_000, 200_000
"""Enough for two gigabytes of terms."""


@pytest.fixture
def many(data: bytes) -> bytes:
    """A file with many rows, whose terms are written plain."""
    table = many_rows(ROWS)
    encodings = dict.fromkeys(("term", "count", "documents"), "PLAIN")
    return forged(
        table.append_column("documents", table["count"]),
        read(data)[1],
        column_encoding=encodings,
        data_page_size=1 << 24,
    )


def test_a_field_cannot_have_two_numbers(many: bytes, refusal: Callable[..., str]) -> None:
    """A reader with 16-bit numbers takes field 65538 for field 2: another size, and another encoding."""

    def change(header: Struct, page: bytes) -> bytes:
        header.fields.append(Field(65_538, I32, len(same_terms(ROWS, LENGTH))))
        header[5].fields.append(Field(65_538, I32, 7))
        return page

    bomb = with_term_page(many, change)
    assert len(bomb) < 10_000
    assert "it has a field that Parquet does not have" in refusal(bomb)


def test_a_list_has_elements_of_the_kind_that_it_says(many: bytes, refusal: Callable[..., str]) -> None:
    """A reader that does not look at the kind reads the text in the list as further fields, which win."""
    body, footer = split(many)
    chunk = chunks(footer)[0]
    hidden = Struct([Field(9, I64, 4, full=True), Field(7, I64, 100, full=True)])
    chunk.set(2, Elements(BINARY, [written(hidden)[:-1]]))
    bomb = manifest.sign(joined(body, footer).replace(digest_of(many), b"0" * 64))
    # The list is passed over as what it says it is, and the pages are where they were.
    assert "the classes of a term are not sorted" in refusal(bomb)
    chunk.set(3, Elements(I32, [1]))
    bomb = manifest.sign(joined(body, footer).replace(digest_of(many), b"0" * 64))
    assert "a list has elements of another kind" in refusal(bomb)


def test_a_page_that_says_what_it_is_may_be_too_large(many: bytes, refusal: Callable[..., str]) -> None:
    def change(header: Struct, page: bytes) -> bytes:
        header.set(2, len(same_terms(ROWS, LENGTH)))
        header[5].set(2, 7)
        return page

    assert "would decompress to more than 100 times its size" in refusal(with_term_page(many, change))


@pytest.mark.parametrize("field", ["size", "packed", "values", "rows", "chunk", "children", "elements"])
def test_nothing_that_says_it_is_huge_is_believed(data: bytes, field: str, refusal: Callable[..., str]) -> None:
    numbers = [2**20, 2**24, 2**31 - 1, 2**31, 2**62, -1, -(2**31)]
    files = [claiming(data, field, number) for number in numbers]
    assert refusal(*files).count("cannot load") == len(files)


def claiming(data: bytes, field: str, number: int) -> bytes:
    """The file with another number in a header of a page or in the footer."""
    body, footer = split(data)
    found = pages(body)
    header, _ = found[0]
    if field in ("size", "packed"):
        header.set(2 if field == "size" else 3, number)
    elif field == "values":
        header[5].set(1, number)
    changed = with_pages(footer, found)
    if field in ("rows", "chunk"):
        chunks(footer)[0].set(5 if field == "rows" else 7, number)
    elif field == "children":
        footer[2].items[0].set(5, number)
    elif field == "elements":
        footer[4].claimed = max(number, 0)
    if field in ("rows", "chunk", "children", "elements"):
        changed = joined(body, footer)
    return manifest.sign(changed.replace(digest_of(data), b"0" * 64))


def test_many_row_groups_of_many_classes_take_no_longer_than_few() -> None:
    model = NaiveBayes().fit(["a"] * 20_000, list(range(20_000)))
    data = to_bytes(model._snapshot())
    body, footer = split(data)
    nothing = copy.deepcopy(footer[4].items[0])
    nothing.set(3, 0)
    for column in nothing[1].items:
        chunk = column[3]
        chunk.fields = [each for each in chunk.fields if each.number != 11]
        for number, value in {5: 0, 7: 0, 9: len(body)}.items():
            chunk.set(number, value)
    footer[4].items += [nothing] * 8000
    many = manifest.sign(joined(body, footer).replace(digest_of(data), b"0" * 64))
    before = time.process_time()
    assert restored(many).classes_.size == 20_000
    assert time.process_time() - before < 2


def test_a_compressed_page_that_is_longer_than_it_says_is_refused(data: bytes, refusal: Callable[..., str]) -> None:
    body, footer = split(data)
    found = pages(body)
    header, _ = found[-1]
    bomb = bytes(pa.compress(bytes(1 << 30), codec="zstd"))
    header.set(3, len(bomb))
    found[-1] = header, bomb
    unsigned = with_pages(footer, found).replace(digest_of(data), b"0" * 64)
    assert "a page of it is damaged" in refusal(manifest.sign(unsigned))


def test_a_message_has_no_more_than_the_beginning_of_a_name(data: bytes) -> None:
    table, document = read(data)
    name = "a\n" * 100_000
    with pytest.raises(ModelFileError, match=r"its column 'a\\na\\n.* is of a type that no model has") as caught:
        restored(forged(table.append_column(name, pa.array([1.5] * len(table))), document))
    assert len(str(caught.value)) < 200


# Damage ----------------------------------------------------------------------------------------------------------


def test_whatever_is_damaged_a_file_is_refused_or_can_be_used() -> None:
    """`make fuzz` runs many more cases."""
    first, count = int(os.environ.get("LIKELY_FUZZ_FIRST", "0")), int(os.environ.get("LIKELY_FUZZ", "1500"))
    command = [sys.executable, "-m", "tests.unit.storage.fuzz", str(first), str(count)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[3])
    assert done.returncode == 0, f"case {done.stdout[-20:].split()[-1:]} failed:\n{done.stderr[-3000:]}"
    assert f"{count} files" in done.stdout


def test_a_model_that_packs_too_well_is_written_so_that_it_is_read() -> None:
    """Hundreds of classes of the same text look like an attack; such a model is written plain."""
    text = " ".join(f"{'word' * 50}{at}" for at in range(1000))
    model = NaiveBayes().fit([text] * 300, list(range(300)))
    data = to_bytes(model._snapshot())
    assert to_bytes(restored(data)._snapshot()) == data
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

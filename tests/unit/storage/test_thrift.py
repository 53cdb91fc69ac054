"""Thrift's compact protocol: what others write is read, and nothing that is made up does harm."""

from __future__ import annotations

import io
import time

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from likely.errors import ModelFileError
from likely.storage import thrift
from likely.storage.thrift import DEEPEST, Reader


def number(value: int) -> bytes:
    """A number of variable length, seven bits per byte, the lowest first."""
    found = bytearray()
    while value > 127:
        found.append(value & 127 | 128)
        value >>= 7
    return bytes([*found, value])


def signed(value: int) -> bytes:
    return number(value << 1 if value >= 0 else (-value << 1) - 1)


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1, max_size=14))
def test_numbers_of_any_size_are_read(values: list[int]) -> None:
    data = b"".join(b"\x16" + signed(value) for value in values) + b"\x00"
    assert Reader(data).struct() == dict(enumerate(values, 1))


@given(st.lists(st.binary(max_size=40), max_size=40))
def test_lists_of_strings_are_read(values: list[bytes]) -> None:
    head = bytes([len(values) << 4 | 8]) if len(values) < 15 else b"\xf8" + number(len(values))
    data = b"\x19" + head + b"".join(number(len(value)) + value for value in values) + b"\x00"
    assert Reader(data).struct() == {1: values}


def test_truth_values_doubles_and_fields_far_apart() -> None:
    data = b"\x11\x12\x17" + b"\x00" * 7 + b"\x40" + b"\x05" + signed(300) + signed(-7) + b"\x00"
    assert Reader(data).struct() == {1: True, 2: False, 3: b"\x00" * 7 + b"\x40", 300: -7}


def test_the_footer_that_arrow_writes_is_read() -> None:
    sink = io.BytesIO()
    pq.write_table(pa.table({"term": ["a", "b"], "count": [1, 2]}), sink, store_schema=False)
    data = sink.getvalue()
    length = int.from_bytes(data[-8:-4], "little")
    footer = Reader(data, len(data) - 8 - length, len(data) - 8).struct()
    assert [field[4] for field in footer[2]] == [b"schema", b"term", b"count"]
    assert footer[3] == 2, "the number of rows"


@given(st.binary(max_size=200))
def test_any_bytes_are_values_or_an_error_of_ours(data: bytes) -> None:
    reader = Reader(data)
    try:
        reader.struct()
    except ModelFileError:
        return
    assert reader.at <= len(data)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "ends in the middle"),
        (b"\x15", "ends in the middle"),
        (b"\x18\x05abc", "a value is longer than the file"),
        (b"\x18" + number(2**62) + b"abc", "a value is longer than the file"),
        (b"\x19\xf8" + number(2**40), "a list is longer than the file"),
        (b"\x15\x02\x05\x02\x04\x00", "it has a field twice"),
        (b"\x16" + b"\xff" * 10, "too many digits"),
        (b"\x1b\x00", "unknown kind 11"),
        (b"\x1d\x00", "unknown kind 13"),
        (b"\x1c" * (DEEPEST + 2), "nested too deeply"),
        (b"\x19" * (2 * DEEPEST + 2), "nested too deeply"),
    ],
)
def test_what_is_made_up_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(ModelFileError, match=message):
        Reader(data).struct()


def test_nothing_is_read_beyond_the_end_that_is_given() -> None:
    data = b"\x15\x02\x00" + b"\x15\x04\x00"
    assert Reader(data, 3).struct() == {1: 2}
    with pytest.raises(ModelFileError, match="ends in the middle"):
        Reader(data, 0, 2).struct()


def test_more_values_than_any_model_has_are_given_up_soon() -> None:
    data = b"\x19\xf3" + number(thrift.MOST + 10) + bytes(thrift.MOST + 10) + b"\x00"
    begun = time.perf_counter()
    with pytest.raises(ModelFileError, match="more values than any model"):
        Reader(data).struct()
    assert time.perf_counter() - begun < 30

"""Compressed files are read to their end, and damage is an error."""

from __future__ import annotations

import bz2
import gzip
import io
import random
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from likely import _native
from likely.reading.stream import DECOMPRESSED, ERRORS, RestartedFile, ZstdFile

if TYPE_CHECKING:
    from _typeshed import SupportsRead

RNG = random.Random(3)
DATA = bytes(RNG.choice(b"abcdefgh \n") for _ in range(600_000))


def zstd(data: bytes) -> bytes:
    return bytes(pa.compress(data, "zstd", asbytes=True))


COMPRESS: dict[str, Callable[[bytes], bytes]] = {".gz": gzip.compress, ".bz2": bz2.compress, ".zst": zstd}


def read_all(source: SupportsRead[bytes], size: int) -> bytes:
    parts = []
    while part := source.read(size):
        assert len(part) <= size
        parts.append(part)
    return b"".join(parts)


@pytest.mark.parametrize("suffix", COMPRESS)
@pytest.mark.parametrize("size", [1000, 1 << 20])
def test_several_parts_are_one_file(suffix: str, size: int) -> None:
    packed = COMPRESS[suffix](DATA) + COMPRESS[suffix](b"") + COMPRESS[suffix](b"more")
    assert read_all(DECOMPRESSED[suffix](io.BytesIO(packed)), size) == DATA + b"more"


@pytest.mark.parametrize("suffix", COMPRESS)
def test_a_file_that_ends_too_early_is_an_error(suffix: str) -> None:
    packed = COMPRESS[suffix](DATA)
    for length in (len(packed) - 1, len(packed) // 2, 9):
        with pytest.raises(ERRORS):
            read_all(DECOMPRESSED[suffix](io.BytesIO(packed[:length])), 1 << 20)


@pytest.mark.parametrize("suffix", COMPRESS)
def test_a_damaged_file_is_an_error_or_another_text(suffix: str) -> None:
    packed = bytearray(COMPRESS[suffix](DATA))
    packed[len(packed) // 2] ^= 0xFF
    with suppress(*ERRORS):
        assert read_all(DECOMPRESSED[suffix](io.BytesIO(packed)), 1 << 20) != DATA


def test_frames_that_are_to_be_skipped_are_skipped() -> None:
    skippable = b"\x50\x2a\x4d\x18" + (5).to_bytes(4, "little") + b"notes"
    packed = zstd(b"one ") + skippable + zstd(b"two") + skippable
    assert read_all(DECOMPRESSED[".zst"](io.BytesIO(packed)), 100) == b"one two"


def test_what_has_been_read_already_comes_first() -> None:
    rest = RestartedFile(b"abc", io.BytesIO(b"def"))
    assert (rest.read(2), rest.read(2), rest.read()) == (b"ab", b"c", b"def")


def test_at_most_the_wanted_size_is_decompressed() -> None:
    text = random.Random(1).randbytes(3 << 20)
    file = DECOMPRESSED[".zst"](io.BytesIO(zstd(text)))
    sizes = [1 << 20, 10, 1 << 19, 7, 1 << 21]
    parts = [file.read(size) for size in sizes]
    assert all(0 < len(part) <= size for part, size in zip(parts, sizes, strict=True))
    while part := file.read(1 << 20):
        parts.append(part)
    assert b"".join(parts) == text


@pytest.mark.parametrize("size", [0, 1, 1000, 200_000, 600_000, 700_000])
def test_a_file_of_zstandard_is_filled_behind_what_is_there(size: int) -> None:
    file = ZstdFile(io.BytesIO(zstd(DATA[:300_000]) + zstd(DATA[300_000:])))
    assert file.fill(b"row", size) == b"row" + DATA[:size]
    assert file.fill(b"", 700_000) == DATA[size:]
    assert file.fill(b"row", 5) == b"row"


def test_a_source_of_something_else_than_bytes_is_refused() -> None:
    with pytest.raises(TypeError):
        _native.Zstd(lambda _: "text").fill(b"", 5)  # type: ignore[arg-type, return-value]


def test_an_error_of_the_source_is_that_of_the_file() -> None:
    def read(_: int) -> bytes:
        raise OSError("the disk is gone")

    with pytest.raises(OSError, match="the disk is gone"):
        _native.Zstd(read).fill(b"", 5)

"""Bytes of files, unpacked."""

from __future__ import annotations

import gzip
import random
from pathlib import Path

import pyarrow as pa
import pytest
from likely.errors import SourceError
from likely.reading.stream import Stream

from tests.unit.reading.conftest import ROWS, as_csv, rows_of


def test_compressed_files_that_break_off(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(as_csv(ROWS * 1000))[:-20])
    with pytest.raises(SourceError, match=r"a\.csv\.gz"):
        rows_of(path)


def test_a_file_may_start_with_a_frame_that_zstd_skips(tmp_path: Path) -> None:
    frame = b"\x5a\x2a\x4d\x18" + (4).to_bytes(4, "little") + b"note"
    path = tmp_path / "a.csv.zst"
    path.write_bytes(2 * frame + pa.compress(as_csv(ROWS), "zstd", asbytes=True))
    assert rows_of(path) == ROWS


def test_a_file_that_is_compressed_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(gzip.compress(as_csv(ROWS))))
    with pytest.raises(SourceError, match=r"a\.csv\.gz is compressed twice: unpack it once"):
        rows_of(path)


@pytest.mark.parametrize("patient", [True, False])
def test_bytes_are_read_behind_those_of_a_row_that_has_begun(patient: bool, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_bytes(b"one two")
    stream = Stream(path, patient=patient)
    assert stream.read(begun=b"row: ") == b"row: one two"
    assert stream.read(begun=b"row: ") == b"row: "
    assert stream.read() == b""
    stream.close()


@pytest.mark.parametrize("behind", [1 << 20, (1 << 20) + 1, 3 << 20])
@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "ascii"])
@pytest.mark.parametrize("suffix", ["", ".zst"])
def test_the_encoding_is_recognised_wherever_the_first_letter_beyond_ascii_is(
    suffix: str, encoding: str, behind: int, tmp_path: Path
) -> None:
    text = "a" * (behind - 1) + ("cafés fermés, déjà vu" if encoding != "ascii" else "") + "b" * behind
    raw = text.encode(encoding)
    path = tmp_path / f"a.txt{suffix}"
    path.write_bytes(pa.compress(raw, "zstd", asbytes=True) if suffix else raw)
    stream = Stream(path)
    stream.decode(None)
    begun, parts = b"", []
    while (part := stream.read(100_000, begun)) != begun:
        parts.append(part[len(begun) :])
        begun = part[-3:]
    stream.close()
    assert b"".join(parts).decode() == text
    assert stream.recognised == ("windows-1252" if encoding == "cp1252" else None)


@pytest.mark.parametrize("where", [1, 2])
def test_a_file_of_zstandard_that_breaks_off_is_named(where: int, tmp_path: Path) -> None:
    path = tmp_path / "a.txt.zst"
    packed = pa.compress(random.Random(1).randbytes(4 << 20), "zstd", asbytes=True)
    path.write_bytes(packed[: where * len(packed) // 3])
    stream = Stream(path)
    with pytest.raises(SourceError, match=r"a\.txt\.zst: cannot be read to the end: .*ends too early"):
        list(iter(stream.read, b""))
    stream.close()

"""Bytes of files, unpacked."""

from __future__ import annotations

import gzip
from pathlib import Path

import pyarrow as pa
import pytest
from likely.errors import SourceError
from likely.reading.files.stream import Stream

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

"""Bytes of files, unpacked."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from likely.errors import SourceError

from .conftest import ROWS, as_csv, rows_of


def test_compressed_files_that_break_off(tmp_path: Path) -> None:
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(as_csv(ROWS * 1000))[:-20])
    with pytest.raises(SourceError, match=r"a\.csv\.gz"):
        rows_of(path)

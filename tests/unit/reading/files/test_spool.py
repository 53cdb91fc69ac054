"""Compressed tables are unpacked to a file."""

from __future__ import annotations

import gzip
from contextlib import closing
from pathlib import Path

from likely.reading.stream import Stream, spooled


def test_the_unpacked_bytes_are_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"abc" * 1_000_000))
    with closing(Stream(path)) as stream, spooled(stream) as file:
        assert file.read() == b"abc" * 1_000_000

"""Compressed tables are unpacked to a file, up to a limit."""

from __future__ import annotations

import gzip
from contextlib import closing
from pathlib import Path

import pytest
from likely.errors import SourceError
from likely.reading.stream import Stream, spooled


def test_the_unpacked_bytes_are_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "a.gz"
    path.write_bytes(gzip.compress(b"abc" * 1_000_000))
    with closing(Stream(path)) as stream, spooled(stream) as file:
        assert file.read() == b"abc" * 1_000_000
    with (
        closing(Stream(path)) as stream,
        pytest.raises(SourceError, match=r"a\.gz: unpacked, it has more than 1 MB: unpack it yourself"),
    ):
        spooled(stream, 1 << 20)

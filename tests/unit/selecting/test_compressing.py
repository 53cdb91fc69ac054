"""What is written compressed is read again, and the same text gives the same bytes."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from likely.reading.files.compression import decompressed
from likely.selecting.compressing import compressing


@pytest.mark.parametrize("suffix", [".gz", ".bz2", ".zst"])
def test_every_compression_is_read_again(suffix: str, tmp_path: Path) -> None:
    text = b"".join(b"line %d of a text\n" % at for at in range(50_000))
    files = []
    for _ in range(2):
        file = io.BytesIO()
        with compressing(file, suffix) as inner:
            for start in range(0, len(text), 70_001):
                inner.write(text[start : start + 70_001])
        files.append(file.getvalue())
    assert files[0] == files[1]
    assert len(files[0]) < len(text) / 5
    source, found = decompressed(io.BytesIO(files[0]), suffix), b""
    while part := source.read(1 << 20):
        found += part
    assert found == text

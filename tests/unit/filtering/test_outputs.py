"""Files appear when they are complete, compressed as asked."""

from __future__ import annotations

import bz2
import gzip
from pathlib import Path

import numpy as np
import pytest
import zstandard
from likely import _native
from likely.batch.writers import output_file
from likely.reading.batch import Lines
from likely.reading.stream import Stream

PIECES = [b"one\n" * 50_000, b"", "zwölf\n".encode() * 3]


def unpacked(path: Path) -> bytes:
    stream = Stream(path)
    try:
        return b"".join(iter(stream.read, b""))
    finally:
        stream.close()


@pytest.mark.parametrize("suffix", [None, ".gz", ".bz2", ".zst"])
def test_what_is_written_can_be_read(tmp_path: Path, suffix: str | None) -> None:
    paths = [tmp_path / "a" / "out", tmp_path / "b" / "out"]
    for path in paths:
        with output_file(path, suffix) as file:
            for piece in PIECES:
                assert file.write(piece) == len(piece)
            assert not path.exists()
    assert unpacked(paths[0]) == b"".join(PIECES)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    others = {".gz": gzip.decompress, ".bz2": bz2.decompress}
    if suffix in others:
        assert others[suffix](paths[0].read_bytes()) == b"".join(PIECES)


def test_a_file_of_zstandard_is_one_frame_that_other_decoders_read_whatever_the_sizes_of_the_pieces(
    tmp_path: Path,
) -> None:
    text = b"".join(b'{"id": %d, "text": "%x"}\n' % (row, row * row) for row in range(600_000))
    frames = []
    for size in (1 << 16, (1 << 20) + 7, len(text)):
        with output_file(tmp_path / str(size), ".zst") as file:
            for start in range(0, len(text), size):
                file.write(text[start : start + size])
        frames.append((tmp_path / str(size)).read_bytes())
    assert frames[0] == frames[1] == frames[2]
    decoder = zstandard.ZstdDecompressor().decompressobj()
    assert decoder.decompress(frames[0]) == text
    assert (decoder.eof, decoder.unused_data) == (True, b"")
    assert len(text) > 17 << 20, "the buffer of the compressor is used more than once"


def test_an_empty_file_of_zstandard_is_a_frame(tmp_path: Path) -> None:
    with output_file(tmp_path / "out.zst", ".zst"):
        pass
    assert (tmp_path / "out.zst").read_bytes().startswith(b"\x28\xb5\x2f\xfd")


def test_what_is_abandoned_does_not_appear(tmp_path: Path) -> None:
    def fail() -> None:
        with output_file(tmp_path / "out", ".gz") as file:
            file.write(b"half")
            raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        fail()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("instead", [{}, {1: b"{}"}])
@pytest.mark.parametrize("suffix", [None, ".gz", ".zst"])
def test_lines_are_written_as_their_bytes_are(tmp_path: Path, suffix: str | None, instead: dict[int, bytes]) -> None:
    chunk = "one\r\nzwölf\r\n".encode() * 20_000
    starts = np.arange(0, len(chunk), 13).repeat(2) + np.tile([0, 5], 20_000)
    lines = Lines(chunk, starts, starts + np.tile([3, 6], 20_000), instead)
    paths = [tmp_path / "lines", tmp_path / "bytes"]
    with output_file(paths[0], suffix) as one, output_file(paths[1], suffix) as other:
        one.write_lines(lines, b"\r\n")
        other.write(lines.joined(b"\r\n"))
        assert one.tell() == other.tell()
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert unpacked(paths[0]) == (chunk if not instead else chunk.replace("zwölf".encode(), b"{}", 1))


def test_what_zstandard_refuses() -> None:
    writer = _native.ZstdWriter(3)
    with pytest.raises(IndexError, match="a row is not within the chunk"):
        writer.feed_lines(b"abc", np.array([1]), np.array([4]), b"\n")
    writer.finish()
    for late in (writer.finish, lambda: writer.feed(b"more")):
        with pytest.raises(ValueError, match="the frame has ended"):
            late()

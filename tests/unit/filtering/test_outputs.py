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
    path = tmp_path / "out"
    with output_file(path, suffix) as file:
        file.write(lines.joined(b"\r\n"))
    assert unpacked(path) == (chunk if not instead else chunk.replace("zwölf".encode(), b"{}", 1))


def compressed(data: bytes, piece: int) -> bytes:
    writer = _native.ZstdWriter(3)
    return b"".join([writer.feed(data[at : at + piece]) for at in range(0, len(data), piece)]) + writer.finish()


BLOCK = 128 << 10
"""The largest block of Zstandard."""


@pytest.mark.parametrize("size", [0, 1, 1000, BLOCK - 1, BLOCK, BLOCK + 1, (8 << 20) + 1])
def test_a_file_of_zstandard_is_one_frame_with_a_checksum_whatever_its_pieces(size: int) -> None:
    numbers = np.random.default_rng(17).zipf(1.3, size // 4 + 1)
    data = b" ".join(b"%d" % (number % 100_000) for number in numbers.tolist())[:size]
    frame = compressed(data, len(data) or 1)
    assert {compressed(data, piece) for piece in (1000, BLOCK - 1, BLOCK, BLOCK + 1, 3 << 20)} == {frame}
    decoder = zstandard.ZstdDecompressor().decompressobj()
    assert (decoder.decompress(frame), decoder.eof, decoder.unused_data) == (data[:size], True, b"")
    # RFC 8878, 3.1.1.1: a checksum, and neither a size nor a dictionary.
    assert frame[4] == 0b100
    broken = frame[:-1] + bytes([frame[-1] ^ 1])
    with pytest.raises(zstandard.ZstdError):
        zstandard.ZstdDecompressor().decompressobj().decompress(broken)


def test_what_zstandard_refuses() -> None:
    writer = _native.ZstdWriter(3)
    writer.finish()
    for late in (writer.finish, lambda: writer.feed(b"more")):
        with pytest.raises(ValueError, match="the frame has ended"):
            late()

"""Files that are compressed as the input was, and that appear when they are complete."""

from __future__ import annotations

import bz2
import io
import zlib
from contextlib import ExitStack
from typing import TYPE_CHECKING, Protocol

from likely import _native
from likely.reading.atomic import replacing

if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO

    from _typeshed import ReadableBuffer

    from likely.reading.batch import Lines

ZSTD_LEVEL, GZIP_LEVEL = 3, 6
"""The levels that the commands ``zstd`` and ``gzip`` use by default."""
_GZIP_HEADER = 16
"""What zlib adds to its window bits to write the header and the checksum of gzip."""


class _Compressor(Protocol):
    """Compresses bytes that come in pieces."""

    def compress(self, data: bytes, /) -> bytes:
        """The compressed bytes that are ready."""

    def flush(self) -> bytes:
        """The last compressed bytes."""


class _Zstd:
    """Compresses with Zstandard."""

    def __init__(self) -> None:
        self._native = _native.ZstdWriter(ZSTD_LEVEL)
        self.compress = self._native.feed
        self.compress_lines = self._native.feed_lines
        self.flush = self._native.finish


def compressor(suffix: str | None) -> _Compressor | None:
    r"""What compresses a file with this suffix; None if it is not compressed. The same bytes become the same bytes.

    Examples
    --------
    >>> import gzip
    >>> gz = compressor(".gz")
    >>> gzip.decompress(gz.compress(b"text") + gz.flush()), compressor(None)
    (b'text', None)
    """
    if suffix == ".gz":
        return zlib.compressobj(GZIP_LEVEL, zlib.DEFLATED, zlib.MAX_WBITS + _GZIP_HEADER)
    return {".zst": _Zstd, ".bz2": bz2.BZ2Compressor}[suffix]() if suffix else None


class OutputFile(io.RawIOBase):
    """A file to write to. It appears under its name when it is finished, and not if it is abandoned or killed.

    Parameters
    ----------
    path : Path
        The file. Its folder is created if necessary.
    suffix : str or None
        How it is compressed: ``.gz``, ``.bz2``, ``.zst`` or None.
    """

    def __init__(self, path: Path, suffix: str | None) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._stack = ExitStack()
        self._file: BinaryIO = self._stack.enter_context(replacing(path))
        self._compressor = compressor(suffix)
        self._written = 0

    def write(self, data: ReadableBuffer, /) -> int:
        """Write some bytes."""
        piece = data if isinstance(data, bytes) else bytes(data)
        self._file.write(self._compressor.compress(piece) if self._compressor else piece)
        self._written += len(piece)
        return len(piece)

    def write_lines(self, lines: Lines, line_end: bytes) -> None:
        """Write some rows, each with this line end. The compressor of Zstandard takes them from where they are."""
        if not isinstance(self._compressor, _Zstd) or lines.instead:
            self.write(lines.joined(line_end))
            return
        self._file.write(self._compressor.compress_lines(lines.chunk, lines.starts, lines.ends, line_end))
        self._written += int((lines.ends - lines.starts).sum()) + len(lines.starts) * len(line_end)

    def writable(self) -> bool:
        """Whether bytes can be written: they can."""
        return True

    def tell(self) -> int:
        """The number of bytes that were written, before compression."""
        return self._written

    def finish(self) -> None:
        """Write what is left, and let the file appear."""
        if self._compressor:
            self._file.write(self._compressor.flush())
        self._stack.close()

    def abandon(self, error: BaseException) -> None:
        """Give up after an error, so that the file does not appear."""
        self._stack.__exit__(type(error), error, error.__traceback__)

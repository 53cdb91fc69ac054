"""Compressed files, decompressed while they are read."""

from __future__ import annotations

import bz2
import gzip
import zlib
from typing import TYPE_CHECKING, BinaryIO, Protocol, cast

from likely import _native

if TYPE_CHECKING:
    from collections.abc import Callable

ERRORS = (OSError, EOFError, zlib.error)
"""What decompressing a damaged file may raise."""


class Source(Protocol):
    """Something that bytes are read from."""

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, at most ``size``; none at the end."""


class Rest:
    """A file whose first bytes have been read already, read from its start."""

    def __init__(self, start: bytes, raw: BinaryIO) -> None:
        self._start, self._raw = start, raw

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, at most ``size``; none at the end."""
        if not self._start:
            return self._raw.read(size)
        start, self._start = (self._start, b"") if size < 0 else (self._start[:size], self._start[size:])
        return start


class ZstdFile:
    """A file that is compressed with Zstandard."""

    def __init__(self, source: Source) -> None:
        self._native = _native.Zstd(source.read)

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes, at most ``size``; none at the end."""
        return self._native.fill(b"", size)

    def fill(self, start: bytes, size: int) -> bytes:
        """The bytes ``start`` and the next ``size`` bytes behind them, which are written nowhere else before."""
        return self._native.fill(start, size)


_READERS: dict[str, Callable[[Source], Source]] = {
    ".gz": lambda source: gzip.GzipFile(fileobj=cast("BinaryIO", source)),
    ".bz2": lambda source: bz2.BZ2File(cast("BinaryIO", source)),
    ".zst": ZstdFile,
}


def decompressed(source: Source, suffix: str) -> Source:
    """The decompressed bytes of a file; ``suffix`` says how it is compressed.

    Examples
    --------
    >>> import io
    >>> decompressed(io.BytesIO(gzip.compress(b"text")), ".gz").read(4)
    b'text'
    """
    return _READERS[suffix](source)

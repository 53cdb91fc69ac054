"""The bytes of a file, decompressed and decoded, in chunks."""

from __future__ import annotations

import codecs
import os
import select
import stat
from typing import TYPE_CHECKING, BinaryIO

from likely.errors import SourceError
from likely.reading.formats import UNKNOWN_ARCHIVES, compression_of
from likely.reading.names import name_of

if TYPE_CHECKING:
    from pathlib import Path

    import pyarrow as pa

CHUNK = 16 << 20
HEAD = 256 << 10
LONGEST_ROW = 128 << 20
"""The maximum number of bytes of a row."""
_STANDARD_INPUT = 0


class Stream:
    """The bytes of a file, decompressed and decoded. The first bytes can be inspected before they are read.

    Parameters
    ----------
    path : Path or None
        The file; None for standard input.
    patient : bool
        Whether to wait until a chunk is full. If False, the bytes that have arrived so far are a chunk.
    encoding : str or None
        The encoding of the file; None for UTF-8. The bytes that are returned are always UTF-8.
    """

    def __init__(self, path: Path | None, *, patient: bool = True, encoding: str | None = None) -> None:
        self.where = "standard input" if path is None else name_of(path)
        self._raw = _open(path)
        self._compressed: pa.CompressedInputStream | None = None
        self._decoder = codecs.getincrementaldecoder(encoding)("replace") if encoding else None
        self._delivered = 0
        self.is_patient = patient or (path.is_file() if path else stat.S_ISREG(os.fstat(_STANDARD_INPUT).st_mode))
        self._ended = False
        self._ahead = b""
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        """Read the first bytes, and find out whether the file is compressed."""
        decoder, self._decoder = self._decoder, None
        self._ahead = self._further(b"", HEAD)
        # The first bytes from a pipe may be half a word: the format is clear at the end of the first line.
        while not self.is_patient and not self._ended and len(self._ahead) < HEAD and b"\n" not in self._ahead[6:]:
            self._ahead = self._further(self._ahead, HEAD)
        for start, name in UNKNOWN_ARCHIVES.items():
            if self._ahead.startswith(start):
                raise SourceError(f"{self.where} is compressed as {name}: unpack it, or use .gz, .bz2 or .zst")
        suffix = compression_of(self._ahead)
        if suffix is not None:
            self._decompress(self._ahead, suffix)
            self._ahead = self._fill(b"", HEAD)
        self._decoder = decoder
        self._ahead = self._decoded(self._ahead)

    def _decompress(self, magic: bytes, suffix: str) -> None:
        import pyarrow as pa

        codec = {".gz": "gzip", ".bz2": "bz2", ".zst": "zstd"}[suffix]
        self.is_patient = True
        self._ended = False
        self._compressed = pa.CompressedInputStream(pa.PythonFile(_Rest(magic, self._raw), mode="r"), codec)

    @property
    def is_compressed(self) -> bool:
        """Whether the file is compressed."""
        return self._compressed is not None

    @property
    def head(self) -> bytes:
        """The first bytes: at most 256 KB, unless `more_head` was called."""
        return self._ahead

    def more_head(self) -> bool:
        """Make `head` longer. Return False if the file has ended."""
        before = len(self._ahead)
        if before > LONGEST_ROW:
            raise SourceError(f"{self.where}: its first line is longer than {LONGEST_ROW >> 20} MB")
        self._ahead = self._further(self._ahead, 2 * before + HEAD)
        return len(self._ahead) > before

    def read(self, size: int = CHUNK) -> bytes:
        """The next bytes, about ``size`` of them; empty at the end."""
        ahead, self._ahead = self._ahead, b""
        return self._fill(ahead, size) if self.is_patient else ahead or self._read_ready(size)

    def rest(self) -> bytes:
        """All remaining bytes."""
        parts = []
        while part := self.read():
            parts.append(part)
        return b"".join(parts)

    def position(self) -> int:
        """The number of bytes that have been read from the file (before decompression) or from a pipe."""
        try:
            return self._raw.tell()
        except OSError:
            return self._delivered

    def size(self) -> int:
        """The number of bytes of the file; 0 for a pipe."""
        return os.fstat(self._raw.fileno()).st_size if self._raw.seekable() else 0

    def close(self) -> None:
        """Close the file."""
        self._raw.close()

    def _further(self, start: bytes, size: int) -> bytes:
        """The bytes ``start`` and more: up to ``size``, or those that have arrived so far."""
        return self._fill(start, size) if self.is_patient else start + self._read_ready(size)

    def _fill(self, start: bytes, size: int) -> bytes:
        parts, length = [start], len(start)
        while length < size and not self._ended:
            part = self._read(size - length)
            parts.append(part)
            length += len(part)
        return b"".join(parts) if len(parts) > 1 else start

    def _read(self, size: int) -> bytes:
        try:
            part: bytes = (self._compressed or self._raw).read(size)
        except OSError as error:
            raise SourceError(f"{self.where}: cannot be read to the end: {error.strerror or error}") from error
        self._ended = not part
        self._delivered += len(part)
        decoded = self._decoded(part)
        # An empty text is not the end of the file: the bytes may be half a character.
        return decoded if decoded or self._ended else self._read(size)

    def _decoded(self, part: bytes) -> bytes:
        if self._decoder is None:
            return part
        try:
            return self._decoder.decode(part, final=self._ended).encode("utf-8", "replace")
        except (UnicodeError, AssertionError) as error:
            raise SourceError(f"{self.where}: the file is not in that encoding: {error}") from error

    def _read_ready(self, size: int) -> bytes:
        """The bytes that have arrived already; at least one, except at the end."""
        parts = [b"" if self._ended else self._read(size)]
        length = len(parts[0])
        while not self._ended and length < size and select.select([self._raw], [], [], 0)[0]:
            parts.append(self._read(size - length))
            length += len(parts[-1])
        return b"".join(parts)


class _Rest:
    """A file whose first bytes have been read already, read from its start."""

    closed = False

    def __init__(self, start: bytes, raw: BinaryIO) -> None:
        self._start, self._raw = start, raw

    def read(self, size: int = -1) -> bytes:
        if not self._start:
            return self._raw.read(size)
        start, self._start = (self._start, b"") if size < 0 else (self._start[:size], self._start[size:])
        return start

    def close(self) -> None:
        pass


def _open(path: Path | None) -> BinaryIO:
    """The file, without a buffer, so that bytes can be read as soon as they arrive."""
    if path is None:
        return open(_STANDARD_INPUT, "rb", buffering=0, closefd=False)
    try:
        return path.open("rb", buffering=0)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error


def unreadable(path: Path, error: Exception) -> SourceError:
    """The error for a file or folder that cannot be opened."""
    is_text = isinstance(error, FileNotFoundError) and " " in str(path)
    hint = " (if it is a text, give its label too)" if is_text else ""
    return SourceError(f"{name_of(path)}: cannot be read: {getattr(error, 'strerror', None) or error}{hint}")

"""A file, compressed or not, as chunks of bytes."""

from __future__ import annotations

import codecs
import os
import select
import stat
from typing import TYPE_CHECKING, Any, BinaryIO

from likely.errors import SourceError
from likely.reading.formats import COMPRESSED, UNKNOWN_ARCHIVES

if TYPE_CHECKING:
    from pathlib import Path

CHUNK = 16 << 20
HEAD = 256 << 10
LONGEST_ROW = 128 << 20
"""How many bytes a row may have."""
_STANDARD_INPUT = 0


class Stream:
    """The bytes of a file, decompressed, of which the first can be looked at beforehand.

    Parameters
    ----------
    path : Path or None
        The file; None for standard input.
    patient : bool
        Whether to wait until a chunk is full. Else what has come so far is a chunk, if more is not there yet.
    encoding : str or None
        What the text is to be decoded from; it is handed on as UTF-8.
    """

    def __init__(self, path: Path | None, *, patient: bool = True, encoding: str | None = None) -> None:
        self.where = "standard input" if path is None else str(path)
        self._raw = _open(path)
        self._compressed: Any = None
        self._decoder = codecs.getincrementaldecoder(encoding)("replace") if encoding else None
        self._delivered = 0
        self.is_patient = patient or stat.S_ISREG(os.fstat(self._raw.fileno()).st_mode)
        self._ended = False
        self._ahead = b""
        try:
            self._begin()
        except BaseException:
            self.close()
            raise

    def _begin(self) -> None:
        """Look at the first bytes, decompress what is compressed, and decode what is encoded."""
        decoder, self._decoder = self._decoder, None
        self._ahead = self._further(b"", HEAD)
        # What came first of a pipe may be half a word; what it is shows at the end of a line.
        while not self.is_patient and not self._ended and len(self._ahead) < HEAD and b"\n" not in self._ahead[6:]:
            self._ahead = self._further(self._ahead, HEAD)
        for start, name in UNKNOWN_ARCHIVES.items():
            if self._ahead.startswith(start):
                raise SourceError(f"{self.where} is packed as {name}: unpack it, or pack it as .gz, .bz2 or .zst")
        for suffix, start in COMPRESSED.items():
            if self._ahead.startswith(start):
                self._decompress(self._ahead, suffix)
                self._ahead = self._fill(b"", HEAD)
                break
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
        """The first bytes, as many as there are up to a quarter of a megabyte."""
        return self._ahead

    def more_head(self) -> bool:
        """Look further ahead, where what was seen is not enough to tell; False if that was all."""
        before = len(self._ahead)
        if before > LONGEST_ROW:
            raise SourceError(f"{self.where}: its first line has no end within {LONGEST_ROW >> 20} MB")
        self._ahead = self._further(self._ahead, 2 * before + HEAD)
        return len(self._ahead) > before

    def read(self, size: int = CHUNK) -> bytes:
        """The next bytes, about so many; none at the end."""
        ahead, self._ahead = self._ahead, b""
        return self._fill(ahead, size) if self.is_patient else ahead or self._read_ready(size)

    def rest(self) -> bytes:
        """All bytes that follow."""
        parts = []
        while part := self.read():
            parts.append(part)
        return b"".join(parts)

    def position(self) -> int:
        """How many bytes of the file itself have been read; of a pipe, how many came."""
        try:
            return self._raw.tell()
        except OSError:
            return self._delivered

    def size(self) -> int:
        """How many bytes the file has, 0 for a pipe."""
        return os.fstat(self._raw.fileno()).st_size

    def close(self) -> None:
        """Close the file."""
        self._raw.close()

    def _further(self, start: bytes, size: int) -> bytes:
        """More than ``start``: as much as makes ``size``, or what has come so far."""
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
        # Half a character makes nothing yet, which is not the end.
        return decoded if decoded or self._ended else self._read(size)

    def _decoded(self, part: bytes) -> bytes:
        if self._decoder is None:
            return part
        try:
            return self._decoder.decode(part, final=self._ended).encode("utf-8", "replace")
        except (UnicodeError, AssertionError) as error:
            raise SourceError(f"{self.where}: it is not in that encoding: {error}") from error

    def _read_ready(self, size: int) -> bytes:
        """What has come already, at least something unless it is the end."""
        parts = [b"" if self._ended else self._read(size)]
        length = len(parts[0])
        while not self._ended and length < size and select.select([self._raw], [], [], 0)[0]:
            parts.append(self._read(size - length))
            length += len(parts[-1])
        return b"".join(parts)


class _Rest:
    """A file from its beginning, of which a few bytes have been read already."""

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
    """A file without a buffer of its own: what has come can be read without waiting for more."""
    if path is None:
        return open(_STANDARD_INPUT, "rb", buffering=0, closefd=False)
    try:
        return open(path, "rb", buffering=0)
    except (OSError, ValueError) as error:
        raise unreadable(path, error) from error


def unreadable(path: Path, error: Exception) -> SourceError:
    """What to say of a file or folder that cannot be opened."""
    is_text = isinstance(error, FileNotFoundError) and " " in str(path)
    hint = " (if it is a text, give its label too)" if is_text else ""
    return SourceError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}{hint}")

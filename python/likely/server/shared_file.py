"""`SharedFile`: bytes that the processes of one server share, in memory, or in a file that has no name."""

from __future__ import annotations

import fcntl
import os
import tempfile
import threading
import zlib
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD = 4


class SharedFile:
    """Bytes that one process writes and others read, whole or not at all.

    Processes get it as an inherited file descriptor. As the file has no name, nothing is left of it when the last of
    them has ended, however it has ended.

    Examples
    --------
    >>> shared = SharedFile.create()
    >>> shared.read()
    b''
    >>> shared.write(b"17 requests")
    >>> SharedFile(shared.number).read()
    b'17 requests'
    >>> shared.close()
    """

    def __init__(self, number: int) -> None:
        self.number = number
        self._turn = threading.Lock()

    @classmethod
    def create(cls) -> SharedFile:
        """A new one, without contents: in memory, where the system can do that, so that no disk can be full."""
        if hasattr(os, "memfd_create"):
            return cls(os.memfd_create("likely"))
        number, path = tempfile.mkstemp(prefix="likely-")
        os.unlink(path)
        return cls(number)

    def read(self) -> bytes:
        """The contents; none if a process was killed while it wrote them."""
        with self._locked(fcntl.LOCK_SH):
            return self._read()

    def write(self, data: bytes) -> None:
        """Replace the contents."""
        with self._locked(fcntl.LOCK_EX):
            self._write(data)

    @contextmanager
    def changing(self) -> Iterator[bytearray]:
        """The contents, to be changed in place; no other process reads or writes them meanwhile."""
        with self._locked(fcntl.LOCK_EX):
            data = bytearray(self._read())
            yield data
            self._write(bytes(data))

    def close(self) -> None:
        """Let go of it."""
        os.close(self.number)

    def _read(self) -> bytes:
        data = os.pread(self.number, os.fstat(self.number).st_size, 0)
        head, contents = data[:_HEAD], data[_HEAD:]
        return contents if head == _checksum(contents) else b""

    def _write(self, data: bytes) -> None:
        whole = _checksum(data) + data
        os.pwrite(self.number, whole, 0)
        os.ftruncate(self.number, len(whole))

    @contextmanager
    def _locked(self, how: int) -> Iterator[None]:
        """Locks of files exclude processes, not threads. The system frees them if a process is killed."""
        with self._turn:
            fcntl.lockf(self.number, how)
            try:
                yield
            finally:
                fcntl.lockf(self.number, fcntl.LOCK_UN)


def _checksum(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(_HEAD, "little")

"""`ProcessLock`: a lock between processes that ends with the process that holds it, however that ends."""

from __future__ import annotations

import contextlib
import errno
import os
import time
from typing import TYPE_CHECKING

from likely.errors import StoreBusyError

if TYPE_CHECKING:
    from collections.abc import Iterator

PATIENCE = 10.0
"""For this many seconds a process waits for another one."""
_PAUSE = 0.002


class ProcessLock:
    """A lock (``flock``) on a file of its own, which contains the number of the process that holds it.

    It ends with the process, so that a killed process leaves nothing behind that a person would have to delete. On
    Windows, which has no such lock, the locks of the database itself have to do.
    """

    def __init__(self, path: str, patience: float = PATIENCE) -> None:
        self._path, self._patience = path, patience
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Hold the lock; ``StoreBusyError`` says which process has held it for longer than one waits."""
        try:
            import fcntl
        except ModuleNotFoundError:
            yield
            return
        until = time.monotonic() + self._patience
        while True:
            try:
                fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except OSError as error:
                if error.errno not in (errno.EWOULDBLOCK, errno.EINTR):
                    raise
            if time.monotonic() >= until:
                raise StoreBusyError(
                    f"process {self._holder()} has held the store ({self._path!r}) for more than "
                    f"{self._patience:g} seconds: wait for it, or end it"
                )
            time.sleep(_PAUSE)
        try:
            self._sign()
            yield
        finally:
            if self._file >= 0:  # it may be closed meanwhile
                fcntl.flock(self._file, fcntl.LOCK_UN)

    def _sign(self) -> None:
        """Write the number of this process into the file. A full disk must not keep anybody from holding the lock."""
        with contextlib.suppress(OSError):
            os.pwrite(self._file, f"{os.getpid():<12}".encode(), 0)

    def _holder(self) -> str:
        return os.pread(self._file, 12, 0).decode("ascii", "replace").strip() or "(unknown)"

    def close(self) -> None:
        """Close the file, which also ends the lock."""
        os.close(self._file)
        self._file = -1
